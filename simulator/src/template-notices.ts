import { componentOf, listOf } from './template-variables.ts'
import type { Template } from './templates.ts'

/** A notice about a template: what it is called in the history, and its body. */
export type TemplateNotice = { label: string; body: string }

/** The notices of a change, one for each thing that is another one now. `atSeconds` is Unix seconds. */
export function templateNotices(before: Template | null, now: Template, atSeconds: number): TemplateNotice[] {
  const notice = (field: string, value: object) => noticeOf(now, { field, value, atSeconds })
  const notices: TemplateNotice[] = []
  if (before?.status !== now.status) notices.push(notice('message_template_status_update', statusOf(now)))
  if (before === null) return notices
  if (before.category !== now.category)
    notices.push(notice('template_category_update', { previous_category: before.category, new_category: now.category }))
  if (before.qualityScore !== now.qualityScore) {
    const scores = { previous_quality_score: before.qualityScore, new_quality_score: now.qualityScore }
    notices.push(notice('message_template_quality_update', scores))
  }
  if (before.components !== now.components) notices.push(notice('message_template_components_update', contentOf(now)))
  return notices
}

function noticeOf(template: Template, told: { field: string; value: object; atSeconds: number }): TemplateNotice {
  const value = {
    // A number here, though everywhere else it is a text.
    message_template_id: Number(template.id),
    message_template_name: template.name,
    message_template_language: template.language,
    ...told.value,
  }
  const entry = { id: template.wabaId, time: told.atSeconds, changes: [{ value, field: told.field }] }
  return {
    label: `${template.name} ${template.language} ${told.field}`,
    body: JSON.stringify({ object: 'whatsapp_business_account', entry: [entry] }),
  }
}

function statusOf(template: Template): object {
  return { event: template.status, reason: template.rejectedReason, message_template_category: template.category }
}

function contentOf({ components }: Template): object {
  const title = componentOf(components, 'HEADER')?.text
  const footer = componentOf(components, 'FOOTER')?.text
  const buttons = listOf(componentOf(components, 'BUTTONS')?.buttons).map((each) => ({
    message_template_button_type: each.type,
    message_template_button_text: each.text,
    ...(each.url === undefined ? {} : { message_template_button_url: each.url }),
    ...(each.phone_number === undefined ? {} : { message_template_button_phone_number: each.phone_number }),
  }))
  return {
    message_template_element: componentOf(components, 'BODY')?.text ?? '',
    ...(title === undefined ? {} : { message_template_title: title }),
    ...(footer === undefined ? {} : { message_template_footer: footer }),
    ...(buttons.length === 0 ? {} : { message_template_buttons: buttons }),
  }
}
