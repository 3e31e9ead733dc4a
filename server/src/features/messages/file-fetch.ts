import type { Uuid } from '../../base/id.ts'
import type { MediaKind } from './message.ts'

/** A file of a message that upstream has and that is to be kept here. */
export type FileFetch = {
  accountId: Uuid
  messageId: Uuid
  channelId: Uuid
  livemode: boolean
  upstreamId: string
  /** Of the bytes, as upstream stated it with the message; null: it did not. */
  sha256: Buffer | null
  mimeType: string | null
  fileName: string | null
  kind: MediaKind
}

/** One that is due, and how often it was tried before. */
/** `isAgain`: it was given up before, told without its file, and is tried again because somebody asked for it. */
export type DueFetch = FileFetch & { shard: number; tries: number; isAgain: boolean }

const secondMs = 1_000

/** Ten tries within an hour, closer at first: most failures are over in seconds, and upstream keeps a file for days. */
const delaysMs = [5, 10, 20, 40, 80, 165, 480, 1_000, 1_800].map((seconds) => seconds * secondMs)

/** rule: receive 9. How long after its failed try, the `tries`-th, a file is tried again; null: it was the last. */
export function fetchDelayMs(tries: number): number | null {
  return delaysMs[tries - 1] ?? null
}

const words = '(The file of this message could not be fetched from the platform.)'

/** What a message says whose file could not be fetched: what it said before, and that. */
export function textWithoutFile(text: string | null): string {
  return text === null ? words : `${text}\n${words}`
}

/** What it says once its file is here after all. */
export function textWithFile(text: string | null): string | null {
  if (text === words) return null
  return text?.endsWith(`\n${words}`) ? text.slice(0, -words.length - 1) : text
}
