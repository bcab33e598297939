/**
 * Seeded random programs on the engine and on a model of plain Maps. A failure prints its seed:
 *
 *     MODEL_SEED=1234 MODEL_PROGRAMS=1 npx vitest run server/test/model
 */
import { describe, expect, it } from 'vitest'
import { runProgram } from './program.ts'

const firstSeed = Number(process.env['MODEL_SEED'] ?? 1)
const isSlow = process.env['QUIVER_SLOW'] === '1'
/** The same ones in each run. */
const programCount = Number(process.env['MODEL_PROGRAMS'] ?? (isSlow ? 10_000 : 500))
const BATCH = 250

describe('the engine agrees with the model', () => {
  for (let start = 0; start < programCount; start += BATCH) {
    const count = Math.min(BATCH, programCount - start)
    it(`over programs ${firstSeed + start} to ${firstSeed + start + count - 1}`, async () => {
      for (let index = 0; index < count; index++) {
        await runProgram(firstSeed + start + index, 12)
      }
      expect(count).toBeGreaterThan(0)
    }, 120_000)
  }
})
