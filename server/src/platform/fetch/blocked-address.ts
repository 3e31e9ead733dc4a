import { BlockList, isIPv4, isIPv6 } from 'node:net'
import { assert } from '../../base/assert.ts'
import { addressesReached } from './address-reached.ts'
import type { StrangerPolicy } from './stranger-policy.ts'

/** True for an address that must not be reached. */
export type BlockedAddress = (literal: string) => boolean

/**
 * rule: delivery 8. Tells for each IP literal whether it is forbidden under this policy. IPv6 that carries IPv4 is judged by what it carries; text that is not an
 * address counts as forbidden. The object store and our other own endpoints are not judged here (`ownEndpointCheck`).
 */
export function blockedAddress(policy: Pick<StrangerPolicy, 'allowPrivate' | 'allowCidrs'>): BlockedAddress {
  const forbidden = cidrList(policy.allowPrivate ? NEVER : [...NEVER, ...PRIVATE])
  const opened = cidrList(policy.allowCidrs)
  return (literal) => {
    const reached = addressesReached(literal)
    return reached === null || reached.some((address) => listed(forbidden, address) && !listed(opened, address))
  }
}

/** True for `address/prefix` and for a bare address, of either family. */
export function isCidr(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/')
  const bits = isIPv4(address) ? 32 : isIPv6(address) && !address.includes('%') ? 128 : 0
  return bits > 0 && rest.length === 0 && (prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= bits))
}

/** A list of the given ranges; throws on text that `isCidr` refuses. */
export function cidrList(cidrs: readonly string[]): BlockList {
  const list = new BlockList()
  for (const cidr of cidrs) {
    assert(isCidr(cidr), 'a range of addresses was not checked when it was read')
    const [address = '', prefix] = cidr.split('/')
    const family = isIPv4(address) ? 'ipv4' : 'ipv6'
    list.addSubnet(address, Number(prefix ?? (family === 'ipv4' ? 32 : 128)), family)
  }
  return list
}

/** Whether a plain address (no zone, nothing embedded) lies in the list. */
export function listed(list: BlockList, address: string): boolean {
  return list.check(address, isIPv4(address) ? 'ipv4' : 'ipv6')
}

// Networks of one's own: ALLOW_PRIVATE_WEBHOOKS opens these, and only these.
const PRIVATE = ['10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '::1/128', 'fc00::/7']

// The rest of IANA's special-purpose registries (read 2026-11). Link-local stays here because the metadata services of the clouds live in it.
// 168.63.129.16 is in no registry: it is the public-looking address at which Azure serves a machine its own secrets.
const NEVER = [
  '0.0.0.0/8',
  '169.254.0.0/16',
  '168.63.129.16/32',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '::/128',
  // NAT64 of the local network. Only its `::/96` form is unwrapped before this list is asked: the other layouts cannot be told apart.
  '64:ff9b:1::/48',
  '100::/64',
  '100:0:0:1::/64',
  '2001:2::/48',
  '2001:10::/28',
  '2001:db8::/32',
  '3fff::/20',
  '5f00::/16',
  'fe80::/10',
  'fec0::/10',
  'ff00::/8',
]
