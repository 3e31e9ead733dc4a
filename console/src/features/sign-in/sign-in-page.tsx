import { Page } from '../../ui/page.tsx'

export function SignInPage() {
  return <Page title="SignInPage">…</Page>
}
