import type { UpstreamNotice } from '../histories.ts'

/** One status that upstream told of one message, or one message that a person wrote. */
export type ToldStatus = { wamid: string; status: string; seconds: number; opaque: string | null }
export type Told = { statuses: ToldStatus[]; inbound: string[] }

type Body = {
  entry: {
    changes: {
      value: {
        statuses?: { id: string; status: string; timestamp: string; biz_opaque_callback_data?: string }[]
        messages?: { id: string }[]
      }
    }[]
  }[]
}

/** What these notices tell, repeats included. */
export function toldBy(notices: readonly UpstreamNotice[]): Told {
  const told: Told = { statuses: [], inbound: [] }
  for (const notice of notices) {
    const body = JSON.parse(notice.body) as Body
    for (const { value } of body.entry.flatMap((each) => each.changes)) {
      for (const each of value.statuses ?? [])
        told.statuses.push({
          wamid: each.id,
          status: each.status,
          seconds: Number(each.timestamp),
          opaque: each.biz_opaque_callback_data ?? null,
        })
      for (const each of value.messages ?? []) told.inbound.push(each.id)
    }
  }
  return told
}
