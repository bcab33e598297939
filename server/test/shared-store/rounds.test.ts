/**
 * Three servers over a pair of PostgreSQL under load, one fault a round. QUIVER_FAULT_ROUNDS sets how
 * many (each fault once, then any), QUIVER_FAULT_SEED when they come; `npm run shared-store` runs more.
 */
import process from 'node:process'
import { expect, it } from 'vitest'
import { Cluster } from './cluster.ts'
import { faultsOfPair, faultsOfServers } from './faults.ts'
import { PostgresPair } from './pair.ts'
import { roundLine, runRounds } from './rounds.ts'

const faults = { ...faultsOfServers, ...faultsOfPair }
const rounds = Number(process.env['QUIVER_FAULT_ROUNDS'] ?? Object.keys(faults).length)
const seed = Number(process.env['QUIVER_FAULT_SEED'] ?? 1)

it(`keeps every promise through ${rounds} rounds of faults (seed ${seed})`, async () => {
  const cluster = await Cluster.start(await PostgresPair.start())
  let [writes, reads] = [0, 0]
  try {
    await runRounds({
      ...{ cluster, faults, rounds, seed },
      onRound: (round, name, result) => {
        process.stdout.write(`${roundLine(round, name, result)}\n`)
        writes += result.writeCount
        reads += result.readCount
      },
    })
    // Clients that met no server would find nothing broken.
    expect(writes).toBeGreaterThan(rounds * 80)
    expect(reads).toBeGreaterThan(rounds * 20)
  } finally {
    await cluster.remove()
  }
}, 1_800_000)
