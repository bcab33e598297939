/** A number for which a column of many rows is widened: others run between the pieces, and see the old values. */
import { isDeepStrictEqual } from 'node:util'
import { afterEach, beforeAll, expect, it, vi } from 'vitest'
import type { AttributeValue } from '#catalog/types.ts'
import { createMemoryImage, MemoryStore } from '#storage/memory/memory-store.ts'
import {
  attributes,
  catalogOf,
  edgeType,
  FrameBuilder,
  openEngine,
  type Values,
  vertexType,
} from '../../../test/fixtures/engine.ts'
import { valueAt } from '../columns/read.ts'
import { WIDENED_AT_ONCE_MAX, Widening } from '../columns/widening.ts'
import type { GraphEngine } from '../engine.ts'
import { fieldOp } from './frame-format.ts'
import { FrameWriter } from './frame-writer.ts'

const ROW_COUNT = WIDENED_AT_ONCE_MAX + 1
const ROWS_PER_FRAME = 16_384
const WIDE = 2 ** 40
const EXACT = 2n ** 62n

const keyed = { syntax: 'PRIMARY_KEY', names: ['k'], type: 'INT', asAttribute: true } as const
const composite = {
  syntax: 'COMPOSITE',
  names: ['a', 'b'],
  type: 'STRING',
  asAttribute: true,
} as const
const plain = { syntax: 'PRIMARY_ID', names: ['id'], type: 'INT', asAttribute: false } as const

const numbers = {
  n: 'INT',
  exact: 'INT',
  most: 'INT',
  u: 'UINT',
  u64: 'UINT',
  d: 'DATETIME',
  sum: 'INT',
} as const
const keys = attributes({ k: 'INT' })

const catalog = catalogOf(
  [
    vertexType(1, 'Plain', { primaryId: plain, attributes: attributes(numbers) }),
    vertexType(2, 'Keyed', { primaryId: keyed, attributes: keys }),
    vertexType(3, 'Composite', {
      primaryId: composite,
      attributes: attributes({ a: 'INT', b: 'STRING' }),
    }),
    vertexType(6, 'End', { primaryId: keyed, attributes: keys }),
    vertexType(7, 'Few', { primaryId: plain, attributes: attributes({ n: 'INT' }) }),
  ],
  [
    edgeType(4, 'E', [1, 1], {
      discriminatorCount: 1,
      attributes: attributes({ at: 'INT', w: 'INT', sum: 'INT' }),
    }),
    edgeType(5, 'ToEnd', [1, 6]),
  ],
)

/** Every look at the clock finds a slice over. */
async function opened(image = createMemoryImage()) {
  let ms = 0
  const watch = { pauses: 0, during: () => {} }
  const engine = await openEngine(new MemoryStore(image), {
    clock: { nowMs: () => 0, monotonicMs: () => (ms += 1_000) },
    scheduler: {
      yieldToOthers: async () => {
        watch.pauses += 1
        watch.during()
        await new Promise(setImmediate)
      },
    },
  })
  return { engine, watch }
}

/** Frames of many rows with small numbers. */
function* frames(
  begin: (writer: FrameWriter) => void,
  entry: (writer: FrameWriter, row: number) => void,
) {
  for (let start = 0; start < ROW_COUNT; start += ROWS_PER_FRAME) {
    const writer = new FrameWriter(0)
    begin(writer)
    for (let row = start; row < Math.min(start + ROWS_PER_FRAME, ROW_COUNT); row++) {
      entry(writer, row)
      writer.endEntry()
    }
    yield writer.finish()
  }
}

const image = createMemoryImage()
const graph = await opened(image)

beforeAll(async () => {
  const { engine } = graph
  await engine.changeCatalog(() => catalog)
  const set = (...ids: number[]) => ids.map((attributeId) => ({ attributeId, op: fieldOp.set }))
  const ids = (type: number) =>
    frames(
      (writer) => writer.beginVertices(type, []),
      (writer, row) => writer.numericKey(row, 0),
    )
  const all = [
    ids(1),
    ids(2),
    frames(
      (writer) => writer.beginVertices(3, []),
      (writer, row) => writer.textKey(`${row},x`),
    ),
    ids(6),
    frames(
      (writer) => writer.beginEdges({ edgeTypeId: 4, fromTypeId: 1, toTypeId: 1 }, set(1)),
      (writer, row) => {
        writer.numericKey(row, 0)
        writer.numericKey(row, 0)
        writer.int64(1, 0)
      },
    ),
  ]
  for (const each of all) for (const frame of each) await engine.commit(frame)
  const row = { n: 7, sum: 2 }
  await engine.commit(
    build().vertex('Plain', 7, row).edge('E', [7, 7], { at: 1, w: 7, sum: 2 }).finish(),
  )
  await engine.commit(build().vertex('Few', 1, { n: 1 }).finish())
})

