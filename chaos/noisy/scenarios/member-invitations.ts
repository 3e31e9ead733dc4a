import { ask, callers } from '../ask.ts'
import type { Scenario } from '../scenario.ts'

export const memberInvitations: Scenario = {
  name: 'an admin invites people while the mail server is silent, 20 a second',
  resource: 'mail',
  async begin({ port, newcomer }) {
    const { accountId, cookie } = await newcomer()
    const headers = { cookie, origin: `http://127.0.0.1:${port}` }
    return callers(10, 500, (n) => {
      const body = JSON.stringify({ email: `guest${n % 50}@example.com`, role: 'viewer' })
      return ask({ port, method: 'POST', path: `/console/api/accounts/${accountId}/invitations`, headers, body })
    })
  },
}
