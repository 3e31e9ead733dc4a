import Stripe from 'stripe'
import type { Receipt, Run, Violation } from '../histories.ts'

const toleranceSeconds = 15
const { webhooks } = new Stripe('sk_test_x')

/** I11. Every receipt is signed with its webhook's secret, over the bytes that came, at about the moment at which it came; judged by a package that knows nothing of us. */
export function signed(run: Run): Violation[] {
  const secrets = new Map(run.stage.accounts.flatMap((account) => account.webhooks.map((each) => [each.path, each.secret])))
  return run.receipts.flatMap((receipt) => {
    const problem = problemOf(receipt, secrets.get(receipt.path) ?? 'none')
    return problem === null ? [] : [{ invariant: 'I11', what: `A receipt is not signed rightly: ${problem}`, evidence: receipt }]
  })
}

function problemOf({ body, signature, atMs, eventId }: Receipt, secret: string): string | null {
  try {
    const event = webhooks.constructEvent(body, signature, secret, toleranceSeconds, undefined, atMs)
    // The package allows a `t` of any time ahead.
    const t = Number(/^t=(\d+)/.exec(signature)?.[1])
    if (Math.abs(t - atMs / 1_000) > toleranceSeconds) return `its moment is ${t}, it came at ${atMs}`
    return event.id === eventId ? null : `the header names ${eventId}, the body ${event.id}`
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
