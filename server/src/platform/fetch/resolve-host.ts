import { lookup, Resolver } from 'node:dns/promises'

export type ResolvedAddress = { address: string; family: 4 | 6 }

/** All addresses of a name, IPv4 and IPv6. Rejects when the name has none or nobody can say. */
export type ResolveHost = (host: string) => Promise<ResolvedAddress[]>

/**
 * Asks the machine's name servers (or the given ones, as `address:port`) directly and knows no hosts file and no search domain. Made for strangers: `getaddrinfo` keeps one of the process's four
 * pool threads busy for up to half a minute per dead name, so a few customers with broken DNS would stop files, hashing and everyone's names.
 */
export function publicNames(servers: readonly string[] = []): ResolveHost {
  // Two tries take at most 4.5 s together, so that a dead name server leaves time for nothing but the answer `dns`.
  const resolver = new Resolver({ timeout: 1_500, tries: 2 })
  if (servers.length > 0) resolver.setServers(servers)
  return async (host) => {
    const [v4, v6] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
    // One family is enough: many name servers answer AAAA with an error, and only addresses that were seen and checked are ever called.
    if (v4.status === 'rejected' && v6.status === 'rejected') throw v4.reason
    return [
      ...(v4.status === 'fulfilled' ? v4.value : []).map((address) => ({ address, family: 4 as const })),
      ...(v6.status === 'fulfilled' ? v6.value : []).map((address) => ({ address, family: 6 as const })),
    ]
  }
}

/** Asks the way every other program on this machine does: hosts file, search domains, name servers. Only for names that the operator vouches for. */
export async function systemNames(host: string): Promise<ResolvedAddress[]> {
  const found = await lookup(host, { all: true, order: 'verbatim' })
  return found.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }))
}
