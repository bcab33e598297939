import { describe, expect, it } from 'vitest'
import { createRandom } from '#kernel/prng.ts'
import type { AccumType } from '#query/ir/types.ts'
import { Arena } from '../cells/arena.ts'
import type { BlockShape } from '../cells/block.ts'
import { MemoryBudget } from '../cells/memory.ts'
import { addAll } from '../cells/merging.ts'
import { Ropes } from '../cells/ropes.ts'
import { Shapes } from '../cells/shapes.ts'
import { StringTable } from '../cells/strings.ts'
import type { GroupShape, MapShape } from '../cells/table-shapes.ts'
import { TemporaryBlocks } from '../cells/temporaries.ts'
import type { Printer, Value } from '../cells/value.ts'
import { integerRules } from '../integer-functions.ts'
import { packBlock, unpackBlock } from './packing.ts'
import { ParcelReader, ParcelWriter } from './parcels.ts'

/** A thread's own memory. `texts` are met before all else, so that codes differ between threads. */
function world(wide: boolean, texts: readonly string[]) {
  const budget = new MemoryBudget(2 ** 26)
  const temporaries = new TemporaryBlocks(budget)
  const strings = new StringTable(budget)
  const ropes = new Ropes(strings, budget)
  const memory = { arena: new Arena(budget), strings, ropes, temporaries }
  const shapes = new Shapes(memory, { wide, integers: integerRules })
  temporaries.shapeOf = shapes.of
  for (const text of texts) strings.intern(text)
  const textOf = (shape: BlockShape, block: number): string => {
    const said: string[] = []
    const say = (text: string) => void said.push(text)
    const printer: Printer = {
      raw: say,
      utf8: say,
      string: (code) => say(strings.text(code)),
      key: (utf8) => say(`${new TextDecoder().decode(utf8)}:`),
      open: say,
      close: say,
      vertexId: (vertex) => say(`v${vertex}`),
      vertexIdBytes: (vertex) => new TextEncoder().encode(`v${vertex}`),
      edge: (handle) => say(`e${handle}`),
      stringBytes: (code) => strings.view(code),
    }
    shape.print(block, printer)
    return said.join(' ')
  }
  return { strings, shapes, textOf, wide }
}

type World = ReturnType<typeof world>

const INT = { kind: 'INT' } as const
const STRING = { kind: 'STRING' } as const
const VERTEX = { kind: 'VERTEX', typeIds: null } as const
const element = { kind: 'value', type: STRING } as const
const tuple = {
  kind: 'TUPLE',
  name: 'T',
  fields: [
    { name: 'n', type: INT },
    { name: 's', type: STRING },
  ],
} as const
const counts: AccumType = { kind: 'SumAccum', value: INT }
const names: AccumType = { kind: 'SumAccum', value: STRING }
const last: AccumType = { kind: 'MaxAccum', value: STRING }
const list: AccumType = { kind: 'ListAccum', element }
const bag: AccumType = { kind: 'BagAccum', element }
const heap: AccumType = {
  kind: 'HeapAccum',
  tuple,
  order: [{ field: 0, descending: true }],
  limit: { kind: 'constant', value: 3 },
}

/** What a step folds into a block of each type. */
const cases: Readonly<Record<string, readonly [AccumType, (at: Step) => void]>> = {
  'lists of texts': [list, ({ shape, block, text }) => shape.add(block, text)],
  'lists of numbers': [
    { kind: 'ListAccum', element: { kind: 'value', type: INT } },
    ({ shape, block, number }) => shape.add(block, number),
  ],
  'sets of tuples': [
    { kind: 'SetAccum', element: { kind: 'value', type: tuple } },
    ({ shape, block, number, text }) => shape.add(block, [number, text]),
  ],
  'sets of vertices': [
    { kind: 'SetAccum', element: { kind: 'value', type: VERTEX } },
    ({ shape, block, vertex }) => shape.add(block, vertex),
  ],
  'bags of texts': [bag, ({ shape, block, text }) => shape.add(block, text)],
  heaps: [heap, ({ shape, block, number, text }) => shape.add(block, [number, text])],
  'the largest tuple': [
    { kind: 'MaxAccum', value: tuple },
    ({ shape, block, number, text }) => (shape as unknown as Folding).fold(block, [number, text]),
  ],
  'maps of texts that grow': [
    { kind: 'MapAccum', key: STRING, value: { kind: 'accum', accum: names } },
    ({ shape, block, text }) => (shape as MapShape).foldEntry(block, text, text),
  ],
  'maps of bags by numbers': [
    { kind: 'MapAccum', key: INT, value: { kind: 'accum', accum: bag } },
    ({ shape, block, number, text, inner }) =>
      inner((shape as MapShape).ensure(block, number), (own, at) => own.add(at, text)),
  ],
  'groups of many': [
    {
      kind: 'GroupByAccum',
      keys: [{ name: 'k', type: STRING }],
      values: [counts, last, list, heap].map((accum, i) => ({ name: `v${i}`, accum })),
    },
    ({ shape, block, number, text, inner }) => {
      const group = shape as GroupShape
      const row = group.ensure(block, [text])
      const cell = (column: number) => group.cellOf(row, column)
      group.values[0]!.codec.fold(cell(0), number)
      group.values[1]!.codec.fold(cell(1), text)
      inner(cell(2), (own, at) => own.add(at, text))
      inner(cell(3), (own, at) => own.add(at, [number, text]))
    },
  ],
}

interface Folding {
  fold(block: number, value: Value): void
}

interface Step {
  readonly shape: BlockShape
  readonly block: number
  readonly number: Value
  readonly text: number
  readonly vertex: number
  readonly inner: (cell: number, fold: (shape: BlockShape, block: number) => void) => void
}

function fold(at: World, fill: (at: Step) => void, into: [BlockShape, number], seed: number) {
  const random = createRandom(seed)
  const [shape, block] = into
  for (let step = 0; step < 60; step++) {
    const number = random.below(12) - 6
    fill({
      shape,
      block,
      number: at.wide ? BigInt(number) * 9_007_199_254_740_993n : number,
      text: at.strings.intern(`täxt ${random.below(9)}`),
      vertex: random.below(2000) - 1,
      inner: (cell, own) => {
        const inside = shape.memory.arena.cells[cell]!
        own(at.shapes.of(inside), inside)
      },
    })
  }
}

describe.each([false, true])('collections from another thread, wide: %s', (wide) => {
  it.each(Object.entries(cases))('%s are those of one thread', (_name, [type, fill]) => {
    const own = world(wide, ['täxt 5', 'täxt 2'])
    const shape = own.shapes.accum(type)
    const [direct, merged] = [shape.make(), shape.make()]
    for (let segment = 0; segment < 6; segment++) {
      fold(own, fill, [shape, direct], segment)
      const other = world(wide, ['other', 'täxt 8'])
      const theirs = other.shapes.accum(type)
      const part = theirs.make()
      if (segment !== 3) fold(other, fill, [theirs, part], segment)
      else fold(own, fill, [shape, merged], segment)
      const out = new ParcelWriter(theirs.memory)
      packBlock(theirs, part, out)
      // As it is when it has gone through a port.
      const parcel = structuredClone(out.finish())
      const from = unpackBlock(shape, new ParcelReader(shape.memory, parcel))
      addAll(own.shapes, merged, from)
      shape.free(from)
    }
    expect(own.textOf(shape, merged)).toBe(own.textOf(shape, direct))
    expect(own.textOf(shape, direct).length).toBeGreaterThan(10)
  })
})
