import type { AlertKind } from './alert.ts'

/** `alert.mailed`: whether an owner was told; false: no mail could be sent, or there is nobody to send it to. */
export type AlertObservation =
  | { kind: 'alert.opened' | 'alert.closed'; accountId: string; trouble: AlertKind; subject: string }
  | { kind: 'alert.mailed'; accountId: string; trouble: AlertKind; mailed: boolean }
