import type { Api } from './api.ts'
import type { Receipt } from './event-receiver.ts'
import type { SimulatorProcess } from './simulator-process.ts'
import { until } from './until.ts'

export type Fate = { id: string; status: string; acceptances: number }

/** What became of every outbound message: what we say of it, and how often upstream accepted it by its own book. */
async function fatesOf(api: Api, simulator: SimulatorProcess): Promise<Fate[]> {
  const messages = await allMessages(api)
  const acceptances = await simulator.acceptances()
  const known = new Set(messages.map((each) => each.id))
  const strangers = [...acceptances.keys()].filter((id) => !known.has(id))
  if (strangers.length > 0) throw new Error(`Upstream has accepted what we do not know: ${strangers.join(', ')}`)
  return messages.map(({ id, status }) => ({ id, status, acceptances: acceptances.get(id) ?? 0 }))
}

/** Waits until every message has been read, save those for which `excused` finds a reason, and answers the fates of all. */
export function untilSettled(
  api: Api,
  simulator: SimulatorProcess,
  { msMax, excused = async () => [] }: { msMax: number; excused?: () => Promise<readonly string[]> },
): Promise<Fate[]> {
  return until(
    'every message has its fate',
    async () => {
      const fates = await fatesOf(api, simulator)
      const open = fates.filter((each) => each.status !== 'read' && each.status !== 'failed')
      if (open.length === 0) return fates
      const reasons = new Set(await excused())
      const left = open.filter((each) => !reasons.has(each.id))
      if (left.length === 0) return fates
      throw new Error(`${left.length} of ${fates.length} are open, such as ${JSON.stringify(left[0])}`)
    },
    msMax,
  )
}

/** The messages whose fate breaks the promise: accepted exactly once, or failed or unknown and accepted at most once. */
export function brokenPromises(fates: readonly Fate[]): Fate[] {
  const isKept = ({ status, acceptances }: Fate) => (status === 'failed' || status === 'queued' ? acceptances <= 1 : acceptances === 1)
  return fates.filter((each) => !isKept(each))
}

/** The events that must have come to a path for these messages and did not: one of each kind for each that was read. */
export function missingEvents(fates: readonly Fate[], receipts: readonly Receipt[], path: string): string[] {
  const taken = new Set(receipts.filter((each) => each.path === path).map((each) => `${each.event.data.id} ${each.type}`))
  const wanted = fates
    .filter((each) => each.status === 'read')
    .flatMap(({ id }) => ['sent', 'delivered', 'read'].map((kind) => `${id} message.${kind}`))
  return wanted.filter((each) => !taken.has(each))
}

/** Events that came to one path more than once, each with the moments of its receipts. */
export function repeatedEvents(receipts: readonly Receipt[], path: string): { eventId: string; atMs: number[]; bodies: Set<string> }[] {
  const byId = new Map<string, { eventId: string; atMs: number[]; bodies: Set<string> }>()
  for (const receipt of receipts) {
    if (receipt.path !== path) continue
    const each = byId.get(receipt.eventId) ?? { eventId: receipt.eventId, atMs: [], bodies: new Set<string>() }
    each.atMs.push(receipt.atMs)
    each.bodies.add(receipt.rawBody)
    byId.set(receipt.eventId, each)
  }
  return [...byId.values()].filter((each) => each.atMs.length > 1)
}

async function allMessages(api: Api): Promise<{ id: string; status: string }[]> {
  const found: { id: string; status: string }[] = []
  for (let after = ''; ; ) {
    const { body } = await api.get(`/v1/messages?direction=outbound&limit=100${after === '' ? '' : `&starting_after=${after}`}`)
    found.push(...body.data)
    if (!body.has_more) return found
    after = body.data.at(-1).id
  }
}