afterEach(() => {
  graph.watch.during = () => {}
  vi.restoreAllMocks()
})

/** Steps of widening in the turn that has the most. */
function countSteps(): { longest: number; turn: () => void } {
  const counted = { longest: 0, turn: () => {} }
  let steps = 0
  const { step } = Widening.prototype
  vi.spyOn(Widening.prototype, 'step').mockImplementation(function (this: Widening, data) {
    counted.longest = Math.max(counted.longest, ++steps)
    return step.call(this, data)
  })
  counted.turn = () => {
    steps = 0
  }
  return counted
}

function build(): FrameBuilder {
  return new FrameBuilder(catalog)
}

function vertexValue(engine: GraphEngine, type: number, name: string, row: number) {
  const table = engine.view().vertexTables.find(({ typeId }) => typeId === type)!
  return valueAt(table.columns.find((column) => column.name === name)!, row)
}

function edgeValue(engine: GraphEngine, name: string, row: number): AttributeValue {
  const { columns } = engine.view().edgeTables.find(({ typeId }) => typeId === 4)!.adjacencies[0]!
  return valueAt(columns.find((column) => column.name === name)!, row)
}

function rowCount(engine: GraphEngine, type: number): number {
  return engine.view().vertexTables.find(({ typeId }) => typeId === type)!.rowCount
}

const last = ROW_COUNT
const plainRow = (values: Values, op: number = fieldOp.set) =>
  build().vertex('Plain', 7, values, op).finish()
const edgeRow = (values: Values, op: number = fieldOp.set) =>
  build().edge('E', [7, 7], values, op).finish()
const ofPlain = (name: string) => (engine: GraphEngine) => vertexValue(engine, 1, name, 7)

/** What a batch writes, and what is there before and behind it. */
const cases: readonly (readonly [
  what: string,
  frame: Uint8Array,
  valueIn: (engine: GraphEngine) => unknown,
  before: unknown,
  behind: unknown,
])[] = [
  ['an INT', plainRow({ n: WIDE }), ofPlain('n'), 7, WIDE],
  ['an INT of 64 bits', plainRow({ exact: EXACT }), ofPlain('exact'), 0, EXACT],
  ['a UINT', plainRow({ u: 2 ** 32 }), ofPlain('u'), 0, 2 ** 32],
  ['a UINT of 64 bits', plainRow({ u64: 2n ** 64n - 1n }), ofPlain('u64'), 0, 2n ** 64n - 1n],
  ['a DATETIME', plainRow({ d: WIDE }), ofPlain('d'), 0, WIDE],
  ['the larger of two', plainRow({ most: WIDE }, fieldOp.max), ofPlain('most'), 0, WIDE],
  ['a sum', plainRow({ sum: 2 ** 31 - 1 }, fieldOp.add), ofPlain('sum'), 2, 2 ** 31 + 1],
  ['an attribute of an edge', edgeRow({ at: 1, w: WIDE }), (e) => edgeValue(e, 'w', 7), 7, WIDE],
  [
    'a sum of an edge',
    edgeRow({ at: 1, sum: 2 ** 31 - 1 }, fieldOp.add),
    (engine) => edgeValue(engine, 'sum', 7),
    2,
    2 ** 31 + 1,
  ],
  [
    'a discriminator',
    edgeRow({ at: WIDE, w: 3 }),
    (engine) => engine.view().edgeTables[0]!.adjacencies[0]!.liveCount,
    ROW_COUNT,
    ROW_COUNT + 1,
  ],
  [
    'an id that is an attribute',
    build().vertex('Keyed', WIDE).finish(),
    (engine) => [rowCount(engine, 2), vertexValue(engine, 2, 'k', last)],
    [ROW_COUNT, 0],
    [ROW_COUNT + 1, WIDE],
  ],
  [
    'a part of an id',
    build().vertex('Composite', `${WIDE},x`).finish(),
    (engine) => [rowCount(engine, 3), vertexValue(engine, 3, 'a', last)],
    [ROW_COUNT, 0],
    [ROW_COUNT + 1, WIDE],
  ],
  [
    'the id of an end that is made',
    build().edge('ToEnd', [7, WIDE]).finish(),
    (engine) => [rowCount(engine, 6), vertexValue(engine, 6, 'k', last)],
    [ROW_COUNT, 0],
    [ROW_COUNT + 1, WIDE],
  ],
]

