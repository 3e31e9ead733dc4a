import { type Static, Type } from 'typebox'
import { formatId } from '../../base/id.ts'
import { type Alert, type AlertKind, alertKinds } from './alert.ts'

const timeOrNull = (description: string) => Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'date-time', description })
type SubjectType = 'channel' | 'webhook' | 'account'

export const alertSchema = Type.Object({
  id: Type.String(),
  object: Type.Literal('alert'),
  kind: Type.Unsafe<AlertKind>({ type: 'string', enum: alertKinds }),
  subject: Type.Object({
    type: Type.Unsafe<SubjectType>({ type: 'string', enum: ['channel', 'webhook', 'account'] }),
    id: Type.Unsafe<string | null>({ type: ['string', 'null'], description: 'Null: the account itself.' }),
  }),
  opened_at: Type.String({ format: 'date-time' }),
  closed_at: timeOrNull('Null: it is wrong still.'),
  dismissed_at: timeOrNull('When somebody had seen enough of it.'),
  mailed_at: timeOrNull('When the owners were told by mail; null: they were not.'),
})

export type AlertJson = Static<typeof alertSchema>

export function alertJson(alert: Alert): AlertJson {
  const type = alert.subject === '' ? 'account' : alert.subject.startsWith('ch_') ? 'channel' : 'webhook'
  return {
    id: formatId('alr', alert.id),
    object: 'alert',
    kind: alert.kind,
    subject: { type, id: alert.subject === '' ? null : alert.subject },
    opened_at: alert.openedAt.toISOString(),
    closed_at: alert.closedAt?.toISOString() ?? null,
    dismissed_at: alert.dismissedAt?.toISOString() ?? null,
    mailed_at: alert.mailedAt?.toISOString() ?? null,
  }
}
