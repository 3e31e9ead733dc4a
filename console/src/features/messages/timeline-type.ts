import type { Answer } from '../../api/client.ts'

export type Timeline = Answer<'GET /account/messages/{id}/timeline'>
export type TimelineEntry = Timeline['entries'][number]
export type EntryOf<Kind extends TimelineEntry['kind']> = Extract<TimelineEntry, { kind: Kind }>
