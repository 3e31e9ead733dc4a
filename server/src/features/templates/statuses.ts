import type { Clock } from '../../base/clock.ts'
import { ok, type Result, refused } from '../../base/result.ts'
import { openedOrNull, type SecretKey, unseal } from '../../base/seal.ts'
import type { Graph } from '../../platform/upstream/graph.ts'
import type { UpstreamFailure } from '../../platform/upstream/manage.ts'
import { findTemplates } from '../../platform/upstream/templates.ts'
import { shareReads } from './shared-reads.ts'
import { keyOf } from './store.ts'
import type { WantedTemplate } from './template.ts'

/** The status of a template as upstream has it; null: there is none of this name in this language. Never in a transaction. */
export type StatusReader = (wanted: WantedTemplate) => Promise<Result<string | null, UpstreamFailure>>

/** The same as for a call to upstream: nobody waits for the answer of a test message. */
const readMsMax = 30_000
/** Test messages may come in hundreds, and upstream counts the calls. */
const goodMs = 10_000
const awayMs = 1_000
const noToken: UpstreamFailure = { reached: false, code: null, message: 'The number has no token that can be used.' }

/** A reader for test messages, which are sent nowhere but fail as they would live when their template is not approved. It shares its calls. */
export function createStatusReader(deps: { clock: Clock; graph: Graph; secretKey: SecretKey }): StatusReader {
  const read = shareReads(deps.clock, keyOf, async ({ sealedToken, wabaId, name, language }: WantedTemplate, endsAtMs) => {
    const token = openedOrNull((sealed) => unseal(deps.secretKey, sealed), sealedToken)
    if (token === null) return { value: refused(noToken), goodMs: awayMs }
    const call = { token, wabaId, name, language }
    const found = await findTemplates(deps, { ...call, deadlineMs: endsAtMs - deps.clock.monotonicMs() })
    const value: Result<string | null, UpstreamFailure> = found.ok ? ok(found.value[0]?.status ?? null) : found
    return { value, goodMs: found.ok ? goodMs : awayMs }
  })
  return (wanted) => read(wanted, deps.clock.monotonicMs() + readMsMax)
}
