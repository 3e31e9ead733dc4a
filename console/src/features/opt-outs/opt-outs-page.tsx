import { Page } from '../../ui/page.tsx'

export function OptOutsPage() {
  return <Page title="OptOutsPage">…</Page>
}
