import { Page } from '../../ui/page.tsx'

export function LinkPage() {
  return <Page title="LinkPage">…</Page>
}
