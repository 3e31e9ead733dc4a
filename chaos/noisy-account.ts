import type { Rows } from './audit.ts'
import { bulkMessagesAre, bulkMessagesSql } from './bulk-messages.ts'

/** An account of the run that makes trouble, with a number of its own; the load sends nothing from it. */
export type NoisyAccount = { accountId: string; channelId: string; liveKey: string; people: readonly string[] }

/** Enough for a list that finds little to read much. */
const messages = 30_000

/** Gives it a history. */
export async function fillNoisyAccount(rows: Rows, { accountUuid, channelUuid }: { accountUuid: string; channelUuid: string }) {
  await rows(bulkMessagesSql, [accountUuid, channelUuid, messages, 0])
}

/** Takes the history away: nobody asked for those messages, and the run is judged by what was asked for. */
export async function forgetHistory(rows: Rows): Promise<void> {
  await rows(`delete from message where ${bulkMessagesAre}`)
}
