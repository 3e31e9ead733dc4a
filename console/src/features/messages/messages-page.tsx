import { Page } from '../../ui/page.tsx'

export function MessagesPage() {
  return <Page title="MessagesPage">…</Page>
}
