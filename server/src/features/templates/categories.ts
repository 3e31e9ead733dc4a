import type { Clock } from '../../base/clock.ts'
import { openedOrNull, type SecretKey, unseal } from '../../base/seal.ts'
import type { Database, Queries } from '../../platform/database/database.ts'
import type { Graph } from '../../platform/upstream/graph.ts'
import { findTemplates } from '../../platform/upstream/templates.ts'
import { categoryKnown, categoryNow, isInDoubt } from './rules.ts'
import { type Read, shareReads } from './shared-reads.ts'
import { findSeenTemplates, keyOf, rememberTemplates } from './store.ts'
import type { TemplateKey, WantedTemplate } from './template.ts'

/** The category of each, in the order asked, where what upstream told is clear and not older than a day; null: it must be read. Only SQL. */
export async function knownCategories(queries: Queries, now: Date, wanted: readonly TemplateKey[]): Promise<(string | null)[]> {
  return (await findSeenTemplates(queries, wanted)).map((seen) => (seen === null ? null : categoryNow(seen, now)))
}

/** Reads categories from upstream, in the order asked; null: there is no such template, or it cannot be read. Never in a transaction. */
export type CategoryReader = (wanted: readonly WantedTemplate[]) => Promise<(string | null)[]>

type Deps = { database: Database; clock: Clock; graph: Graph; secretKey: SecretKey }

/** For one call, whatever it asks for: somebody waits for the answer to a send. */
const readMsMax = 4_000
const atOnceMax = 8
/** A caller who names what is not there asks upstream, whose calls are counted, only so often; one that is away is tried sooner. */
const missingMsMin = 60_000
const awayMsMin = 5_000
const doubtfulMsMin = 1_000

/**
 * A reader that shares its calls: what is being read is read once, and what could not be read is not tried again at once. Where upstream
 * does not tell, what it told earlier still counts, however old (rule: templates 6).
 */
export function createCategoryReader(deps: Deps): CategoryReader {
  const read = shareReads(deps.clock, keyOf, (wanted: WantedTemplate, endsAtMs) => readCategory(deps, wanted, endsAtMs))
  return async (wanted) => {
    const endsAtMs = deps.clock.monotonicMs() + readMsMax
    const categories: (string | null)[] = []
    for (let i = 0; i < wanted.length; i += atOnceMax) {
      categories.push(...(await Promise.all(wanted.slice(i, i + atOnceMax).map((each) => read(each, endsAtMs)))))
    }
    return categories
  }
}

async function readCategory(deps: Deps, wanted: WantedTemplate, endsAtMs: number): Promise<Read<string | null>> {
  const at = deps.clock.now()
  const token = openedOrNull((sealed) => unseal(deps.secretKey, sealed), wanted.sealedToken)
  if (token === null) return seenBefore(deps, wanted, awayMsMin)
  const call = { token, wabaId: wanted.wabaId, name: wanted.name, language: wanted.language }
  const found = await findTemplates(deps, { ...call, deadlineMs: endsAtMs - deps.clock.monotonicMs() })
  if (!found.ok) return seenBefore(deps, wanted, found.refusal.reached ? missingMsMin : awayMsMin)
  const category = found.value[0]?.category ?? null
  if (category === null) return { value: null, goodMs: missingMsMin }
  await rememberTemplates(deps.database, [{ ...wanted, category, at }])
  // rule: templates 7. A notice may have come meanwhile, or stand beside it.
  const [seen = null] = await findSeenTemplates(deps.database, [wanted])
  const isDoubtful = seen !== null && isInDoubt(seen)
  const value = (seen === null ? null : categoryNow(seen, deps.clock.now())) ?? category
  // The database has it now, and needs no other memory. Of what is in doubt for a minute not each send asks.
  return { value, goodMs: isDoubtful ? doubtfulMsMin : 0 }
}

async function seenBefore({ database }: Deps, wanted: WantedTemplate, goodMs: number): Promise<Read<string | null>> {
  const [seen] = await findSeenTemplates(database, [wanted])
  return { value: seen ? categoryKnown(seen) : null, goodMs }
}
