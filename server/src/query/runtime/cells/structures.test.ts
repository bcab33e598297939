import { describe, expect, it } from 'vitest'
import { createRandom } from '#kernel/prng.ts'
import { integerRules } from '../integer-functions.ts'
import { generalText, integerText, realJson } from '../output/number-text.ts'
import { Arena } from './arena.ts'
import type { HeapShape } from './heap.ts'
import type { ListShape } from './list.ts'
import { MemoryBudget } from './memory.ts'
import { Ropes } from './ropes.ts'
import { Shapes } from './shapes.ts'
import { StringTable } from './strings.ts'
import type { BagShape, GroupShape, MapShape, SetShape } from './table-shapes.ts'
import { TemporaryBlocks } from './temporaries.ts'

function world(limitBytes = 64 * 1024 * 1024) {
  const budget = new MemoryBudget(limitBytes)
  const temporaries = new TemporaryBlocks(budget)
  const strings = new StringTable(budget)
  const ropes = new Ropes(strings, budget)
  const memory = { arena: new Arena(budget), strings, ropes, temporaries }
  const shapes = new Shapes(memory, { wide: false, integers: integerRules })
  temporaries.shapeOf = shapes.of
  return { budget, memory, shapes, temporaries }
}

const INT = { kind: 'INT' } as const
const element = { kind: 'value', type: INT } as const

describe('tables', () => {
  it('agree with a Map over random programs of inserts, removals and copies', () => {
    for (let seed = 1; seed <= 40; seed++) {
      const random = createRandom(seed)
      const { shapes } = world()
      const shape = shapes.accum({ kind: 'MapAccum', key: INT, value: element }) as MapShape
      let block = shape.make()
      let model = new Map<number, number>()
      for (let step = 0; step < 400; step++) {
        const key = random.below(60) * 1000003 - 7
        const action = random.below(10)
        if (action < 7) {
          shape.foldEntry(block, key, step)
          model.set(key, (model.get(key) ?? 0) + step)
        } else if (action < 9) {
          expect(shape.removeKey(block, key), `seed ${seed}`).toBe(model.delete(key))
        } else if (random.below(20) === 0) {
          shape.clear(block)
          model = new Map()
        } else {
          const copy = shape.copy(block)
          shape.free(block)
          block = copy
        }
      }
      const entries = Array.from({ length: shape.size(block) }, (_, i) => [
        shape.keyAt(block, i),
        shape.valueAt(block, i),
      ])
      expect(new Map(entries as [number, number][]), `seed ${seed}`).toEqual(model)
      for (const [key, value] of model) expect(shape.valueUnder(block, key)).toBe(value)
    }
  })

  it('keep tuples, strings and NaN apart by value', () => {
    const { shapes, memory } = world()
    const tuple = {
      kind: 'TUPLE',
      name: 'T',
      fields: [
        { name: 'a', type: INT },
        { name: 's', type: { kind: 'STRING' } },
      ],
    } as const
    const set = shapes.accum({
      kind: 'SetAccum',
      element: { kind: 'value', type: tuple },
    }) as SetShape
    const block = set.make()
    const [x, y] = [memory.strings.intern('x'), memory.strings.intern('y')]
    for (let i = 0; i < 40; i++) set.add(block, [i % 10, i % 2 === 0 ? x : y])
    expect(set.size(block)).toBe(10)
    expect(set.has(block, [3, y])).toBe(true)
    expect(set.has(block, [3, x])).toBe(false)
  })

  it('count the repeats of a bag', () => {
    const bag = world().shapes.accum({ kind: 'BagAccum', element }) as BagShape
    const block = bag.make()
    for (const value of [1, 2, 2, 3, 3, 3]) bag.add(block, value)
    bag.remove(block, 3, false)
    bag.remove(block, 2, true)
    const found: unknown[] = []
    bag.forEach(block, (value) => found.push(value))
    expect([found, bag.size(block)]).toEqual([[1, 3, 3], 3])
  })

  it('fold every column of a group on its own', () => {
    const { shapes } = world()
    const shape = shapes.accum({
      kind: 'GroupByAccum',
      keys: [{ name: 'k', type: INT }],
      values: [
        { name: 'sum', accum: { kind: 'SumAccum', value: INT } },
        { name: 'mean', accum: { kind: 'AvgAccum' } },
        { name: 'least', accum: { kind: 'MinAccum', value: INT } },
      ],
    }) as GroupShape
    const block = shape.make()
    for (let i = 1; i <= 30; i++) {
      const row = shape.ensure(block, [i % 3])
      shape.values.forEach(({ codec }, column) => {
        codec.fold(shape.cellOf(row, column), i)
      })
    }
    expect(shape.valueUnder(block, [0])).toEqual([0, 165, 16.5, 3])
    // What was never met reads as each accumulator begins: a MinAccum at the end of its range.
    expect(shape.valueUnder(block, [9])).toEqual([9, 0, 0, Infinity])
  })
})

