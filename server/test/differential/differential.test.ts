/**
 * Random questions over random graphs, answered by the engine and by DuckDB: see README.md.
 *
 * `QUIVER_SEED` and `QUIVER_DIFFERENTIAL_QUERIES` choose which and how many.
 */
import { expect, it } from 'vitest'
import { compareEngines } from './differential.ts'

const seed = Number(process.env['QUIVER_SEED'] ?? 20_261)
const isSlow = process.env['QUIVER_SLOW'] === '1'
const questionCount = Number(process.env['QUIVER_DIFFERENTIAL_QUERIES'] ?? (isSlow ? 400 : 250))
const only = process.env['QUIVER_DIFFERENTIAL_SHAPES']?.split(',')

it(`answers as DuckDB does: ${questionCount} questions of seed ${seed}`, {
  timeout: 120_000 + questionCount * 1_000,
}, async () => {
  const run = { seed, questionCount, questionsPerGraph: 20, shrinkMs: 20_000, differencesMax: 5 }
  const { differences, counts } = await compareEngines({
    ...run,
    ...(only !== undefined && { only }),
  })
  expect(differences.join('\n\n')).toBe('')
  // Nothing is compared where every answer is empty.
  const all = [...counts.values()]
  const sum = (of: 'asked' | 'answered') => all.reduce((total, count) => total + count[of], 0)
  expect(sum('answered') / sum('asked')).toBeGreaterThan(0.6)
  const empty = [...counts].filter(([, { asked, answered }]) => asked > 0 && answered === 0)
  expect(empty.length / counts.size).toBeLessThan(0.1)
})
