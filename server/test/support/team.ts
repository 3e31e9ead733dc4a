import type { GatewayOptions } from '../../src/app.ts'
import { systemClock } from '../../src/base/clock.ts'
import { formatId, newUuid, type Uuid } from '../../src/base/id.ts'
import type { TestAccount } from './accounts.ts'
import type { Answer, CallOptions, Method } from './caller.ts'
import type { TestGateway } from './gateway.ts'

/** Calls the console's interface on an account: `/api-keys`. */
export type MemberCall = (method: Method, path: string, options?: CallOptions) => Promise<Answer>

export type TestTeam = {
  access: NonNullable<GatewayOptions['team']>
  /** Somebody who works in this account; without scopes they may do everything. */
  member(gateway: TestGateway, account: TestAccount, scopes?: readonly string[] | null): MemberCall
}

const header = 'x-person-of-the-test'

/** People who are signed in, without any signing in. */
export function createTeam(): TestTeam {
  const clock = systemClock()
  const memberships = new Map<Uuid, { accountId: Uuid; scopes: readonly string[] | null }>()
  return {
    access: {
      async readSession(headers) {
        const userId = headers[header] as Uuid | undefined
        return userId !== undefined && memberships.has(userId) ? { userId, sessionId: userId } : null
      },
      async membershipOf(userId, accountId) {
        const membership = memberships.get(userId)
        return membership?.accountId === accountId ? { scopes: membership.scopes } : null
      },
    },
    member(gateway, account, scopes = null) {
      const userId = newUuid(clock.now())
      memberships.set(userId, { accountId: account.uuid, scopes })
      const base = `/console/api/accounts/${formatId('acc', account.uuid)}`
      return (method, path, { headers, ...options } = {}) =>
        gateway.call(method, `${base}${path}`, { ...options, headers: { origin: gateway.url, [header]: userId, ...headers } })
    },
  }
}
