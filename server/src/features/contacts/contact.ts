import type { Brand } from '../../base/brand.ts'
import type { Uuid } from '../../base/id.ts'
import { type HomeCountry, parseDialled } from '../../base/national-phone.ts'
import { canonicalPhone, type Digits, lacksCountryCode55, parsePhone } from '../../base/phone.ts'
import { because, type Sentence } from '../../base/refusal.ts'

/** A person as one account and mode knows them (rule: people 3). */
export type Contact = {
  id: Uuid
  /** Canonical digits, or '' for a person of whom only the user id is known. */
  phone: string
  /** What upstream calls the person; sends are addressed to it once it is known. */
  waId: string | null
  userId: string | null
  name: string | null
  /** Of people who turned out to be this one (rule: people 4). What was written under these ids stays there and is this person's. */
  formerIds: readonly Uuid[]
}

/** What is shown of a person and how they are addressed. */
export type Profile = Pick<Contact, 'phone' | 'waId' | 'userId' | 'name'>

/** All ids under which something of this person may be written, today's first. */
export const idsOf = (contact: Pick<Contact, 'id' | 'formerIds'>): readonly Uuid[] => [contact.id, ...contact.formerIds]

/** A name under which a person is known. Two spellings of one phone give the same key. */
export type ContactKey = Brand<string, 'contact key'>

export const phoneKey = (digits: Digits): ContactKey => `p:${canonicalPhone(digits)}` as ContactKey
export const userIdKey = (userId: string): ContactKey => `u:${userId}` as ContactKey
export const isPhoneKey = (key: ContactKey): boolean => key.startsWith('p:')

/** Where a key is: of one account and mode. */
export const placeOf = (of: { accountId: Uuid; livemode: boolean }, key: ContactKey): string => `${of.accountId} ${of.livemode} ${key}`

/** A key that somebody has. */
export type KnownKey = {
  holder: Contact
  /** Its holder has another number or user id by now. */
  isLeft: boolean
  /** Upstream's time of the change that made it so, or that came back to it. */
  changedAt: Date | null
  /** Since when it is this person's, by the time of what showed it; null: it was nobody's before. */
  takenAt: Date | null
}

/** What upstream calls a person; every part may be missing in practice. */
export type PersonNames = {
  waId: Digits | null
  userId: string | null
  /** The user id that a group of businesses shares. Some notices have it. */
  parentUserId?: string | null
}

/** The keys of all these names. Names of nobody have none. */
export function keysOfNames({ waId, userId, parentUserId }: PersonNames): ContactKey[] {
  return [...(waId === null ? [] : [phoneKey(waId)]), ...[userId, parentUserId].flatMap((id) => (id ? [userIdKey(id)] : []))]
}

/** Meta's business-scoped user ids: a country, a dot, up to 128 letters and digits (a parent id has one dot more). */
export const isUserId = (text: string): boolean => /^[A-Z]{2}\.(?:ENT\.)?[A-Za-z0-9]{1,128}$/.test(text)

/** How a person is named to us: by a phone as someone wrote it, or by upstream's user id. */
export type Recipient = { kind: 'phone'; digits: Digits } | { kind: 'user_id'; userId: string }

/**
 * The same as somebody of the team writes it: without a country code it is of the account's country, and a number that its country cannot
 * have is none.
 */
export function recipientOfTeam(text: string, home: HomeCountry | null): Recipient | null {
  const digits = parseDialled(text, home)
  if (digits !== null) return { kind: 'phone', digits }
  return isUserId(text) ? { kind: 'user_id', userId: text } : null
}

/** A phone as people write it, or upstream's user id; null for anything else. */
export function recipientOf(text: string): Recipient | null {
  const digits = parsePhone(text)
  if (digits !== null) return { kind: 'phone', digits }
  return isUserId(text) ? { kind: 'user_id', userId: text } : null
}

/** The same of somebody who is to be reached: null too for a phone without its country code, which would be that of a stranger. */
export const newRecipientOf = (text: string): Recipient | null => (lacksCountryCode55(text) ? null : recipientOf(text))

const withoutZeros = (text: string) => text.replace(/^[\s([]*0+/, '')

/** Why a text names nobody: what is said of it where one of the two above returns null. */
export function recipientWords(text: string): Sentence {
  const form =
    'This must be a phone with country code and without leading zeros: 10 to 15 digits (a +, spaces, hyphens and brackets are passed over).'
  const hint = 'Is the country code 55 missing? A + before the number says that it has its country code.'
  return because('phone_invalid', lacksCountryCode55(withoutZeros(text)) ? `${form} ${hint}` : form)
}

export function keyOf(recipient: Recipient): ContactKey {
  return recipient.kind === 'phone' ? phoneKey(recipient.digits) : userIdKey(recipient.userId)
}
