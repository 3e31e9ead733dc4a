import type { Transporter } from 'nodemailer'

export type Mail = { to: string; subject: string; text: string }

/** Sends a mail. True: a server has taken it. False: it was not sent, because no server is set or because it failed, which is observed. Never throws. */
export type SendMail = (mail: Mail) => Promise<boolean>

/** The recipient and the words never: an error of a mail server may repeat both, so only its code is told. */
export type MailObservation = { kind: 'mail.sent'; ms: number } | { kind: 'mail.failed'; code: string; ms: number }

type Deps = { monotonicMs: () => number; observe: (observation: MailObservation) => void }

const connectMsMax = 5_000
const answerMsMax = 10_000

/** `smtpUrl` null: none is sent. */
export function createMailer({ monotonicMs, observe }: Deps, { smtpUrl, from }: { smtpUrl: string | null; from: string }): SendMail {
  if (smtpUrl === null) return async () => false
  let transport: Promise<Transporter> | null = null
  return async (mail) => {
    const began = monotonicMs()
    try {
      transport ??= openTransport(smtpUrl)
      await (await transport).sendMail({ from, ...mail })
      observe({ kind: 'mail.sent', ms: Math.round(monotonicMs() - began) })
      return true
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
      observe({ kind: 'mail.failed', code, ms: Math.round(monotonicMs() - began) })
      return false
    }
  }
}

/** Loaded with the first mail: most processes send none. */
async function openTransport(smtpUrl: string): Promise<Transporter> {
  const { createTransport } = await import('nodemailer')
  return createTransport({
    url: smtpUrl,
    connectionTimeout: connectMsMax,
    greetingTimeout: connectMsMax,
    dnsTimeout: connectMsMax,
    socketTimeout: answerMsMax,
    disableFileAccess: true,
    disableUrlAccess: true,
  } as Parameters<typeof createTransport>[0])
}
