import type { Transporter } from 'nodemailer'
import type { Clock } from '../../base/clock.ts'
import { limits } from '../../limits.ts'
import { createShares, SharesFull } from '../database/shares.ts'
import { isLoopback } from '../http/network-of.ts'
import { createRateWindows } from '../http/rate-window.ts'

/**
 * `by`: whose doing it is. What anybody can ask for, what members do and what the gateway tells by itself have shares of their own,
 * of the mails to one address and of those on their way, so that strangers keep nobody from theirs.
 */
export type Mail = { by: 'anybody' | 'member' | 'alert'; to: string; subject: string; text: string }

/**
 * Sends a mail. True: a server has taken it. False: it was not sent, because no server is set, because too many wait, because this address got
 * as many of this share in the last hour as it may, or because it failed; the last three are observed. Resolves within 40 s and never throws.
 */
export type SendMail = (mail: Mail) => Promise<boolean>

/** The recipient and the words never: an error of a mail server may repeat both, so only its code is told. */
export type MailObservation = { kind: 'mail.sent'; ms: number } | { kind: 'mail.failed'; code: string; ms: number }

type Deps = { clock: Pick<Clock, 'monotonicMs' | 'after' | 'now'>; observe: (observation: MailObservation) => void }

const connectMsMax = 5_000
const answerMsMax = 10_000
/** Of a whole mail: a server that answers a byte now and then would hold it for ever. */
const mailMsMax = 20_000
/** Mails on their way, of all shares together and of each. Of each so many wait, for at most as long again. */
const sendingMax = 4
const sendingOfShareMax = 3
const waitingMax = 50
const waitMsMax = 20_000
const recipientsMax = 100_000
const hourMs = 3_600_000

/** `smtpUrl` null: none is sent. */
export function createMailer({ clock, observe }: Deps, { smtpUrl, from }: { smtpUrl: string | null; from: string }): SendMail {
  if (smtpUrl === null) return async () => false
  const share = createShares({
    clock,
    atOnceMax: sendingMax,
    perKeyMax: sendingOfShareMax,
    waitingPerKeyMax: waitingMax,
    waitMsMax,
  })
  const toOne = createRateWindows({ clock, max: limits.mailsPerRecipientMax, windowMs: hourMs, keysMax: recipientsMax })
  let transport: Promise<Transporter> | null = null
  const handOver = async ({ to, subject, text }: Mail): Promise<string | null> => {
    transport ??= openTransport(smtpUrl)
    const sending = (await transport).sendMail({ from, to, subject, text }).then(() => null, codeOf)
    return within(clock, mailMsMax, sending, 'TOO_LATE')
  }
  const send = async (mail: Mail): Promise<string | null> => {
    if (!toOne(shareOf(mail)).admitted) return 'TOO_MANY_TO_ONE'
    return share(mail.by, () => handOver(mail)).catch((error: unknown) => (error instanceof SharesFull ? 'TOO_MANY_WAIT' : codeOf(error)))
  }
  return async (mail) => {
    const began = clock.monotonicMs()
    const code = await send(mail)
    const ms = Math.round(clock.monotonicMs() - began)
    observe(code === null ? { kind: 'mail.sent', ms } : { kind: 'mail.failed', code, ms })
    return code === null
  }
}

const shareOf = ({ by, to }: Mail): string => `${by} ${to.toLowerCase()}`

const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : 'unknown')

function within<Value>(clock: Pick<Clock, 'after'>, ms: number, work: Promise<Value>, late: Value): Promise<Value> {
  return new Promise((resolve, reject) => {
    const cancel = clock.after(ms, () => resolve(late))
    work.then(resolve, reject).finally(cancel)
  })
}

/** Loaded with the first mail: most processes send none. */
async function openTransport(smtpUrl: string): Promise<Transporter> {
  const { createTransport } = await import('nodemailer')
  const { url, requireTLS } = securityOf(smtpUrl)
  return createTransport({
    url,
    requireTLS,
    connectionTimeout: connectMsMax,
    greetingTimeout: connectMsMax,
    dnsTimeout: connectMsMax,
    socketTimeout: answerMsMax,
    disableFileAccess: true,
    disableUrlAccess: true,
  } as Parameters<typeof createTransport>[0])
}

/** A link in the clear is anybody's on the way: `smtp://` must encrypt, but to this machine, or where `?tls=optional` says otherwise. */
export function securityOf(smtpUrl: string): { url: string; requireTLS: boolean } {
  const url = URL.parse(smtpUrl)
  if (url === null) return { url: smtpUrl, requireTLS: true }
  const isOptional = url.searchParams.get('tls') === 'optional'
  url.searchParams.delete('tls')
  const host = url.hostname.replace(/^\[|\]$/g, '')
  return { url: url.href, requireTLS: url.protocol === 'smtp:' && !isOptional && host !== 'localhost' && !isLoopback(host) }
}
