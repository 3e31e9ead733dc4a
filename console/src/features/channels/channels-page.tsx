import { Page } from '../../ui/page.tsx'

export function ChannelsPage() {
  return <Page title="ChannelsPage">…</Page>
}
