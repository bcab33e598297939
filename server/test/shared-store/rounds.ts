/** Rounds with one fault each over one cluster: each fault in turn, then any of them by the seed. */
import { createRandom } from '#kernel/prng.ts'
import { Client } from './client.ts'
import type { Cluster } from './cluster.ts'
import type { Database } from './database.ts'
import type { Fault } from './faults.ts'
import { createGraph } from './graph.ts'
import { type RoundResult, runRound } from './round.ts'

export interface RoundsOptions<Data extends Database> {
  readonly cluster: Cluster<Data>
  readonly faults: Readonly<Record<string, Fault<Data>>>
  readonly rounds: number
  readonly seed: number
  readonly onRound: (round: number, name: string, result: RoundResult) => void
}

/** Runs until a round is broken. @throws Error with what is broken, and what the servers wrote */
export async function runRounds<Data extends Database>({
  cluster,
  faults,
  rounds,
  seed,
  onRound,
}: RoundsOptions<Data>): Promise<void> {
  const random = createRandom(seed)
  const names = Object.keys(faults)
  const { url } = await cluster.writerKnown()
  await createGraph(new Client(url ?? ''))
  // Readers without a position ask whoever they like.
  await cluster.settled()
  for (let round = 1; round <= rounds; round++) {
    const name = names[round <= names.length ? round - 1 : random.below(names.length)]!
    try {
      const result = await runRound({ cluster, random, round, fault: faults[name]! })
      onRound(round, name, result)
      if (result.broken.length > 0) throw new Error(result.broken.join('\n'))
    } catch (cause) {
      const what = cause instanceof Error ? cause.message : String(cause)
      const head = `round ${round} (seed ${seed}), ${name}:\n${what}`
      throw new Error(`${head}\n${cluster.outputs()}`, { cause })
    }
  }
}

export function roundLine(round: number, name: string, result: RoundResult): string {
  const { writeCount, unknownCount, readCount, outageMs } = result
  const counts = `${writeCount} writes (${unknownCount} without a yes), ${readCount} reads`
  return `round ${round}: ${name}: ${counts}, no write for ${Math.round(outageMs)} ms`
}
