import { Page } from '../../ui/page.tsx'

export function RequestLogPage() {
  return <Page title="RequestLogPage">…</Page>
}
