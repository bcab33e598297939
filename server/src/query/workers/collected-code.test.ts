/** Functions that a thread has let go of are collected, under the options of the server process. */
import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { heapOptions } from '../../../../scripts/allocator.cjs'

/** Compiles functions as `run.ts` does, lets go of each, and prints the growth of the heap in bytes. */
const compilesAndForgets = `
  const { compileFunction, runInNewContext } = require('node:vm')
  const v8 = require('node:v8')
  v8.setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc')
  const textOf = (n) => {
    const names = Array.from({ length: 20 }, (_, k) => 'f' + k)
    const functions = names.map((name, k) => 'function ' + name + '(a) { let s = ' + n + '; for (const x of a) s += x * ' + k + '; return s }')
    return functions.join('\\n') + '\\nreturn ' + names.map((name) => name + '(B)').join(' + ')
  }
  const work = (from, to) => { for (let n = from; n < to; n++) compileFunction(textOf(n), ['B'])([1, 2, 3]) }
  const used = () => { collect(); collect(); return v8.getHeapStatistics().used_heap_size }
  work(0, 20)
  const before = used()
  work(20, 520)
  console.log(used() - before)`

const grownBytes = (options: readonly string[]): number =>
  Number(
    execFileSync(process.execPath, [...options, '-e', compilesAndForgets], { encoding: 'utf8' }),
  )

test('500 functions that nobody uses leave nothing in the heap', () => {
  expect(grownBytes(heapOptions)).toBeLessThan(1_000_000)
})

test('with the cache of V8 they stay, so that its absence is what the test above shows', () => {
  expect(grownBytes([])).toBeGreaterThan(3_000_000)
})
