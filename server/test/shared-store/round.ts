/** One round: clients, a fault, and what must hold when all have their answers. */
import type { Random } from '#kernel/prng.ts'
import { check } from './checker.ts'
import { Client } from './client.ts'
import type { Cluster } from './cluster.ts'
import type { Database } from './database.ts'
import type { Fault } from './faults.ts'
import { readFinal } from './graph.ts'
import { type Final, History } from './history.ts'
import type { Instance } from './instance.ts'
import { Load } from './load.ts'
import { until } from './wait.ts'

/** Acknowledged before the fault, and again after it. */
const PROGRESS_BEFORE = 40
const PROGRESS_AFTER = 40

export interface RoundOptions<Data extends Database> {
  readonly cluster: Cluster<Data>
  readonly random: Random
  readonly round: number
  readonly fault: Fault<Data>
}

export interface RoundResult {
  /** What is broken, in words. */
  readonly broken: readonly string[]
  readonly writeCount: number
  readonly unknownCount: number
  readonly readCount: number
  /** The longest time between two acknowledged writes. */
  readonly outageMs: number
}

export async function runRound<Data extends Database>(
  options: RoundOptions<Data>,
): Promise<RoundResult> {
  const { cluster, random, round, fault } = options
  const history = new History()
  const { instances } = cluster
  const load = new Load({ targets: instances, round, seed: random.below(2 ** 31), history })
  const restarts = instances.map(({ unexpectedEnds }) => unexpectedEnds.length)
  load.begin()
  await load.progress(PROGRESS_BEFORE)
  await fault({ cluster, random })
  await cluster.heal()
  await load.progress(PROGRESS_AFTER)
  await load.end()
  const finals = await Promise.all(instances.map((instance) => finalOf(instance, round)))
  const ends = instances.flatMap(({ name, unexpectedEnds }, index) =>
    unexpectedEnds.slice(restarts[index]).map((end) => `ended: ${name} by itself, ${end}`),
  )
  const broken = [...ends, ...check(history, finals), ...checkDocument(load, round, finals)]
  const { writes, reads } = history
  return {
    broken,
    writeCount: writes.length,
    unknownCount: writes.filter(({ outcome }) => outcome !== 'acknowledged').length,
    readCount: reads.length,
    outageMs: longestOutage(history),
  }
}

function finalOf(instance: Instance, round: number): Promise<Final> {
  return until(`the last state of ${instance.name}`, async () => {
    const { url } = instance
    return url === null ? null : readFinal(instance.name, new Client(url), round)
  })
}

/** An acknowledged document is there in its version, or in one that was written later. */
function checkDocument(load: Load, round: number, finals: readonly Final[]): readonly string[] {
  if (load.documentVersion === 0) return []
  return finals.flatMap(({ server, dump }) => {
    const found = new RegExp(`^document r${round} (\\d+)$`, 'm').exec(dump)
    const version = Number(found?.[1] ?? 0)
    if (version >= load.documentVersion) return []
    return [`document: ${server} has version ${version} of ${load.documentVersion}`]
  })
}

/** The longest time between two acknowledged writes. */
export function longestOutage({ writes }: History): number {
  const times = writes
    .filter(({ outcome }) => outcome === 'acknowledged')
    .map(({ endedAt }) => endedAt)
    .sort((a, b) => a - b)
  return times.reduce(
    (longest, time, index) => Math.max(longest, time - (times[index - 1] ?? time)),
    0,
  )
}
