/**
 * Random queries over random graphs, by the engine and by the oracle.
 *
 * A difference is reported as a small graph and query, to be put into a golden file of
 * `server/test/oracle/graphs`. `QUIVER_SEED` and `QUIVER_ORACLE_QUERIES` choose which and how many; the
 * seed of a report is that of its graph, so that it is the first one of a run with this seed.
 */
import { afterAll, beforeAll, it } from 'vitest'
import { expectAgreement } from './expect-agreement.ts'
import { cutMode, fuzz, plainMode } from './fuzzing.ts'
import { startThreads, type Threads } from './threads.ts'

const seed = Number(process.env['QUIVER_SEED'] ?? 20_261)
const isSlow = process.env['QUIVER_SLOW'] === '1'
const queryCount = Number(process.env['QUIVER_ORACLE_QUERIES'] ?? (isSlow ? 120 : 80))

let threads: Threads

beforeAll(async () => {
  threads = await startThreads()
})

afterAll(() => threads.close())

it(`answers as the oracle does: ${queryCount} queries of seed ${seed}`, {
  timeout: 120_000 + queryCount * 1_000,
}, async () => {
  const report = await fuzz({
    seed,
    queryCount,
    queriesPerGraph: 10,
    modes: [plainMode, cutMode, threads.mode(6)],
    shrinkMs: 20_000,
    differencesMax: 3,
  })
  expectAgreement(report)
})
