/** A send that the simulator accepted. `text` is what it said. */
export type UpstreamSend = { sequence: number; atMs: number; monotonicMs: number; phoneNumberId: string; to: string; text: string }

type Line = {
  sequence: number
  at: string
  monotonicMs: number
  phoneNumberId: string
  to: string | null
  outcome: string
  code: number | null
  body: { text?: { body?: string } } | null
}

const pageRows = 10_000

/** Where the history of each simulator was known to stand. */
const known = new Map<string, number>()

/** Where the history stands now. */
export async function lastSequence(simulatorUrl: string): Promise<number> {
  const from = known.get(simulatorUrl) ?? 0
  const lines = await sendsAfter(simulatorUrl, from)
  return lines.at(-1)?.sequence ?? from
}

/** What was accepted after that place, in order. Throws when anything was refused: pace and counts would not be what they seem. */
export async function acceptedAfter(simulatorUrl: string, after: number): Promise<UpstreamSend[]> {
  const lines = await sendsAfter(simulatorUrl, after)
  const refused = lines.find((each) => each.outcome !== 'accepted')
  if (refused !== undefined) throw new Error(`Upstream ${refused.outcome} a send (${refused.code}).`)
  return lines.map(({ sequence, at, monotonicMs, phoneNumberId, to, body }) => ({
    ...{ sequence, monotonicMs, phoneNumberId },
    atMs: Date.parse(at),
    to: to ?? '',
    text: body?.text?.body ?? '',
  }))
}

/** How many it has accepted since it started. */
export async function acceptedCount(simulatorUrl: string): Promise<number> {
  const answer = (await (await fetch(`${simulatorUrl}/_sim`)).json()) as { accepted: number }
  return answer.accepted
}

async function sendsAfter(simulatorUrl: string, from: number): Promise<Line[]> {
  const found: Line[] = []
  for (let after = from; ; ) {
    const response = await fetch(`${simulatorUrl}/_sim/sends?after=${after}&limit=${pageRows}`)
    const { data } = (await response.json()) as { data: Line[] }
    found.push(...data)
    after = data.at(-1)?.sequence ?? after
    known.set(simulatorUrl, after)
    if (data.length < pageRows) return found
  }
}
