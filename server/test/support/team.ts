import type { TestAccount } from './accounts.ts'
import type { Answer, CallOptions, Method } from './caller.ts'
import type { TestGateway } from './gateway.ts'
import { signedIn } from './people-of-console.ts'

/** Calls the console's interface on an account: `/api-keys`. */
export type MemberCall = (method: Method, path: string, options?: CallOptions) => Promise<Answer>

type Role = 'owner' | 'admin' | 'agent' | 'viewer'

/** Somebody new of this role, who has signed in and is at work in this account. */
export async function memberOf(gateway: TestGateway, account: TestAccount, role: Role = 'owner'): Promise<MemberCall> {
  return (await signedIn(gateway, { accountId: account.uuid, role })).onAccount
}
