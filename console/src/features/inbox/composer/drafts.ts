import { useCallback, useMemo, useSyncExternalStore } from 'react'
import type { ApiError } from '../../../api/client.ts'
import type { Media } from '../../../api/generated/operations.ts'
import { dropKept, keep, namesKept, onForget, readKept } from '../../../api/kept.ts'
import { type Place, usePlace } from '../place.ts'

/** A file of a draft: on its way, uploaded, or refused. */
export type DraftFile = {
  id: string
  name: string
  caption: string
  /** What the browser takes it for, until the gateway has looked. */
  mimeType: string
  /** What of it has left, from 0 to 1. */
  progress: number
  media: Media | null
  error: ApiError | null
}

/** What was written in a conversation and not sent. */
export type Draft = { text: string; note: string; isNote: boolean; files: readonly DraftFile[]; changedAt: number }

const empty: Draft = { text: '', note: '', isNote: false, files: [], changedAt: 0 }
/** So many conversations keep a draft over a reload; the oldest goes first. */
const keptMax = 50

const drafts = new Map<string, Draft>()
const watchers = new Set<() => void>()

onForget(() => {
  drafts.clear()
  tell()
})

/** The draft of a conversation, and how to change it. Changes are there at once: a second click finds what the first one left. */
export function useDraft(conversationId: string): [Draft, DraftHandle] {
  const place = usePlace()
  const name = nameOf(place, conversationId)
  const draft = useSyncExternalStore(
    watch,
    useCallback(() => draftAt(name), [name]),
  )
  const handle = useMemo(() => handleOf(name), [name])
  return [draft, handle]
}

export type DraftHandle = {
  now(): Draft
  change(what: Partial<Draft>): void
  changeFile(id: string, what: Partial<DraftFile>): void
}

function handleOf(name: string): DraftHandle {
  const change = (what: Partial<Draft>) => put(name, { ...draftAt(name), ...what, changedAt: Date.now() })
  return {
    now: () => draftAt(name),
    change,
    changeFile: (id, what) => change({ files: draftAt(name).files.map((each) => (each.id === id ? { ...each, ...what } : each)) }),
  }
}

const beginningOf = ({ userId, accountId, mode }: Place) => `draft ${userId} ${accountId} ${mode} `
const nameOf = (place: Place, conversationId: string) => beginningOf(place) + conversationId

function draftAt(name: string): Draft {
  const known = drafts.get(name)
  if (known !== undefined) return known
  const kept = { ...empty, ...readKept<Draft>(name) }
  drafts.set(name, kept)
  return kept
}

function put(name: string, draft: Draft): void {
  drafts.set(name, draft)
  // What is on its way, or refused, is only in this page.
  const files = draft.files.filter((each) => each.media !== null)
  if (draft.text === '' && draft.note === '' && files.length === 0) dropKept(name)
  else {
    keep(name, { ...draft, files })
    dropOldest(name)
  }
  tell()
}

/** Of all that this browser keeps, also of other accounts. */
function dropOldest(written: string): void {
  const names = namesKept('draft ')
  if (names.length <= keptMax) return
  const ages = names.map((name) => ({ name, changedAt: readKept<Draft>(name)?.changedAt ?? 0 }))
  const oldest = ages.filter(({ name }) => name !== written).toSorted((one, other) => one.changedAt - other.changedAt)
  for (const { name } of oldest.slice(0, names.length - keptMax)) dropKept(name)
}

function watch(watcher: () => void): () => void {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}

function tell(): void {
  for (const watcher of watchers) watcher()
}
