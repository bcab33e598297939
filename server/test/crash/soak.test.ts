/**
 * The soak of `npm run soak`, some seconds long: clients of every kind, two kills, a clean stop.
 * It judges answers only; figures of speed and memory belong to the long run.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { describe, expect, it } from 'vitest'
import { parseSoakOptions } from '../../tools/soak/options.ts'
import { brokenAnswers, reportOf } from '../../tools/soak/report.ts'
import { runSoak } from '../../tools/soak/soak.ts'

const seed = process.env['QUIVER_SOAK_SEED'] ?? '1'
const program = process.env['QUIVER_TEST_PROGRAM']

describe('a short soak', () => {
  it(`gives no wrong answer and no error over kills and stops (seed ${seed})`, async () => {
    const options = parseSoakOptions([
      ...['--minutes', '0.1', '--clients', '8', '--items', '40', '--pause', '10'],
      ...['--kills', '2', '--seed', seed],
      ...(program === undefined ? [] : ['--program', program]),
    ])!
    const directory = mkdtempSync(join(tmpdir(), 'quiver-soak-'))
    try {
      const result = await runSoak(options, directory, () => undefined)
      const { lines } = reportOf(result, options)
      expect(brokenAnswers(result), lines.join('\n')).toEqual([])
      expect(result.killCount).toBe(2)
      expect(result.ledger.acknowledgedWrites).toBeGreaterThan(0)
      const seen = result.ledger.figures().map(({ kind }) => kind)
      expect(seen).toEqual(expect.arrayContaining(['point-read', 'upsert', 'schema-change']))
    } finally {
      rmSync(directory, { recursive: true })
    }
  }, 300_000)
})
