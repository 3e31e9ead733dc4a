import { randomBytes } from 'node:crypto'
import { type Clock, pause } from '../../base/clock.ts'
import type { Uuid } from '../../base/id.ts'
import { isObject, parseAnyJson } from '../../base/json.ts'
import { parsePhone } from '../../base/phone.ts'
import type { SendOutcome } from '../../platform/upstream/send.ts'
import type { StatusReader } from '../templates/public.ts'
import { languageOf } from './kinds.ts'
import { type TestCourse, testCourse, wordsOfCode } from './test-number.ts'
import { opaqueId, type Upstream, type UpstreamSend } from './upstream.ts'

/** A notice that the simulated upstream will give, in the form in which the real one posts it. */
export type SimulatedNotice = { accountId: Uuid; dueAt: Date; body: Buffer }

type Deps = {
  clock: Clock
  /** Writes notices down durably before it resolves; they are worked through once they are due. */
  notify: (notices: readonly SimulatedNotice[]) => Promise<void>
  /** Templates are really looked up. */
  readStatus: StatusReader
}

/** Between one status and the next, so that a receiver sees them come one by one. */
const gapMs = 100

/**
 * The upstream of test keys: it sends nothing and answers as the real one would, by the number's ending (rule: test 1 to 3).
 * Its notices are written down before it answers, so that they come even after a crash.
 */
export function simulatedUpstream({ clock, notify, readStatus }: Deps): Upstream {
  return {
    concurrentMax: 256,
    async post(send): Promise<SendOutcome> {
      const digits = parsePhone(send.recipient)
      const course = testCourse(digits)
      if (course.kind === 'refused') return { kind: 'refused', code: course.code, message: course.message, statusCode: 400 }
      const wrong = send.kind === 'template' ? await templateOutcome(readStatus, send) : null
      if (wrong !== null) return wrong
      const wamid = `wamid.TEST${randomBytes(18).toString('base64url')}`
      try {
        await notify(noticesOf(course, send, wamid, clock.now()))
        // Long enough for the first notice to be worked through before the answer is known.
        if (course.kind === 'out_of_order') await pause(clock, 2 * gapMs)
      } catch {
        // Nothing was promised yet: the send goes back and is tried again.
        return away('the simulated upstream is away')
      }
      return { kind: 'accepted', wamid, input: send.recipient, waId: digits, userId: null, statusCode: 200 }
    },
  }
}

/** rule: test 4. A template that could not be sent for real fails with the code that upstream would give; null: it can. */
async function templateOutcome(readStatus: StatusReader, { accountId, templatesOf, content }: UpstreamSend): Promise<SendOutcome | null> {
  const words = parseAnyJson(content)
  const template = isObject(words) && isObject(words.template) ? words.template : {}
  const { wabaId, sealedToken } = templatesOf
  if (sealedToken === null) return away('the number is not connected')
  const status = await readStatus({ accountId, wabaId, sealedToken, name: String(template.name), language: languageOf(template) })
  if (!status.ok) return away(status.refusal.message)
  if (status.value === 'APPROVED') return null
  const code = status.value === 'PAUSED' ? 132015 : status.value === 'DISABLED' ? 132016 : 132001
  return { kind: 'refused', code, message: wordsOfCode(code), statusCode: 400 }
}

const away = (message: string): SendOutcome => ({ kind: 'not_accepted', brake: 'lane', code: null, message, statusCode: null })

function noticesOf(course: TestCourse, send: UpstreamSend, wamid: string, now: Date): SimulatedNotice[] {
  return stepsOf(course).map((step, i) => {
    // `delivered` of an out-of-order course is due at once: it overtakes the answer.
    const dueAt = new Date(now.getTime() + (step.kind === 'status' && step.atOnce === true ? 0 : (i + 1) * gapMs))
    const value = step.kind === 'status' ? statusOf(step, send, wamid, dueAt) : answerOf(send, dueAt)
    return { accountId: send.accountId, dueAt, body: Buffer.from(JSON.stringify(envelope(send, value))) }
  })
}

type Step = { kind: 'status'; status: string; atOnce?: boolean; error?: { code: number; message: string } } | { kind: 'answer' }

function stepsOf(course: TestCourse): Step[] {
  const status = (status: string): Step => ({ kind: 'status', status })
  switch (course.kind) {
    case 'stays_sent':
      return [status('sent')]
    case 'stays_delivered':
      return [status('sent'), status('delivered')]
    case 'answered':
      return [status('sent'), status('delivered'), status('read'), { kind: 'answer' }]
    case 'out_of_order':
      return [{ kind: 'status', status: 'delivered', atOnce: true }, status('sent'), status('read')]
    case 'fails_later':
      return [status('sent'), { kind: 'status', status: 'failed', error: course }]
    default:
      return [status('sent'), status('delivered'), status('read')]
  }
}

const seconds = (at: Date) => String(Math.floor(at.getTime() / 1_000))

function statusOf(step: Extract<Step, { kind: 'status' }>, send: UpstreamSend, wamid: string, at: Date) {
  const { error } = step
  return {
    statuses: [
      {
        id: wamid,
        status: step.status,
        timestamp: seconds(at),
        recipient_id: send.recipient,
        biz_opaque_callback_data: opaqueId(send),
        ...(error === undefined
          ? { pricing: { billable: false, pricing_model: 'PMP', type: 'free_customer_service', category: 'service' } }
          : { errors: [{ code: error.code, title: error.message, message: error.message, error_data: { details: error.message } }] }),
      },
    ],
  }
}

function answerOf(send: UpstreamSend, at: Date) {
  return {
    contacts: [{ profile: { name: 'Pessoa de teste' }, wa_id: send.recipient }],
    messages: [
      {
        from: send.recipient,
        id: `wamid.TEST${randomBytes(18).toString('base64url')}`,
        timestamp: seconds(at),
        type: 'text',
        text: { body: 'Obrigado! (resposta de teste)' },
      },
    ],
  }
}

function envelope(send: UpstreamSend, value: object) {
  const metadata = { display_phone_number: '', phone_number_id: send.phoneNumberId }
  return {
    object: 'whatsapp_business_account',
    entry: [{ id: '0', changes: [{ field: 'messages', value: { messaging_product: 'whatsapp', metadata, ...value } }] }],
  }
}
