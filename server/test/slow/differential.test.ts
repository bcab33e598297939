/** The questions of `server/test/differential`, so many that rare graphs meet rare shapes; half an hour on one core. */
import { expect, it } from 'vitest'
import { compareEngines } from '../differential/differential.ts'

const seed = Number(process.env['QUIVER_SLOW_SEED'] ?? Date.now() % 2 ** 31)
const questionCount = Number(process.env['QUIVER_DIFFERENTIAL_QUERIES'] ?? 20_000)

it(`the engine answers as DuckDB does: ${questionCount} questions of seed ${seed}`, {
  timeout: questionCount * 1_000,
}, async () => {
  const { differences } = await compareEngines({
    ...{ seed, questionCount },
    ...{ questionsPerGraph: 20, shrinkMs: 60_000, differencesMax: 5 },
  })
  expect(differences.join('\n\n')).toBe('')
})