it.each([
  ['a number that fits', plainRow({ n: 7 })],
  ['a sum that fits', plainRow({ sum: 0 }, fieldOp.add)],
  ['a number for a column of few rows', build().vertex('Few', 1, { n: WIDE }).finish()],
])('a batch of one row with %s is applied at once', async (_what, frame) => {
  const { engine, watch } = graph
  let slices = 0
  watch.during = () => {
    if (engine.isApplying) slices += 1
  }
  await engine.commit(frame)
  expect(slices).toBe(0)
})

it('the short look at a key misses no number that is too wide, at each bound', () => {
  const tables = [2, 3].map((type) => graph.engine.tables.vertexTable(type)!)
  const bounds = [0n, 2n ** 31n, -(2n ** 31n), 2n ** 32n, 2n ** 53n, -(2n ** 53n), 2n ** 62n]
  const numbers = bounds.flatMap((bound) => [bound - 1n, bound, bound + 1n])
  let wideCount = 0
  for (const table of tables) {
    for (const number of numbers) {
      const bytes = new Uint8Array(40)
      const view = new DataView(bytes.buffer)
      if (table.isNumericId) view.setBigInt64(4, number, true)
      const text = new TextEncoder().encode(`${number},x`)
      if (!table.isNumericId) bytes.set(text, 4)
      const end = 4 + (table.isNumericId ? 8 : text.length)
      const isWide = table.wideKeyParts(bytes, 4, end).length > 0
      expect(isWide, String(number)).toBe(number > 2n ** 31n - 1n || number < -(2n ** 31n))
      if (isWide) expect(table.mayKeyBeWide({ bytes, view }, 4, end), String(number)).toBe(true)
      wideCount += isWide ? 1 : 0
    }
    const small = new Uint8Array(8)
    expect(table.mayKeyBeWide({ bytes: small, view: new DataView(small.buffer) }, 0, 8)).toBe(false)
  }
  expect(wideCount).toBeGreaterThan(20)
})

it.each(cases)('a batch of one row with %s is applied in slices', async (...test) => {
  const [, frame, valueIn, before, behind] = test
  const { engine, watch } = graph
  expect(valueIn(engine)).toEqual(before)
  const seen: unknown[] = []
  const counted = countSteps()
  watch.during = () => {
    counted.turn()
    if (engine.isApplying) seen.push(valueIn(engine))
  }
  await engine.commit(frame)
  expect(seen.length).toBeGreaterThanOrEqual(3)
  expect(seen.filter((value) => !isDeepStrictEqual(value, before))).toEqual([])
  expect(counted.longest, 'steps in one turn').toBe(1)
  expect(valueIn(engine)).toEqual(behind)
})

it('a rebuild whose edges are widened meanwhile widens the new ones in pieces, too', async () => {
  const { engine, watch } = graph
  const counted = countSteps()
  watch.during = counted.turn
  let isRebuilt = false
  const rebuilt = engine.rebuild({ force: true }).then(() => {
    isRebuilt = true
  })
  while (engine.rebuildProgress?.step !== 'merging') await new Promise(setImmediate)
  await engine.commit(edgeRow({ at: 1, sum: EXACT }))
  expect(isRebuilt).toBe(false)
  await rebuilt
  expect(counted.longest, 'steps in one turn').toBe(1)
  expect(edgeValue(engine, 'sum', 7)).toBe(EXACT)
  await engine.commit(edgeRow({ at: 1, sum: 2 ** 31 + 1 }))
})

it('the log makes the same of it', async () => {
  const { engine } = await opened(image)
  for (const [what, , valueIn, , behind] of cases) expect(valueIn(engine), what).toEqual(behind)
})
