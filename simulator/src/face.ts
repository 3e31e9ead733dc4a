import type { FastifyInstance } from 'fastify'
import type { PostResult } from './callback-target.ts'
import type { CallRecord } from './calls.ts'
import { changeTemplate } from './change-template.ts'
import type { FaultRule } from './faults.ts'
import { type HandshakeResult, shakeHands } from './handshake.ts'
import { type InboundInput, type InboundResult, sendInbound } from './inbound.ts'
import { type MediaInput, mediaUrl, putMedia } from './media-commands.ts'
import type { MediaFile } from './media-store.ts'
import { addNumber, type NumberDetails, type NumberOptions, type NumberState } from './numbers.ts'
import type { PostOptions, Undelivered } from './outbox.ts'
import { type Replacements, rememberMessages, withReplacements } from './raw-notice.ts'
import type { NoticeRecord, SendRecord } from './record.ts'
import { type ReactionRecord, type ReadRecord, reactionsAmong, readsAmong } from './send-views.ts'
import { type Behaviour, behaviourWith } from './settings.ts'
import { postStatus, type StatusInput } from './status-command.ts'
import type { Template, TemplateChange, TemplateOptions } from './templates.ts'
import type { WabaState } from './waba-fields.ts'
import type { World } from './world.ts'

const WAIT_MS = 10_000

/** A running simulator. Whatever is offered here is offered over HTTP too, under `/_sim`. */
export type Simulator = {
  /** Where it listens, without a path: `http://127.0.0.1:PORT`. */
  readonly url: string
  /** What a run must be given to repeat this one. */
  readonly seed: number
  /** Every attempt to send that is still kept, oldest first: accepted, refused, faulted, and read receipts. Made anew at each use. */
  readonly sends: readonly SendRecord[]
  /** Only the accepted ones. */
  readonly accepted: readonly SendRecord[]
  /** The messages that were marked as read, oldest first. */
  readonly reads: readonly ReadRecord[]
  /** The accepted reactions, oldest first. */
  readonly reactions: readonly ReactionRecord[]
  /** The attempts numbered above `sequence`, at most `limit`. */
  sendsAfter(sequence: number, limit?: number): SendRecord[]
  /** Every try to hand over a notice that is still kept, oldest first. */
  readonly notices: readonly NoticeRecord[]
  /** Notices that were given up, or could not be sent at all. */
  readonly undelivered: readonly Undelivered[]
  /** Every call that was no send and is still kept, oldest first: files, numbers, WABAs, templates. */
  readonly calls: readonly CallRecord[]
  /** Every file that is held, uploaded and inbound, oldest first. */
  readonly media: readonly MediaFile[]
  /** Puts a file that a person is going to send, so that a notice can name it. Throws for a number that is not there. */
  putMedia(input: MediaInput): MediaFile
  /** A fresh link to a file, as a notice carries it. Throws for a file that is not there. */
  mediaUrl(id: string): string
  /** Lets the links to a file that were given out so far die; its id goes on working. */
  expireMediaUrls(id: string): void
  /** Lets the id of a file die, and its links with it. */
  expireMedia(id: string): void
  /** Makes a person write to a number, or do anything else that a notice tells of. Rejects for a number or a file that is not there. */
  inbound(input: InboundInput): Promise<InboundResult>
  /** Posts a status of an accepted message beside its usual course. Rejects for a message that was not accepted. */
  status(input: StatusInput): Promise<PostResult>
  /**
   * Signs and posts any body, `times` times; a text goes as it is but for the escapes. `replace` gives other values for some of its texts and
   * numbers, such as ids. Results are of first attempts.
   */
  postNotice(body: unknown, options?: PostOptions & { times?: number; replace?: Replacements }): Promise<PostResult[]>
  addFaults(...rules: readonly FaultRule[]): void
  clearFaults(): void
  /** The rules that can still hit. */
  faultsLeft(): FaultRule[]
  change(changes: Partial<Behaviour>): void
  /** Sends the statuses that were held back; says how many. The hold itself stays until it is changed. */
  releaseStatuses(order?: Behaviour['statusOrder']): Promise<number>
  handshake(verifyToken?: string): Promise<HandshakeResult>
  /** Sets where notices go from now on, those that wait included. */
  setCallback(callback: { url: string; appSecret?: string; verifyToken?: string }): void
  addNumber(options: NumberOptions): NumberState
  /** Changes the state of a number; `subscribed` that of its whole WABA. Throws for a number that is not there. */
  changeNumber(phoneNumberId: string, changes: Partial<NumberDetails & { token: string }>): NumberState
  /** Puts a template into a WABA, without a review; one with the same name and language is replaced. */
  addTemplate(wabaId: string, options: TemplateOptions): Template
  /** Changes a template and posts the platform's notices of it. Throws for an id that is not there. */
  changeTemplate(id: string, change: TemplateChange): Template
  /** Those of a WABA, oldest first. */
  templates(wabaId: string): readonly Template[]
  /** Changes the state of a WABA. Throws for one that is not there. */
  changeWaba(wabaId: string, changes: Partial<WabaState>): WabaState
  /** Resolves when no status and no notice is under way; rejects after `timeoutMs` (10 s). Held statuses are not under way. */
  settled(timeoutMs?: number): Promise<void>
  /** Resolves when so many sends were accepted since the start; rejects after `timeoutMs` (10 s). */
  waitForAccepted(count: number, timeoutMs?: number): Promise<void>
  /** Ends everything at once; what is under way is dropped. */
  close(): Promise<void>
}

