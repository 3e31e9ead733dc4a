import type { Graph, GraphAnswer, GraphRequest } from '../../src/platform/upstream/graph.ts'
import { chanceOf } from './chance.ts'
import type { Post, ToldInbound, ToldStatus } from './evidence.ts'
import { actTold, type Notices } from './notices.ts'
import { reactionsTo } from './plan.ts'
import { type Behaviour, behaviourOf, courseOf } from './upstream-behaviour.ts'
import type { Life } from './virtual-time.ts'
import { at, type World } from './world.ts'

/** The network that takes messages, with its own memory of what it took. */
export type UpstreamNetwork = {
  /** How one process reaches it. Its answers die with the process, while what was written arrives. */
  graphOf(process: number, life: Life): Graph
}

type Told = { text: { body: string }; to: string; biz_opaque_callback_data: string }

const concurrentMax = 64

/** `unusable` is told each time upstream says that a number cannot send at all. */
export function upstreamNetwork(world: World, notices: Notices, unusable: (number: number) => void): UpstreamNetwork {
  const { evidence, time, plan } = world
  const calls = new Map<string, number>()

  const call = (process: number, life: Life, request: GraphRequest) =>
    new Promise<GraphAnswer>((resolve) => {
      const told: Told = JSON.parse(request.body ?? '')
      const label = told.text.body
      const n = (calls.get(label) ?? 0) + 1
      calls.set(label, n)
      const behaviour = behaviourOf(plan, label, n)
      const number = world.numbers.findIndex((each) => request.path === `/${each.phoneNumberId}/messages`)
      const post: Post = {
        label,
        n,
        number,
        person: told.to.replace('+', ''),
        process,
        attempt: Number(told.biz_opaque_callback_data.split('.')[1]),
        startedAtMs: time.nowMs(),
        atMs: time.nowMs(),
        truth: behaviour.truth,
        acceptedAtMs: null,
        answeredAtMs: null,
        says: behaviour.says,
      }
      evidence.posts.push(post)
      const answered = (answer: GraphAnswer) => {
        post.answeredAtMs = time.nowMs()
        resolve(answer)
      }
      // Until the first byte is written everything depends on the process; after it, nothing does.
      time.at({
        life,
        dueMs: time.nowMs() + behaviour.connectMs,
        kind: 'happening',
        work() {
          if (behaviour.truth === 'nothing' || (request.startBy !== undefined && time.nowMs() > request.startBy)) {
            post.truth = 'nothing'
            post.says = 'not_accepted'
            return answered({ kind: 'not_sent', because: behaviour.truth === 'nothing' ? 'ECONNREFUSED' : 'late' })
          }
          post.atMs = time.nowMs()
          take(post, told, behaviour)
          time.at({
            life,
            dueMs: time.nowMs() + behaviour.answersMs,
            kind: 'happening',
            work() {
              if (behaviour.stopsNumber) unusable(number)
              answered(behaviour.answer(wamidOf(label, n), told.to))
            },
          })
        },
      })
    })

  const take = (post: Post, told: Told, behaviour: Behaviour) => {
    if (behaviour.truth !== 'accepted') return
    post.acceptedAtMs = time.nowMs()
    const takenMs = time.nowMs() + behaviour.takenMs
    for (const { status, afterMs, toldMs } of courseOf(plan, post.label)) {
      // Upstream writes whole seconds.
      const moment = new Date(Math.floor((takenMs + afterMs) / 1_000) * 1_000)
      const item = {
        id: wamidOf(post.label, post.n),
        status,
        timestamp: String(moment.getTime() / 1_000),
        recipient_id: post.person,
        biz_opaque_callback_data: told.biz_opaque_callback_data,
        ...(status === 'failed'
          ? { errors: [{ code: 131026, title: 'no', message: 'no', error_data: { details: failedDetails } }] }
          : { pricing: { billable: true, pricing_model: 'PMP', type: 'regular', category: 'service' } }),
      }
      const record = { label: post.label, status, at: moment, takenAtMs: null, tellings: 0 }
      evidence.statuses.push(record)
      at(world, takenMs + toldMs, () => notices.tell({ number: post.number, list: 'statuses', item, record }))
      if (status === 'delivered') echo(post, takenMs, record)
    }
    for (const { label, afterMs, emoji } of reactionsTo(plan.seed, post.label)) {
      const done = { label, target: post.label, person: post.person, atMs: takenMs + afterMs, act: { kind: 'reaction' as const, emoji } }
      const reaction = actTold(done, wamidOf(post.label, post.n))
      evidence.acts.push(reaction.record)
      at(world, takenMs + afterMs, () => notices.tell({ number: post.number, list: 'messages', ...reaction }))
    }
  }

  /** A number that also lives in the phone's app may be told of its own sends; only where a status says whose the message is. */
  const echo = (post: Post, takenMs: number, { label, status, at: moment }: ToldStatus) => {
    const chance = chanceOf(plan.seed, 'echo', label)
    if (!chance.happens(0.2)) return
    const item = {
      ...{ from: '551140000000', to: post.person, id: wamidOf(label, post.n), timestamp: String(Math.floor(takenMs / 1_000)) },
      ...{ type: 'text', text: { body: label } },
    }
    const record: ToldInbound = { label: `${label} echo of ${status}`, number: post.number, takenAtMs: moment.getTime(), tellings: 0 }
    at(world, takenMs + chance.whole(0, 1_500), () => notices.tell({ number: post.number, list: 'message_echoes', item, record }))
  }

  return {
    graphOf: (process, life) => ({ concurrentMax, call: (request) => call(process, life, request), close: async () => {} }),
  }
}

/** The words of a failure that upstream tells by notice. */
const failedDetails = 'told by notice'

/** Opaque to the gateway; another one for each call that was taken, so that a second one would show. */
const wamidOf = (label: string, n: number) => `wamid.OUT-${label}-${n}`
