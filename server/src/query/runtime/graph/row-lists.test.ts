import { describe, expect, it } from 'vitest'
import { MemoryBudget } from '../cells/memory.ts'
import { RowLists } from './row-lists.ts'

const bitmap = () => new Uint32Array(4)

describe('lists of rows', () => {
  it('are found again by their bitmap and type until it is dropped', () => {
    const lists = new RowLists(new MemoryBudget(1000))
    const [kept, dropped] = [bitmap(), bitmap()]
    const { rows } = lists.make(kept, 1, 3)
    lists.make(dropped, 1, 5)
    expect(lists.find(kept, 1)).toBe(rows)
    expect(lists.find(kept, 2)).toBeUndefined()
    lists.keep((words) => words === kept)
    expect(lists.find(kept, 1)).toBe(rows)
    expect(lists.find(dropped, 1)).toBeUndefined()
  })

  it('are written into memory of those that are gone, which counts while it is in use', () => {
    const memory = new MemoryBudget(1000)
    const lists = new RowLists(memory)
    const first = lists.make(bitmap(), 1, 99).rows
    lists.keep(() => false)
    expect(memory.usedBytes).toBe(0)
    const second = lists.make(bitmap(), 1, 59).rows
    expect([second.buffer, second.length]).toEqual([first.buffer, 59])
    expect(memory.usedBytes).toBe(396)
    // Two that are in use never share.
    expect(lists.make(bitmap(), 1, 59).rows.buffer).not.toBe(first.buffer)
    expect(memory.usedBytes).toBe(632)
  })

  it('of a caller are left alone by what it calls', () => {
    const memory = new MemoryBudget(1000)
    const lists = new RowLists(memory)
    const words = bitmap()
    const { rows } = lists.make(words, 1, 9)
    lists.enter()
    lists.keep(() => false)
    expect(lists.find(words, 1)).toBeUndefined()
    expect(lists.make(bitmap(), 1, 9).rows.buffer).not.toBe(rows.buffer)
    lists.leave()
    expect(lists.find(words, 1)).toBe(rows)
    expect(memory.usedBytes).toBe(36)
  })
})
