import { type Activity, createActivity } from './activity.ts'
import type { CallRecord } from './calls.ts'
import type { Clock } from './clock.ts'
import { type Courses, createCourses } from './course.ts'
import { createDueQueue, type DueQueue } from './due-queue.ts'
import { createFaultScript, type FaultScript } from './faults.ts'
import { createKept, type Kept } from './kept.ts'
import { createKnownMessages, type KnownMessages } from './known-messages.ts'
import { createMediaStore, type MediaStore } from './media-store.ts'
import { addNumber, type Directory } from './numbers.ts'
import { createOutbox, type Outbox } from './outbox.ts'
import { createRandom, type Random } from './random.ts'
import { createRecorder, type Recorder } from './record.ts'
import { createRegistrations, type Registrations } from './registration.ts'
import type { Behaviour, Settings, SimulatorOptions } from './settings.ts'
import { createTemplateShelf, type TemplateShelf } from './templates.ts'
import { alwaysThere } from './templates-always-there.ts'
import { createPairGate, createThroughputGate, type Gate } from './throughput.ts'
import { createWamidSource, type WamidSource } from './wamid.ts'

/** Everything that a running simulator is made of, apart from its HTTP faces. */
export type World = {
  clock: Clock
  random: Random
  due: DueQueue
  activity: Activity
  recorder: Recorder
  outbox: Outbox
  courses: Courses
  directory: Directory
  registrations: Registrations
  templates: TemplateShelf
  faults: FaultScript
  media: MediaStore
  messages: KnownMessages
  /** Where the links of files point; null for the address that the caller used. Read at each use. */
  mediaBaseUrl: () => string | null
  /** Where the simulator listens. */
  ownUrl: () => string
  /** Calls that were no sends, newest kept. */
  calls: Kept<CallRecord>
  wamids: WamidSource
  throughput: Gate & { count(key: string): void }
  pairs: Gate | null
  /** Changed in place by commands; read at each use. */
  behaviour: { current: Behaviour }
  /** Changed by a command, for a callback whose address is known only after the start. */
  callback: { url: string | null; appSecret: string; verifyToken: string }
}

const CALLS_CHARACTERS_MAX = 16 * 1024 * 1024

/** Builds a world in order; nothing is under way yet. */
export function createWorld(settings: Settings, options: SimulatorOptions, ownUrl: () => string): World {
  const { clock, callbackUrl, appSecret, verifyToken } = settings
  const behaviour = { current: settings.behaviour }
  const random = createRandom(settings.seed)
  const directory: Directory = { numbers: new Map(), wabas: new Map() }
  for (const number of options.numbers ?? []) addNumber(directory, number)
  const due = createDueQueue(clock)
  const activity = createActivity()
  const recorder = createRecorder(clock, settings.recordMax, settings.historyFile)
  const batchMax = () => behaviour.current.noticeBatchMax
  const callback = callbackUrl === null ? null : { url: callbackUrl, appSecret }
  const outbox = createOutbox({ clock, due, activity, recorder, limits: settings.outboxLimits, batchMax }, callback)
  const wamids = createWamidSource(random)
  const throughput = createThroughputGate(clock, (id) => perSecondOf(directory, id, settings.throughputPerSecond))
  const messages = createKnownMessages(settings.recordMax)
  const courses = createCourses({ messages, clock, random, due, activity, outbox, directory, wamids, throughput, behaviour })
  const faults = createFaultScript(random)
  faults.add(options.faults ?? [])
  return {
    clock,
    random,
    due,
    activity,
    recorder,
    outbox,
    courses,
    directory,
    registrations: createRegistrations(clock),
    // A generator of its own: what else a run draws stays what it was.
    templates: createTemplateShelf(createRandom(settings.seed + 1), [...alwaysThere, ...(options.templates ?? [])]),
    faults,
    media: createMediaStore({ clock, random }, settings.mediaBytesMax),
    messages,
    ownUrl,
    mediaBaseUrl: () => settings.mediaBaseUrl,
    calls: createKept({ max: settings.recordMax, charactersMax: CALLS_CHARACTERS_MAX }, (call: CallRecord) => call.path.length),
    wamids,
    throughput,
    pairs: settings.pairLimit === null ? null : createPairGate(clock, settings.pairLimit),
    behaviour,
    callback: { url: callbackUrl, appSecret, verifyToken },
  }
}

/** The platform lets a number that also lives in the Business app send 20 messages a second, whatever its level. */
const BUSINESS_APP_PER_SECOND = 20

function perSecondOf(directory: Directory, phoneNumberId: string, usual: number): number {
  const number = directory.numbers.get(phoneNumberId)
  return number?.throughputPerSecond ?? (number?.isOnBizApp === true ? Math.min(usual, BUSINESS_APP_PER_SECOND) : usual)
}
