import { Page } from '../../ui/page.tsx'

export function ChannelPage() {
  return <Page title="ChannelPage">…</Page>
}
