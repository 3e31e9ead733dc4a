import type { EventKind, MessageEventKind } from './event.ts'

/** What `data` of an event holds: a component of the document by its name, and an example of it. */
export type EventData = { component: string; example: object }

/** The `data` of events that are about no message: the original notice, cut down to the one change that the event tells of. */
export const noticeDataSchema = {
  type: 'object',
  description: 'The notice of the upstream platform, with the one change that the event tells of.',
  required: ['meta'],
  properties: {
    meta: {
      type: 'object',
      description: "The notice, in the upstream platform's own form.",
      required: ['object', 'entry'],
      properties: {
        object: { type: 'string', description: '`whatsapp_business_account`.' },
        entry: {
          type: 'array',
          description: 'The one entry of the change.',
          minItems: 1,
          maxItems: 1,
          items: {
            type: 'object',
            required: ['id', 'changes'],
            properties: {
              id: { type: 'string', description: 'The WhatsApp Business Account.' },
              time: { type: 'integer', description: 'When the upstream platform told it, in seconds since 1970.' },
              changes: {
                type: 'array',
                description: 'The one change.',
                minItems: 1,
                maxItems: 1,
                items: {
                  type: 'object',
                  required: ['field', 'value'],
                  properties: {
                    field: { type: 'string', description: 'What changed, by the name that the platform has for it.' },
                    value: { description: "As upstream wrote it; see the platform's documentation." },
                  },
                },
              },
            },
          },
        },
      },
    },
  },
}

/** Kinds of event that are about no message. */
type NoticeEventKind = Exclude<EventKind, MessageEventKind>

const template = {
  message_template_id: 1500000000000011,
  message_template_name: 'pedido_enviado',
  message_template_language: 'pt_BR',
}

/** The field of the notice that each kind is told for, and a value of it. */
const changes: Readonly<Record<NoticeEventKind, readonly [field: string, value: object]>> = {
  'template.status_updated': [
    'message_template_status_update',
    { event: 'APPROVED', ...template, reason: 'NONE', message_template_category: 'UTILITY' },
  ],
  'template.category_updated': ['template_category_update', { ...template, previous_category: 'UTILITY', new_category: 'MARKETING' }],
  'template.quality_updated': [
    'message_template_quality_update',
    { previous_quality_score: 'GREEN', new_quality_score: 'YELLOW', ...template },
  ],
  'template.components_updated': [
    'message_template_components_update',
    { ...template, message_template_element: 'Olá, {{1}}! O pedido {{2}} saiu para entrega.', message_template_footer: 'Padaria Estrela' },
  ],
  'channel.updated': [
    'phone_number_quality_update',
    { display_phone_number: '551140000000', event: 'THROUGHPUT_UPGRADE', max_daily_conversations_per_business: 'TIER_UNLIMITED' },
  ],
  'contact.marketing_preference_updated': [
    'user_preferences',
    {
      messaging_product: 'whatsapp',
      metadata: { display_phone_number: '551140000000', phone_number_id: '118350927764405' },
      contacts: [{ profile: { name: 'Maria Silva' }, wa_id: '5511987654321' }],
      user_preferences: [
        {
          wa_id: '5511987654321',
          detail: 'User requested to stop marketing messages',
          category: 'marketing_messages',
          value: 'stop',
          timestamp: 1795813901,
        },
      ],
    },
  ],
}

/** What the document says about `data` of such a kind. */
export function noticeEventData(kind: NoticeEventKind): EventData {
  const [field, value] = changes[kind]
  const entry = [{ id: '204817396550128', time: 1795813901, changes: [{ field, value }] }]
  return { component: 'NoticeData', example: { meta: { object: 'whatsapp_business_account', entry } } }
}
