import { type Stage, textTo } from '../support/stage.ts'
import { chanceOf } from './chance.ts'
import type { ClientCall, ClientRequest } from './evidence.ts'
import type { PlannedSend } from './plan.ts'
import { after, ask, at, type World } from './world.ts'

const patienceMs = 15_000
const callsMax = 8

/** Plans what the clients of the account do: each send at its time, repeated under its key until it is answered. */
export function planClients(world: World, stage: Stage): void {
  for (const send of world.plan.sends) {
    const request: ClientRequest = { label: send.label, number: send.number, person: send.person, key: send.key, calls: [] }
    world.evidence.requests.push(request)
    at(world, world.startMs + send.atMs, () => {
      call(world, stage, { send, request, text: send.label, n: 1 })
      if (send.isDoubled) call(world, stage, { send, request, text: send.label, n: 1 })
    })
    const chance = chanceOf(world.plan.seed, 'reuse', send.label)
    if (send.reusesKeyFor === null) continue
    const text = send.reusesKeyFor
    at(world, world.startMs + send.atMs + chance.whole(0, 5_000), () => call(world, stage, { send, request, text, n: callsMax }))
  }
}

type Call = { send: PlannedSend; request: ClientRequest; text: string; n: number }

function call(world: World, stage: Stage, each: Call): void {
  const { send, request, text, n } = each
  const { time, plan } = world
  const chance = chanceOf(plan.seed, 'call of client', send.label, n)
  const again = () => {
    // Without a key nobody may repeat: it could be a second message.
    if (send.key !== null && n < callsMax)
      after(world, 300 * 2 ** n + chance.whole(0, 200), () => call(world, stage, { ...each, n: n + 1 }))
  }
  const process = world.front()
  if (process === null) {
    again()
    return
  }
  const made: ClientCall = { atMs: time.nowMs(), endedAtMs: time.nowMs(), text, answer: { kind: 'lost' } }
  request.calls.push(made)
  const clock = { now: () => new Date(time.nowMs()), monotonicMs: () => time.nowMs(), after: () => () => {} }
  const number = world.numbers[send.number]
  const wanted = textTo(clock, stage, send.person, {
    text,
    clientReference: text,
    ...(number && { channelId: number.channelId }),
    ...(send.key !== null && { key: send.key }),
  })
  ask(world, { process, patienceMs, work: (gateway) => gateway.send(wanted) }, (asked) => {
    made.endedAtMs = time.nowMs()
    if (asked.kind !== 'answered' || (n === 1 && send.losesAnswer)) return again()
    const { value } = asked
    if (value.ok) made.answer = { kind: 'accepted', id: idIn(value.value.body), replayed: value.value.replayed }
    else made.answer = { kind: 'refused', code: value.refusal.code }
  })
}

const idIn = (body: string): string => JSON.parse(body).id
