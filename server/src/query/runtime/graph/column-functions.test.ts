import { describe, expect, it } from 'vitest'
import { MemoryBudget } from '../cells/memory.ts'
import { copyFunctions } from './column-functions.ts'

describe('copies of columns', () => {
  it('are written over when they are dropped, by those of the same kind', () => {
    const { copyColumn, dropColumn } = copyFunctions(new MemoryBudget(1000))
    const first = copyColumn(Float64Array.of(1, -0, Number.NaN))
    expect(first).toEqual(Float64Array.of(1, -0, Number.NaN))
    const second = copyColumn(Float64Array.of(4, 5, 6))
    expect(second).not.toBe(first)
    dropColumn(first)
    expect(copyColumn(Uint32Array.of(7, 8, 9))).toEqual(Uint32Array.of(7, 8, 9))
    const third = copyColumn(Float64Array.of(10, 11, 12))
    expect(third).toBe(first)
    expect(third).toEqual(Float64Array.of(10, 11, 12))
    expect(second).toEqual(Float64Array.of(4, 5, 6))
  })

  it('count while they are in use, whether their memory is fresh or not', () => {
    const memory = new MemoryBudget(40)
    const { copyColumn, dropColumn } = copyFunctions(memory)
    const column = Float64Array.of(1, 2, 3)
    const copy = copyColumn(column)
    expect(memory.usedBytes).toBe(24)
    dropColumn(copy)
    expect(memory.usedBytes).toBe(0)
    memory.take(20)
    expect(() => copyColumn(column)).toThrow('more than its')
  })
})
