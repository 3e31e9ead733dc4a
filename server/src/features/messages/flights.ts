import { type Clock, pause } from '../../base/clock.ts'
import { crashpoint } from '../../base/crashpoint.ts'
import { formatId } from '../../base/id.ts'
import { limits } from '../../limits.ts'
import { createBatcher } from '../../platform/database/batcher.ts'
import type { Database } from '../../platform/database/database.ts'
import { faultWords, isRefusedForGood } from '../../platform/database/failure.ts'
import type { Vitals } from '../../platform/observe/vitals.ts'
import type { SendOutcome } from '../../platform/upstream/send.ts'
import type { DeliveryHint } from '../webhooks/public.ts'
import type { Start } from './dispatch.ts'
import { brake, comeBack, endFlight, holdForNotice, type Lane, liftBrakes } from './lane.ts'
import type { SendObservation } from './observation.ts'
import { type FinishedSend, recordOutcomes } from './record-outcomes.ts'
import type { Upstream } from './upstream.ts'

export type FlightsDeps = {
  database: Database
  clock: Clock
  observe: (observation: SendObservation) => void
  live: Upstream
  test: Upstream
  vitals?: Vitals | undefined
  wakeDeliveries: (hints: readonly DeliveryHint[]) => void
}

/** Sends that are under way: posted, and until their outcome is recorded. */
export type Flights = {
  /** Posts a send whose intent is committed, and records what became of it. Never throws. */
  launch(start: Start): void
  /** How many more may start. */
  room(mode: 'live' | 'test'): number
  count(): number
  /** The lane of each send whose outcome is not recorded yet. */
  lanesUnderWay(): Lane[]
  /** Resolves when nothing is under way, or after 35 s. */
  settled(): Promise<void>
  /** From now on an outcome that the database does not take is given up: the next owner finds the intent. */
  giveUp(): void
}

const recordsPerCommitMax = 200
const recordsEveryMs = 15
/** Answers that wait for their commit leave their connection to the next; so many times the connections may be under way in all. */
const underWayPerConnection = 2
const recordAgainMs = 1_000
/** A call takes 30 s at most; recording it a little more. */
const settledMsMax = 35_000

export function createFlights(deps: FlightsDeps, onLanded: () => void): Flights {
  const { clock, observe } = deps
  const underWay = new Set<Start>()
  const posting = { live: 0, test: 0 }
  const flying = { live: 0, test: 0 }
  const listeners = new Set<() => void>()
  let givingUp = false
  const record = createBatcher<FinishedSend, null>({
    name: 'outcomes',
    observe,
    vitals: deps.vitals,
    itemsMax: recordsPerCommitMax,
    spacing: { clock, ms: recordsEveryMs },
    waitingMax: underWayPerConnection * (deps.live.concurrentMax + deps.test.concurrentMax),
    run: (finished) => recordOutcomes(deps, finished),
  })

  /**
   * A fact is not given up while we live: the database comes back. This loop has no other bound, and needs none: each keeps its place among
   * those under way, which bounds how many there are. False: the process stops, or the database refuses it for its data however it is
   * told. The intent stays, and is settled as unknown (rule: queue 4).
   */
  const recordSurely = async (known: FinishedSend): Promise<boolean> => {
    let finished = known
    for (;;) {
      try {
        await record(finished)
        return true
      } catch (error) {
        observe({ kind: 'send.outcome_not_recorded', message: error instanceof Error ? error.message : String(error) })
        if (givingUp || (isRefusedForGood(error) && finished !== known)) return false
        // What upstream said cannot be stored: then only a notice can tell.
        if (isRefusedForGood(error))
          finished = { ...known, outcome: { kind: 'unknown', because: 'not recordable', code: null, statusCode: null } }
        await pause(clock, recordAgainMs)
      }
    }
  }

  const post = async (lane: Lane, send: Start['send']): Promise<SendOutcome> => {
    const mode = modeOf(lane)
    posting[mode] += 1
    try {
      return await deps[mode].post(send)
    } catch (error) {
      // A bug of ours, and nobody knows how far the call came.
      return { kind: 'unknown', because: faultWords(error), code: null, statusCode: null }
    } finally {
      posting[mode] -= 1
      onLanded()
    }
  }

  const fly = async (start: Start): Promise<void> => {
    const { lane, row, send, intentAt, person } = start
    const beganMs = clock.monotonicMs()
    const outcome = await post(lane, send)
    crashpoint('after_answer')
    const landedMs = clock.monotonicMs()
    const landedAt = clock.now()
    const freeAtMs = applyToLane(start, outcome, landedMs)
    const notBefore = outcome.kind === 'not_accepted' && freeAtMs > landedMs ? new Date(landedAt.getTime() + freeAtMs - landedMs) : null
    const ms = Math.round(landedMs - beganMs)
    const recorded = await recordSurely({ ...send, person, livemode: lane.livemode, intentAt, endedAt: landedAt, ms, outcome, notBefore })
    // Only now: who is next must see this outcome in the database.
    endFlight(lane, row.contactId, freeAtMs, clock.monotonicMs())
    if (outcome.kind === 'unknown' || !recorded) holdForNotice(lane, send.messageId, row.contactId, clock.monotonicMs())
    if (outcome.kind === 'not_accepted') comeBack(lane)
    observe(finishedObservation(start, outcome, ms))
  }

  return {
    launch(start) {
      const mode = modeOf(start.lane)
      underWay.add(start)
      flying[mode] += 1
      void fly(start).finally(() => {
        underWay.delete(start)
        flying[mode] -= 1
        for (const listener of listeners) listener()
        onLanded()
      })
    },
    room(mode) {
      const { concurrentMax } = deps[mode]
      return Math.min(concurrentMax - posting[mode], underWayPerConnection * concurrentMax - flying[mode])
    },
    count: () => underWay.size,
    lanesUnderWay: () => [...underWay].map(({ lane }) => lane),
    settled: () =>
      new Promise((resolve) => {
        const done = () => {
          cancel()
          listeners.delete(check)
          resolve()
        }
        const check = () => {
          if (underWay.size === 0) done()
        }
        const cancel = clock.after(settledMsMax, done)
        listeners.add(check)
        check()
      }),
    giveUp() {
      givingUp = true
    },
  }
}

/** Which upstream a lane sends to. */
export const modeOf = (lane: Lane): 'live' | 'test' => (lane.livemode ? 'live' : 'test')

/** What the outcome means for the lane; answers from when on its person is free. */
function applyToLane({ lane, row }: Start, outcome: SendOutcome, nowMs: number): number {
  switch (outcome.kind) {
    case 'not_accepted':
      return brake(lane, outcome.brake, row.contactId, nowMs)
    case 'accepted':
      liftBrakes(lane, row.contactId)
      return nowMs
    // The person of an unknown outcome is held back once that is recorded, until a notice settles it.
    case 'unknown':
    case 'refused':
      return nowMs
  }
}

function finishedObservation({ lane, row, send, requestId, intentAt }: Start, outcome: SendOutcome, ms: number): SendObservation {
  return {
    kind: 'send.finished',
    messageId: formatId('msg', send.messageId),
    requestId: requestId === null ? null : formatId('req', requestId),
    channelId: formatId('ch', send.channelId),
    livemode: lane.livemode,
    attempt: send.attempt,
    outcome: outcome.kind,
    brake: outcome.kind === 'not_accepted' ? outcome.brake : null,
    code: outcome.kind === 'accepted' ? null : outcome.code,
    statusCode: outcome.statusCode,
    ms,
    waitedMs: limits.queueWaitMsMax - (row.expiresAt.getTime() - intentAt.getTime()),
  }
}
