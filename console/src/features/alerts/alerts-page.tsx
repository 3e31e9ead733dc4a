import { Page } from '../../ui/page.tsx'

export function AlertsPage() {
  return <Page title="AlertsPage">…</Page>
}
