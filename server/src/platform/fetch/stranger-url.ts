import { isIP } from 'node:net'
import { ok, type Result, refused } from '../../base/result.ts'
import { type BlockedAddress, blockedAddress } from './blocked-address.ts'
import type { StrangerPolicy } from './stranger-policy.ts'

/** The longest URL that a customer may give, in characters. */
const urlCharactersMax = 2048

/**
 * The parsed URL if we may call it, else a sentence for the customer. Pure: names are not resolved here, so a name passes that may be refused when
 * it is called. The sentence is the same for every forbidden address.
 */
export function checkStrangerUrl(text: string, policy: StrangerPolicy): Result<URL, string> {
  return checkUrl(text, { policy, blocked: blockedAddress(policy) })
}

/** What `checkStrangerUrl` does, for callers that keep the prepared list of ranges. */
export function checkUrl(text: string, rules: UrlRules): Result<URL, string> {
  if (text.length > urlCharactersMax) return refused(`must not be longer than ${urlCharactersMax} characters`)
  // The parser drops tabs and newlines without a word, so what we show would not be what we call.
  if (/[\s\p{Cc}]/u.test(text)) return refused('must not contain spaces or control characters')
  // Parsed before anything is judged: octal, hexadecimal, short and percent-encoded IPv4 come out in dotted form.
  const url = URL.parse(text)
  if (url === null) return refused('is not a valid URL')
  const refusal = refusalFor(url, rules)
  return refusal === null ? ok(url) : refused(refusal)
}

/** The port that a URL means, 443 or 80 where it names none. */
export function portOf(url: URL): number {
  return url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port)
}

/** The host without the brackets that a URL puts round IPv6. */
export function hostOf(url: URL): string {
  return url.hostname.startsWith('[') ? url.hostname.slice(1, -1) : url.hostname
}

type UrlRules = { policy: StrangerPolicy; blocked: BlockedAddress }

const FORBIDDEN_ADDRESS = 'must not point to a private or reserved address'

function refusalFor(url: URL, { policy, blocked }: UrlRules): string | null {
  if (url.protocol !== 'https:' && !(policy.allowPrivate && url.protocol === 'http:')) return 'must be an https URL'
  if (url.username !== '' || url.password !== '') return 'must not contain a user name or a password'
  const port = portOf(url)
  if (port === 0 || !(policy.allowPrivate || port === 443 || port >= 1024)) return 'must use port 443, 8443 or one from 1024 on'
  return hostRefusal(hostOf(url), port, { policy, blocked })
}

function hostRefusal(host: string, port: number, { policy, blocked }: UrlRules): string | null {
  if (policy.ownEndpoints.some((own) => own.port === port && own.host.toLowerCase() === host)) return FORBIDDEN_ADDRESS
  if (isIP(host) !== 0) return blocked(host) ? FORBIDDEN_ADDRESS : null
  const name = host.replace(/\.+$/, '')
  // Known without DNS (RFC 6761), so the customer learns it at once. All other names are judged by what they resolve to.
  if ((name === 'localhost' || name.endsWith('.localhost')) && blocked('127.0.0.1')) return FORBIDDEN_ADDRESS
  // An absolute name would be asked for with its dot in the TLS handshake, which servers refuse.
  if (host !== name || host === '' || host.includes('..')) return 'must name a host that does not end in a dot'
  return null
}
