import { Page } from '../../ui/page.tsx'

export function NewTemplatePage() {
  return <Page title="NewTemplatePage">…</Page>
}
