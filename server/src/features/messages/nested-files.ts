import { formatId, parseId, type Uuid } from '../../base/id.ts'
import { isObject, type Json, type JsonObject } from '../../base/json.ts'
import { because, invalidField, type Refusal } from '../../base/refusal.ts'
import { ok, type Result, refused } from '../../base/result.ts'
import { limits } from '../../limits.ts'
import { type Media, parseMediaReference } from '../media/public.ts'
import { isMediaKind } from './kinds.ts'
import type { MediaKind } from './message.ts'
import { exactlyOne, type NamedFile } from './read-file.ts'

/** A file of ours inside a template or an interactive message: in a header, a card, or a parameter. */
export type NestedFile = { kind: MediaKind; field: string; named: NamedFile | null }

type Visit = (kind: MediaKind, file: JsonObject, field: string) => Json

/** What a flow hands to its own program: nothing of it is for the platform. */
const flowData = new Set(['flow_action_payload', 'flow_action_data'])

/** The content with each of its files, as `{"type": "image", "image": {…}}` has one, replaced by what `visit` returns. */
function mapFiles(value: Json, field: string, visit: Visit): Json {
  if (Array.isArray(value)) return value.map((each, i) => mapFiles(each, `${field}[${i}]`, visit))
  if (!isObject(value)) return value
  const kind = String(value.type).toLowerCase()
  const fields = Object.entries(value).map(([key, each]): [string, Json] => {
    const at = `${field}.${key}`
    if (key === kind && isMediaKind(kind) && isObject(each)) return [key, visit(kind, each, at)]
    return [key, flowData.has(key) ? each : mapFiles(each, at, visit)]
  })
  return Object.fromEntries(fields)
}

/** rule: send 10. The files of ours that a content names, by link or id, where it is of a kind that has files inside. Pure. */
export function readNestedFiles(
  kind: string,
  content: Json | undefined,
  ourAddresses: readonly string[],
): Result<readonly NestedFile[], Refusal> {
  const found: NestedFile[] = []
  let wrong: Refusal | null = null
  if (hasFilesInside(kind) && content !== undefined)
    mapFiles(content, kind, (fileKind, file, field) => {
      const ours = oursOf(file, ourAddresses)
      if (ours === null) return file
      if (typeof file.link === 'string' && file.id !== undefined)
        wrong ??= invalidField(`${field}.id`, because('malformed', `${exactlyOne}, not both.`))
      found.push({ kind: fileKind, field: `${field}.${ours.by}`, named: ours.named })
      return file
    })
  if (found.length > limits.filesInsideMax)
    wrong ??= invalidField(
      kind,
      because('too_many', `At most ${limits.filesInsideMax} uploads may be inside.`, { max: limits.filesInsideMax }),
    )
  return wrong === null ? ok(found) : refused(wrong)
}

const hasFilesInside = (kind: string) => kind === 'template' || kind === 'interactive'

function oursOf({ link, id }: JsonObject, ourAddresses: readonly string[]): { by: 'link' | 'id'; named: NamedFile | null } | null {
  if (typeof link === 'string') {
    const ours = parseMediaReference(link, ourAddresses)
    return ours === null ? null : { by: 'link', named: ours.token === null ? null : { token: ours.token } }
  }
  const mediaId = typeof id === 'string' ? parseId('med', id) : null
  return mediaId === null ? null : { by: 'id', named: { id: mediaId } }
}

/** The content with our own id of each file, by its field: what the queue holds until the send leaves. */
export function withOurIds(kind: string, content: Json, media: ReadonlyMap<string, Media>): Json {
  return mapFiles(content, kind, (fileKind, file, field) => {
    const found = media.get(`${field}.link`) ?? media.get(`${field}.id`)
    if (found === undefined) return file
    const { link: _link, ...rest } = file
    const named = fileKind === 'document' && rest.filename === undefined && found.fileName !== null ? { filename: found.fileName } : {}
    return { ...named, ...rest, id: formatId('med', found.id) }
  })
}

/** Which files of ours a content of the queue has inside, each once. */
export function filesInside(kind: string, content: Json | undefined): Uuid[] {
  const found = new Set<Uuid>()
  if (hasFilesInside(kind) && content !== undefined)
    mapFiles(content, kind, (_kind, file) => {
      const id = typeof file.id === 'string' ? parseId('med', file.id) : null
      if (id !== null) found.add(id)
      return file
    })
  return [...found]
}

/** The content with upstream's ids of its files in place of ours. */
export function withUpstreamIds(kind: string, content: Json, upstreamIds: ReadonlyMap<Uuid, string>): Json {
  return mapFiles(content, kind, (_kind, file) => {
    const id = typeof file.id === 'string' ? parseId('med', file.id) : null
    const upstreamId = id === null ? undefined : upstreamIds.get(id)
    return upstreamId === undefined ? file : { ...file, id: upstreamId }
  })
}
