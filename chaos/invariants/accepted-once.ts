import { momentOf, type Run, type UpstreamSend, uuidOf, type Violation } from '../histories.ts'

/** How often upstream accepted each message, by the id that we gave with the send and upstream echoes. */
export function acceptancesOf(sends: readonly UpstreamSend[]): Map<string, UpstreamSend[]> {
  const accepted = sends.filter((each) => each.outcome === 'accepted')
  return Map.groupBy(accepted, (each) => uuidOf((each.opaque ?? '').split('.')[0] ?? ''))
}

/** What the test numbers' own upstream accepted: the distinct wamids of each message's notices. */
function testWamidsOf(run: Run): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>()
  for (const { body } of run.database.testNotices) {
    for (const [, wamid = '', opaque = ''] of body.matchAll(/"id":"(wamid[^"]+)"[^}]*?"biz_opaque_callback_data":"([^".]+)/g))
      found.set(uuidOf(opaque), (found.get(uuidOf(opaque)) ?? new Set()).add(wamid))
  }
  return found
}

/**
 * I1. Each message that was answered 202 is there, and has one fate: accepted upstream exactly once; or failed in upstream's answer or in the queue, and accepted never;
 * or its outcome is unknown, and it was accepted at most once.
 */
export function acceptedOnce(run: Run): Violation[] {
  const acceptances = acceptancesOf(run.sends)
  const testWamids = testWamidsOf(run)
  const outbound = run.database.messages.filter((each) => each.direction === 'outbound')
  const known = new Map(outbound.map((each) => [each.id, each]))
  const open = new Set(run.database.queue.map((each) => each.messageId))
  const violations: Violation[] = []
  const broken = (what: string, evidence: unknown) => violations.push({ invariant: 'I1', what, evidence })

  for (const { id, key } of run.answers.filter((each) => each.status === 202)) {
    if (id === null || !known.has(uuidOf(id))) broken('A send was answered 202 and there is no such message.', { key, id })
  }
  for (const [id, times] of acceptances) {
    if (!known.has(id)) broken('Upstream accepted a message that we do not know.', times)
    if (times.length > 1) broken('A message was sent twice.', { id, madeMs: momentOf(id), times })
  }
  for (const [id, wamids] of testWamids)
    if (wamids.size > 1) broken('A message to a test number was sent twice.', { id, madeMs: momentOf(id), wamids: [...wamids] })
  for (const message of outbound) {
    const times = message.livemode ? (acceptances.get(message.id)?.length ?? 0) : (testWamids.get(message.id)?.size ?? 0)
    if (message.status === 'queued' && !message.outcomeUnknown && !open.has(message.id))
      broken('A message is queued and in no queue.', message)
    const sent = message.status === 'sent' || message.status === 'delivered' || message.status === 'read'
    if (sent && times !== 1) broken(`A message is ${message.status} and was accepted ${times} times.`, message)
    // A failure that upstream told by notice has a wamid, and was accepted before; one in its answer, or in the queue, was not.
    if (message.status === 'failed' && !message.outcomeUnknown && times !== (message.wamid === null ? 0 : 1))
      broken(`A message failed ${message.wamid === null ? 'before' : 'after'} it was accepted, and was accepted ${times} times.`, message)
  }
  return violations
}
