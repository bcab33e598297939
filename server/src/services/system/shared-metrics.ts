/** Metrics of a server that shares its store with others; one that is alone has none of them. */
import type { Gauge } from 'prom-client'
import { logEndOf, type Sharing } from '../instances/sharing.ts'

const roles = ['writer', 'follower'] as const

export function sharedGauges({ log }: Sharing) {
  const gauge = (name: string, help: string, read: () => number) => ({
    name: `quiver_${name}`,
    help,
    labels: [],
    collect: (one: Gauge) => one.set(read()),
  })
  return [
    {
      name: 'quiver_role',
      help: 'Whether the instance has this role: writer or follower',
      labels: ['role'],
      collect: (one: Gauge) => {
        for (const role of roles) one.set({ role }, log.role === role ? 1 : 0)
      },
    },
    gauge('epoch', 'Changes of the writer so far', () => log.epoch),
    gauge('position', 'Sequence of the last entry of the log that is applied', () => log.position),
    gauge(
      'staleness_seconds',
      'Whatever was acknowledged so long ago is applied here',
      () => log.stalenessMs() / 1000,
    ),
    gauge(
      'follow_lag_entries',
      'Entries of the log that are known of and not applied',
      () => logEndOf(log) - log.position,
    ),
    gauge('store_connected', 'Whether the shared store answers', () => (log.isConnected ? 1 : 0)),
  ]
}

export function sharedCounters({ log, counts }: Sharing) {
  return [
    {
      name: 'quiver_takeovers_total',
      help: 'Times that the instance has become the writer',
      read: () => log.counts.takeovers,
    },
    {
      name: 'quiver_forwarded_requests_total',
      help: 'Requests handed on to another instance',
      read: () => counts.forwarded,
    },
    {
      name: 'quiver_outcomes_resolved_total',
      help: 'Writes whose outcome was not known for a while',
      read: () => log.counts.outcomesResolved,
    },
  ]
}
