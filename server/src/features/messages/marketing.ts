import type { Uuid } from '../../base/id.ts'
import type { Queries } from '../../platform/database/database.ts'
import type { ChannelInUse } from '../channels/public.ts'
import type { Contact } from '../contacts/public.ts'
import { optedOutAmong } from '../opt-outs/public.ts'
import { knownCategories, type WantedTemplate } from '../templates/public.ts'
import type { SendFacts } from './rules.ts'
import type { Send } from './send-request.ts'

export type MarketingFacts = Pick<SendFacts, 'optedOut' | 'templateCategory'> & { unread: WantedTemplate | null }

type Asked = Pick<Send, 'accountId' | 'template'>
type Parties = { chosen: readonly (ChannelInUse | null)[]; contacts: readonly (Contact | null)[] }

const free: MarketingFacts = { optedOut: false, templateCategory: null, unread: null }

/**
 * rule: send 9. Whether each send goes to a person who wants no marketing, and then the category of its template, in the order asked. Nothing
 * is read unless a template goes to somebody known, and no category unless that person has opted out.
 */
export async function findMarketing(queries: Queries, now: Date, sends: readonly Asked[], { chosen, contacts }: Parties) {
  const facts: MarketingFacts[] = sends.map(() => free)
  const addressed = sends.flatMap(({ accountId, template }, i) => {
    const contact = contacts[i]
    return template !== null && contact ? [{ i, accountId, contactId: contact.id, template }] : []
  })
  if (addressed.length === 0) return facts
  const optedOut = await optedOutAmong(queries, addressed)
  const refusing = addressed.filter((_each, n) => optedOut[n])
  const wanted = refusing.map((each) => wantedOf(each.accountId, each.template, chosen[each.i] ?? null))
  const categories = await categoriesOf(queries, now, wanted)
  refusing.forEach(({ i, template }, n) => {
    // rule: templates 7. A notice that came since upstream was asked counts.
    const category = categories[n] ?? template.category ?? null
    // What was asked for once and is not known still is not asked for again.
    const unread = category === null && template.category === undefined ? (wanted[n] ?? null) : null
    facts[i] = { optedOut: true, templateCategory: category, unread }
  })
  return facts
}

type Template = NonNullable<Send['template']>

/** Null without a number whose token could read it: then the send is refused for that. */
function wantedOf(accountId: Uuid, { name, language }: Template, channel: ChannelInUse | null): WantedTemplate | null {
  const { wabaId, sealedToken = null } = channel ?? {}
  return wabaId === undefined || sealedToken === null ? null : { accountId, wabaId, sealedToken, name, language }
}

async function categoriesOf(queries: Queries, now: Date, wanted: readonly (WantedTemplate | null)[]): Promise<(string | null)[]> {
  const asked = wanted.filter((each) => each !== null)
  if (asked.length === 0) return wanted.map(() => null)
  const known = await knownCategories(queries, now, asked)
  const categories = new Map(asked.map((each, i) => [each, known[i] ?? null]))
  return wanted.map((each) => (each === null ? null : (categories.get(each) ?? null)))
}