/** The simulator as its users see it, over a world that is already at work. */
export function faceOf(world: World, seed: number, app: FastifyInstance): Simulator {
  const { recorder, outbox, courses, faults, activity, behaviour } = world
  const everything = Number.MAX_SAFE_INTEGER
  return {
    get url() {
      return world.ownUrl()
    },
    seed,
    get sends() {
      return recorder.sendsAfter(0, everything)
    },
    get accepted() {
      return recorder.sendsAfter(0, everything).filter((send) => send.outcome === 'accepted')
    },
    get reads() {
      return readsAmong(recorder.sendsAfter(0, everything))
    },
    get reactions() {
      return reactionsAmong(recorder.sendsAfter(0, everything))
    },
    sendsAfter: (sequence, limit = everything) => recorder.sendsAfter(sequence, limit),
    get notices() {
      return recorder.noticesAfter(0, everything)
    },
    get undelivered() {
      return outbox.undelivered()
    },
    get calls() {
      return world.calls.after(0, everything)
    },
    get media() {
      return world.media.all()
    },
    putMedia: (input) => putMedia(world, input),
    mediaUrl: (id) => mediaUrl(world, id),
    expireMediaUrls: (id) => world.media.expireLinks(id),
    expireMedia: (id) => world.media.expire(id),
    inbound: async (input) => {
      const result = await sendInbound(world, input)
      if (result === null) throw new Error('The simulator has no such number.')
      return result
    },
    status: async (input) => {
      const result = await postStatus(world, input)
      if (result === null) throw new Error('The simulator has accepted no such message.')
      return result
    },
    postNotice: (body, { times = 1, replace = {}, ...post } = {}) => {
      const text = withReplacements(typeof body === 'string' ? body : JSON.stringify(body), replace)
      rememberMessages(world.messages, text, world.clock.nowMs())
      // A wrong signature will not become right: repeating it would only keep the run from settling.
      const repeat = post.repeat ?? (post.signature ?? 'right') === 'right'
      return Promise.all(Array.from({ length: times }, () => outbox.enqueueText(text, { ...post, repeat })))
    },
    addFaults: (...rules) => faults.add(rules),
    clearFaults: faults.clear,
    faultsLeft: faults.left,
    change: (changes) => {
      behaviour.current = behaviourWith(behaviour.current, changes)
    },
    releaseStatuses: (order = 'in-order') => courses.release(order),
    handshake: (verifyToken) => shakeHands(world, verifyToken),
    setCallback: ({ url, appSecret, verifyToken }) => {
      const { callback } = world
      Object.assign(callback, { url, appSecret: appSecret ?? callback.appSecret, verifyToken: verifyToken ?? callback.verifyToken })
      outbox.setCallback({ url, appSecret: callback.appSecret })
    },
    addNumber: (options) => addNumber(world.directory, options),
    changeNumber: (phoneNumberId, changes) => changeNumber(world, phoneNumberId, changes),
    addTemplate: (wabaId, template) => world.templates.add(wabaId, template),
    changeTemplate: (id, change) => {
      const changed = changeTemplate(world, id, change)
      if (changed === null) throw new Error('The simulator has no such template.')
      return changed
    },
    templates: (wabaId) => world.templates.ofWaba(wabaId),
    changeWaba: (wabaId, changes) => changeWaba(world, wabaId, changes),
    settled: (timeoutMs = WAIT_MS) => activity.settled(timeoutMs),
    waitForAccepted: (count, timeoutMs = WAIT_MS) => recorder.waitForAccepted(count, timeoutMs),
    close: () => closeAll(world, app),
  }
}

function changeNumber(world: World, phoneNumberId: string, changes: Partial<NumberDetails & { token: string }>): NumberState {
  const number = world.directory.numbers.get(phoneNumberId)
  if (number === undefined) throw new Error('The simulator has no such number.')
  Object.assign(number, changes)
  if (changes.subscribed !== undefined) changeWaba(world, number.wabaId, { subscribed: changes.subscribed })
  return number
}

function changeWaba(world: World, wabaId: string, changes: Partial<WabaState>): WabaState {
  const waba = world.directory.wabas.get(wabaId)
  if (waba === undefined) throw new Error('The simulator has no such WABA.')
  const changed = { ...waba, ...changes }
  world.directory.wabas.set(wabaId, changed)
  return changed
}

async function closeAll(world: World, app: FastifyInstance): Promise<void> {
  world.due.close()
  world.activity.close()
  await world.outbox.close()
  await app.close()
  world.recorder.close()
}
