/** The pairs of `server/test/oracle/fuzz`, so many that rare forms meet; half an hour on one core. */
import { afterAll, beforeAll, it } from 'vitest'
import { expectAgreement, summary } from '../oracle/fuzz/expect-agreement.ts'
import { cutMode, fuzz, plainMode } from '../oracle/fuzz/fuzzing.ts'
import { startThreads, type Threads } from '../oracle/fuzz/threads.ts'

const seed = Number(process.env['QUIVER_SLOW_SEED'] ?? Date.now() % 2 ** 31)
const queryCount = Number(process.env['QUIVER_ORACLE_QUERIES'] ?? 20_000)

let threads: Threads

beforeAll(async () => {
  threads = await startThreads()
})

afterAll(() => threads.close())

it(`the engine answers as the oracle does: ${queryCount} queries of seed ${seed}`, {
  timeout: queryCount * 2_000,
}, async () => {
  const report = await fuzz({
    seed,
    queryCount,
    queriesPerGraph: 20,
    modes: [plainMode, cutMode, threads.mode(4)],
    shrinkMs: 60_000,
    differencesMax: 5,
  })
  process.stdout.write(`${summary(report.counts)}\n`)
  expectAgreement(report)
})
