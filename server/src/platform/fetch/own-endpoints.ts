import { type BlockList, isIP } from 'node:net'
import type { Clock } from '../../base/clock.ts'
import { addressesReached } from './address-reached.ts'
import { cidrList, listed } from './blocked-address.ts'
import type { ResolveHost } from './resolve-host.ts'
import type { OwnEndpoint } from './stranger-policy.ts'

/** Tells whether an address belongs to this installation. */
export type OwnEndpointCheck = {
  /** Whether any endpoint of ours uses this port; if not, `reaches` need not be asked. */
  usesPort(port: number): boolean
  /** Whether one of the addresses is an endpoint of ours. Rejects while a name of ours cannot be resolved and never could. */
  reaches(addresses: readonly string[], port: number): Promise<boolean>
}

type Deps = { clock: Clock; endpoints: readonly OwnEndpoint[]; resolve: ResolveHost; localAddresses: () => string[] }

/** How long the addresses of a name of ours are believed. */
const believedMs = 60_000

/**
 * Compares by address and port. An endpoint on this machine (loopback, "any", or an address of one of its interfaces) is taken to answer on all of
 * this machine's addresses, because `0.0.0.0` and `::` do and nobody can tell from outside.
 */
export function ownEndpointCheck(deps: Deps): OwnEndpointCheck {
  const known = new Map<string, { addresses: string[]; atMs: number }>()
  return {
    usesPort: (port) => deps.endpoints.some((own) => own.port === port),
    async reaches(addresses, port) {
      for (const own of deps.endpoints.filter((each) => each.port === port)) {
        const list = endpointList(await addressesOf(deps, known, own.host), deps.localAddresses())
        if (addresses.some((address) => addressesReached(address)?.some((each) => listed(list, each)) ?? true)) return true
      }
      return false
    },
  }
}

async function addressesOf(deps: Deps, known: Map<string, { addresses: string[]; atMs: number }>, host: string): Promise<string[]> {
  if (isIP(host) !== 0) return [host]
  const last = known.get(host)
  const nowMs = deps.clock.monotonicMs()
  if (last !== undefined && nowMs - last.atMs < believedMs) return last.addresses
  try {
    const addresses = (await deps.resolve(host)).map(({ address }) => address)
    known.set(host, { addresses, atMs: nowMs })
    return addresses
  } catch (error) {
    // What was true a minute ago protects better than nothing. Without any knowledge nobody is called: the attempt fails and is repeated later.
    if (last === undefined) throw error
    return last.addresses
  }
}

function endpointList(addresses: readonly string[], localAddresses: readonly string[]): BlockList {
  const plain = addresses.flatMap((address) => addressesReached(address) ?? [])
  const thisMachine = [...THIS_MACHINE, ...localAddresses.filter((address) => !address.includes('%'))]
  const local = cidrList(thisMachine)
  return plain.some((address) => listed(local, address)) ? cidrList([...plain, ...thisMachine]) : cidrList(plain)
}

const THIS_MACHINE = ['127.0.0.0/8', '0.0.0.0/32', '::/128', '::1/128']
