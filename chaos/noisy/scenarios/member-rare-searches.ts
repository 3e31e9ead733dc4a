import { ask, callers } from '../ask.ts'
import { fillSearch } from '../fill-search.ts'
import type { Scenario } from '../scenario.ts'

/** Of trigrams that many texts have, and in none of them together. */
const words = ['pedido vocezz', 'entregaz hojem', 'possivelh', 'precisoz'] as const

export const memberRareSearches: Scenario = {
  name: 'a member searches for what nobody wrote, 4 at a time',
  resource: 'pool',
  async begin(town) {
    const { port, noisy } = town
    await fillSearch(town)
    return callers(4, 250, (n) => {
      const path = `/console/api/accounts/${noisy.accountId}/search?q=${encodeURIComponent(`${words[n % words.length]}`)}`
      return ask({ port, path, headers: { cookie: noisy.cookie } })
    })
  },
}