describe('heaps', () => {
  it('keep what sorting everything and cutting would keep, earlier ones first', () => {
    const tuple = {
      kind: 'TUPLE',
      name: 'T',
      fields: [
        { name: 'key', type: INT },
        { name: 'arrival', type: INT },
      ],
    } as const
    for (let seed = 1; seed <= 30; seed++) {
      const random = createRandom(seed)
      const order = [{ field: 0, descending: seed % 2 === 0 }]
      const shape = world().shapes.accum({
        kind: 'HeapAccum',
        limit: null,
        tuple,
        order,
      }) as HeapShape
      const block = shape.make()
      const limit = random.below(12)
      shape.setLimit(block, limit)
      const all = Array.from({ length: 50 }, (_, arrival) => [random.below(9), arrival] as const)
      for (const row of all) shape.add(block, row)
      const sign = seed % 2 === 0 ? -1 : 1
      const best = [...all].sort((a, b) => sign * (a[0] - b[0]) || a[1] - b[1]).slice(0, limit)
      const sorted = shape.copy(block)
      shape.sort(sorted)
      const kept = Array.from({ length: shape.size(sorted) }, (_, i) => shape.elementAt(sorted, i))
      expect(kept, `seed ${seed}`).toEqual(best)
      if (limit > 0) expect(shape.pop(block)).toEqual(best[0])
    }
  })
})

describe('memory', () => {
  it('is refused before a list outgrows it, and reused after a list is gone', () => {
    const { shapes, budget } = world(1024 * 1024)
    const list = shapes.accum({ kind: 'ListAccum', element }) as ListShape
    for (let round = 0; round < 100; round++) {
      const block = list.make()
      for (let i = 0; i < 10_000; i++) list.add(block, i)
      list.free(block)
    }
    expect(budget.peakBytes).toBeLessThan(1024 * 1024)
    const block = list.make()
    const fill = () => {
      for (;;) list.add(block, 1)
    }
    expect(fill).toThrow('The query needs more than its 1 MB of memory.')
  })

  it('gives temporaries back at their mark', () => {
    const { shapes, temporaries, memory } = world()
    const codec = shapes.value({ kind: 'LIST', element: INT })
    const first = codec.fresh()
    const mark = temporaries.mark()
    const second = codec.fresh()
    temporaries.release(mark)
    expect(codec.fresh()).toBe(second)
    expect(memory.arena.cells[first as number]).toBe(memory.arena.cells[second as number])
  })
})

describe('strings', () => {
  it('have one code each, and the order of their bytes', () => {
    const { strings } = world().memory
    const texts = ['', 'a', 'b', 'ab', 'ä', '😀', 'z'.repeat(9000)]
    const codes = texts.map((text) => strings.intern(text))
    expect(codes[0]).toBe(0)
    for (let i = 0; i < 3000; i++) strings.intern(`filler ${i}`)
    expect(texts.map((text) => strings.intern(text))).toEqual(codes)
    expect(codes.map((code) => strings.text(code))).toEqual(texts)
    expect(strings.concat(codes[1]!, codes[2]!)).toBe(codes[3])
    const ascending = [...codes].sort((a, b) => strings.compare(a, b)).map((c) => strings.text(c))
    expect(ascending).toEqual(['', 'a', 'ab', 'b', 'z'.repeat(9000), 'ä', '😀'])
  })
})

describe('numbers as text', () => {
  it.each([
    [0.93307472, 7, '0.9330747'],
    [1.0946123, 7, '1.094612'],
    [123456789, 7, '1.234568e+08'],
    [0.0001, 16, '0.0001'],
    [1e21, 16, '1e+21'],
    [-1.5, 16, '-1.5'],
    [100, 7, '100'],
    [2 / 3, 6, '0.666667'],
    [5e-324, 16, '4.940656458412465e-324'],
  ])('%d with %i digits', (value, digits, text) => {
    expect(generalText(value, digits)).toBe(text)
  })

  it('knows the words for what is no number, and the ends of the integers', () => {
    expect([Number.NaN, Infinity, -Infinity].map((value) => realJson(value, 7))).toEqual([
      ...['"nan"', '"inf"', '"-inf"'],
    ])
    expect(integerText(Infinity, true)).toBe('18446744073709551615')
    expect(integerText(-0, false)).toBe('0')
  })
})
