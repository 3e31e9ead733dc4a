import { Page } from '../../ui/page.tsx'

export function ConnectPage() {
  return <Page title="ConnectPage">…</Page>
}
