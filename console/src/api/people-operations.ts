// Until the server's routes are in the generated types: what these pages take of them.

export {}

type Role = 'owner' | 'admin' | 'agent' | 'viewer'
type SignedIn = { second_factor: boolean }
type Listed<Item> = { object: 'list'; data: Item[]; has_more: boolean }

declare module './generated/operations.ts' {
  interface Operations {
    'POST /sign-in': { body: { email: string; password: string }; answer: SignedIn }
    'POST /sign-in/second-factor': { body: { code: string; is_backup?: boolean; trust_device?: boolean }; answer: SignedIn }
    'POST /sign-in/link': { body: { email: string }; answer: { mailed: boolean } }
    'POST /sign-in/link/open': { body: { token: string; code?: string }; answer: SignedIn }
    'PATCH /me': { body: { name?: string; language?: 'pt-BR' | 'en' }; answer: unknown }
    'POST /me/password': { body: { current_password?: string; new_password: string }; answer: unknown }
    'GET /me/sessions': {
      answer: Listed<{
        id: string
        created_at: string
        last_seen_at: string
        expires_at: string
        user_agent: string
        address: string
        is_current: boolean
      }>
    }
    'DELETE /me/sessions/{id}': { path: { id: string }; answer: unknown }
    'POST /me/sessions/end-others': { answer: unknown }
    'POST /me/two-factor': { body: { password?: string }; answer: { totp_uri: string; secret: string; backup_codes: string[] } }
    'POST /me/two-factor/confirm': { body: { code: string }; answer: unknown }
    'DELETE /me/two-factor': { body: { code: string }; answer: unknown }
    'GET /account/members': {
      answer: Listed<{ user_id: string; email: string; name: string; role: Role; two_factor: boolean; created_at: string }>
    }
    'PATCH /account/members/{user_id}': { path: { user_id: string }; body: { role: Role }; answer: unknown }
    'DELETE /account/members/{user_id}': { path: { user_id: string }; answer: unknown }
    'GET /account/invitations': {
      answer: Listed<{ id: string; email: string; role: Role; invited_by: string | null; created_at: string; expires_at: string }>
    }
    'POST /account/invitations': {
      body: { email: string; role: Role }
      answer: { link: string; mailed: boolean }
    }
    'DELETE /account/invitations/{id}': { path: { id: string }; answer: unknown }
    'GET /account/audit-log': {
      query?: { limit?: number; starting_after?: string }
      answer: Listed<{
        id: string
        at: string
        user: { id: string; name: string | null; email: string | null }
        operation: string
        targets: Record<string, string>
        address: string
      }>
    }
    'POST /invitations/look': { body: { token: string }; answer: { account_name: string; email: string; role: Role; is_known: boolean } }
    'POST /invitations/accept': { body: { token: string; name?: string; password?: string }; answer: { account_id: string } }
  }
}
