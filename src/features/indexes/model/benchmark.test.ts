import { expect, it } from 'vitest'
import { filterText, operatorsOf, runBenchmark, verdict } from './benchmark.ts'

function reader(timesMs: { indexed: number; scanned: number }, counts: readonly number[] = [3]) {
  const seen: boolean[] = []
  const read = async (useIndex: boolean) => {
    const isFirst = !seen.includes(useIndex)
    seen.push(useIndex)
    const durationMs = (useIndex ? timesMs.indexed : timesMs.scanned) * (isFirst ? 10 : 1)
    return { count: counts[(seen.length - 1) % counts.length]!, durationMs }
  }
  return { seen, read }
}

it('reads by turns for five seconds, and leaves out the first of each', async () => {
  const { seen, read } = reader({ indexed: 20, scanned: 80 })
  const result = await runBenchmark(read)
  expect(result).toEqual({ indexedMs: 20, scannedMs: 80, runs: 40, found: 3, isMoving: false })
  expect(seen.slice(0, 4)).toEqual([true, false, true, false])
})

it('reads once each however long it takes, and not for ever however short', async () => {
  const slow = await runBenchmark(reader({ indexed: 1, scanned: 600 }).read)
  expect(slow).toMatchObject({ indexedMs: 10, scannedMs: 6_000, runs: 1 })
  expect((await runBenchmark(reader({ indexed: 1, scanned: 1 }).read)).runs).toBe(199)
})

it('tells when the graph changed meanwhile, and lets a failed read through', async () => {
  const moving = await runBenchmark(reader({ indexed: 50, scanned: 50 }, [3, 3, 4, 4]).read)
  expect(moving.isMoving).toBe(true)
  const failing = () => Promise.reject(new Error('no'))
  await expect(runBenchmark(failing)).rejects.toThrow('no')
})

it('says how much it is worth, also where it is worth nothing', () => {
  const of = (indexedMs: number, scannedMs: number) =>
    verdict({ indexedMs, scannedMs, runs: 1, found: 0, isMoving: false })
  expect(of(2, 46)).toContain('23 times as fast')
  expect(of(2, 5)).toContain('2.5 times as fast')
  expect(of(5, 2)).toContain('2.5 times as slow')
  expect(of(2, 2.1)).toContain('no difference')
})

it('writes conditions as the filter reads them', () => {
  expect(filterText('name', 'STRING', ['=', 'a "b" \\c'])).toBe(String.raw`name="a \"b\" \\c"`)
  expect(filterText('day', 'DATETIME', ['>=', '2024-01-01 00:00:00'])).toBe(
    'day>="2024-01-01 00:00:00"',
  )
  expect(filterText('age', 'UINT', ['=', ' 7 '])).toBe('age=7')
  expect(operatorsOf('STRING')).toEqual(['='])
  expect(operatorsOf('DATETIME')).toContain('<=')
})
