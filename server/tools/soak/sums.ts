/** What the query over the whole graph has to print when every client is still. */
import type { SoakClient } from './soak-client.ts'

export function sumsOf(clients: readonly SoakClient[]): Record<string, number> {
  const sums = { items: 0, n: 0, total: 0, owns: 0, knows: 0, visits: 0, times: 0 }
  for (const { state } of clients) {
    for (const item of state.items.values()) {
      sums.items++
      sums.n += item.n
      sums.total += item.total
    }
    for (const weight of state.owns.values()) sums.owns += weight
    for (const [pair, strength] of state.knows) {
      const [left, right] = pair.split('|')
      // The query sees an undirected edge from both of its ends.
      sums.knows += left === right ? strength : 2 * strength
    }
    for (const times of state.visits.values()) sums.times += times
    sums.visits += state.visits.size
  }
  return Object.fromEntries(Object.entries(sums).map(([name, sum]) => [`@@${name}`, sum]))
}
