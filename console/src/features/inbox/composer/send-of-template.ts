import type { NewSend } from '../pending.ts'

/** A template with its variables filled in, but for whom it goes to. */
export type FilledTemplate = { template: { name: string; language: string; components?: { [field: string]: unknown }[] }; text: string }

/** A filled template as a send. */
export function sendOfTemplate(
  { template, text }: FilledTemplate,
  to: { to: string; channel_id: string },
  replyTo: string | null,
): NewSend {
  const quoted = replyTo === null ? {} : { reply_to: replyTo }
  return { body: { ...to, ...quoted, type: 'template', template }, shown: { text, file: null, replyTo } }
}
