import type { Email } from '../../base/email.ts'
import type { Uuid } from '../../base/id.ts'
import { limits } from '../../limits.ts'
import { networkOf } from './network-of.ts'
import type { RateWindow, Windows } from './rate-window.ts'

/** Where somebody calls from. `sharesAddress`: a proxy that we were not told of stands before everybody who has this address. */
export type From = { readonly ip: string; readonly sharesAddress?: boolean }

/** An attempt that was counted. `giveBack` makes it count as none, which is what one that succeeded is. */
export type Attempt = { window: RateWindow; giveBack(): void }

type MaybeLater<Value> = Value | Promise<Value>

/**
 * Counts what strangers try, so that guessing is bounded and its owner is not locked out: an attempt is counted before it is made, and
 * given back when it succeeds.
 */
export type Attempts = {
  /** Any call of a route that is open to anybody. */
  takeOpenCall(from: From): MaybeLater<RateWindow>
  /** A password. `device`: one on which this person has signed in before; it has tries of its own, that nobody else can use up. */
  takePassword(given: { email: Email; from: From; device: string | null }): Promise<Attempt>
  /** A secret that nobody can guess, such as the token of a link, with what comes with it. */
  takeProof(proof: string, from: From): Promise<Attempt>
  /** Something that one who has signed in must show once more. */
  takeOfPerson(userId: Uuid): Promise<Attempt>
  /** A mail with a link that somebody asks for. `device`: as for a password. */
  takeLinkMail(given: { email: Email; from: From; device: string | null }): Promise<Attempt>
  /** A mail with an invitation. */
  takeInvitationMail(email: Email, accountId: Uuid): Promise<Attempt>
}

/** Makes the windows of one limit; `name` tells it from others in a store that processes share. */
export type MakeWindows = (name: string, max: number, windowMs: number) => Windows

/** Everybody behind a proxy that we were not told of has one address: that many of them share it. */
const sharersMax = 20
const minuteMs = limits.rateWindowMs
const hourMs = 60 * minuteMs

export function createAttempts(windows: MakeWindows): Attempts {
  const ofNetworks = (name: string, max: number, windowMs: number) => {
    const own = windows(name, max, windowMs)
    const shared = windows(`${name}_shared`, max * sharersMax, windowMs)
    return (from: From): Counted => [from.sharesAddress ? shared : own, networkOf(from.ip)]
  }
  const openCalls = ofNetworks('open_call', limits.openCallsMax, minuteMs)
  const signIns = ofNetworks('sign_in_address', limits.signInsPerAddressMax, minuteMs)
  const ofEmailHere = windows('sign_in', limits.signInsPerEmailMax, minuteMs)
  const ofEmail = windows('sign_in_email', limits.signInsPerEmailFromAnywhereMax, minuteMs)
  const ofDevice = windows('sign_in_device', limits.signInsPerEmailMax, minuteMs)
  const ofProof = windows('sign_in_proof', limits.signInsPerEmailMax, minuteMs)
  const ofPerson = windows('sign_in_person', limits.signInsPerEmailMax, minuteMs)
  const links = ofNetworks('link_mail_address', limits.linkMailsPerAddressMax, hourMs)
  const linksToEmailHere = windows('link_mail_network', limits.linkMailsPerEmailMax, hourMs)
  const linksToEmail = windows('link_mail', limits.linkMailsPerEmailFromAnywhereMax, hourMs)
  const linksToDevice = windows('link_mail_device', limits.linkMailsPerEmailMax, hourMs)
  const invitationsOf = windows('invitation_mail_account', limits.invitationMailsPerAccountMax, hourMs)
  const invitationsOfTo = windows('invitation_mail_account_to', limits.invitationMailsPerEmailMax, hourMs)
  const invitationsTo = windows('invitation_mail', limits.invitationMailsPerEmailFromAnywhereMax, hourMs)
  return {
    takeOpenCall(from) {
      const [window, key] = openCalls(from)
      return window(key)
    },
    takePassword({ email, from, device }) {
      if (device !== null) return take([[ofDevice, `${device} ${email}`]])
      return take([signIns(from), [ofEmailHere, `${networkOf(from.ip)} ${email}`], [ofEmail, email]])
    },
    takeProof: (proof, from) => take([signIns(from), [ofProof, proof]]),
    takeOfPerson: (userId) => take([[ofPerson, userId]]),
    takeLinkMail({ email, from, device }) {
      if (device !== null) return take([[linksToDevice, `${device} ${email}`]])
      return take([links(from), [linksToEmailHere, `${networkOf(from.ip)} ${email}`], [linksToEmail, email]])
    },
    takeInvitationMail: (email, accountId) =>
      take([
        [invitationsOf, accountId],
        [invitationsOfTo, `${accountId} ${email}`],
        [invitationsTo, email],
      ]),
  }
}

type Counted = readonly [Windows, string]

/**
 * Counts in one after the other; the tightest is the answer. What one of them refuses counts in none before it: tries for one mailbox must not
 * use up what its whole network has.
 */
async function take(all: readonly [Counted, ...Counted[]]): Promise<Attempt> {
  const taken: Counted[] = []
  const giveBackAll = () => {
    for (const [windows, key] of taken.splice(0)) windows.giveBack(key)
  }
  let tightest: RateWindow | null = null
  for (const [windows, key] of all) {
    const window = await windows(key)
    if (tightest === null || !window.admitted || window.remaining < tightest.remaining) tightest = window
    if (!window.admitted) {
      giveBackAll()
      break
    }
    taken.push([windows, key])
  }
  return { window: tightest as RateWindow, giveBack: giveBackAll }
}
