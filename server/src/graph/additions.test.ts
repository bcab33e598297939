/** Attributes with defaults are added to many rows in pieces, while others read. */
import { afterEach, expect, it, vi } from 'vitest'
import type { Attribute, AttributeType, AttributeValue, Catalog } from '#catalog/types.ts'
import { createMemoryImage, MemoryStore } from '#storage/memory/memory-store.ts'
import {
  attributes,
  catalogOf,
  edgeType,
  FrameBuilder,
  openEngine,
  vertexType,
} from '../../test/fixtures/engine.ts'
import { ADDED_AT_ONCE_MAX } from './additions.ts'
import { valueAt } from './columns/read.ts'
import { Widening } from './columns/widening.ts'
import type { GraphEngine } from './engine.ts'
import { PagedArray } from './memory/paged.ts'
import { FrameWriter } from './mutate/frame-writer.ts'

const ROW_COUNT = ADDED_AT_ONCE_MAX + 1
const ROWS_PER_PIECE = 65_536
const primaryId = { syntax: 'PRIMARY_ID', names: ['id'], type: 'INT', asAttribute: false } as const
const first = catalogOf(
  [vertexType(1, 'V', { primaryId, attributes: attributes({ n: 'INT' }) })],
  [edgeType(2, 'E', [1, 1], { attributes: attributes({ n: 'INT' }) })],
)

const added: readonly (readonly [AttributeType['kind'], string, AttributeValue])[] = [
  ['INT', '7', 7],
  ['INT', '70000000000', 70_000_000_000],
  ['UINT', '18446744073709551615', 2n ** 64n - 1n],
  ['DOUBLE', '1.5', 1.5],
  ['BOOL', 'true', true],
  ['STRING', 'hello', 'hello'],
  ['DATETIME', '2024-01-01 00:00:00', 1_704_067_200],
  ['DOUBLE', '', 0],
]

const list: Attribute[] = added.map(([kind, text], at) => ({
  id: at + 2,
  name: `a${at}`,
  type: { kind } as AttributeType,
  ...(text === '' ? {} : { defaultText: text }),
}))

/** With more attributes, and another default of `n`. */
function changed(catalog: Catalog, more: readonly Attribute[], defaultText: string): Catalog {
  const edit = (old: readonly Attribute[]) => [{ ...old[0]!, defaultText }, ...more]
  const nextAttributeId = more.length + 2
  return {
    ...catalog,
    version: catalog.version + 1,
    vertexTypes: catalog.vertexTypes.map((type) => ({
      ...type,
      attributes: edit(type.attributes),
      nextAttributeId,
    })),
    edgeTypes: catalog.edgeTypes.map((type) => ({
      ...type,
      attributes: edit(type.attributes),
      nextAttributeId,
    })),
  }
}

afterEach(() => {
  vi.restoreAllMocks()
})

const image = createMemoryImage()

async function opened(during: () => void) {
  let ms = 0
  return await openEngine(new MemoryStore(image), {
    clock: { nowMs: () => 0, monotonicMs: () => (ms += 1_000) },
    scheduler: {
      yieldToOthers: async () => {
        during()
        await new Promise(setImmediate)
      },
    },
  })
}

function rows(engine: GraphEngine, row: number): AttributeValue[][] {
  const view = engine.view()
  const owners = [view.vertexTables[0]!, view.edgeTables[0]!.adjacencies[0]!]
  return owners.map(({ columns }) => columns.map((column) => valueAt(column, row)))
}

it('in pieces, which readers do not see', async () => {
  const turn = { filled: 0, steps: 0 }
  let [filledMax, stepsMax, pauses] = [0, 0, 0]
  let look = () => {}
  const engine = await opened(() => {
    turn.filled = 0
    turn.steps = 0
    pauses += 1
    look()
  })
  await engine.changeCatalog(() => first)
  for (let start = 0; start < ROW_COUNT; start += 16_384) {
    const writer = new FrameWriter(0)
    const end = Math.min(start + 16_384, ROW_COUNT)
    writer.beginVertices(1, [])
    for (let row = start; row < end; row++) {
      writer.numericKey(row, 0)
      writer.endEntry()
    }
    writer.beginEdges({ edgeTypeId: 2, fromTypeId: 1, toTypeId: 1 }, [])
    for (let row = start; row < end; row++) {
      writer.numericKey(row, 0)
      writer.numericKey(row, 0)
      writer.endEntry()
    }
    await engine.commit(writer.finish())
  }

  const { fill } = PagedArray.prototype
  const { step } = Widening.prototype
  vi.spyOn(PagedArray.prototype, 'fill').mockImplementation(function (
    this: PagedArray<'int32'>,
    from,
    to,
    value,
  ) {
    turn.filled += to - from
    filledMax = Math.max(filledMax, turn.filled)
    fill.call(this, from, to, value)
  })
  vi.spyOn(Widening.prototype, 'step').mockImplementation(function (this: Widening, data) {
    stepsMax = Math.max(stepsMax, ++turn.steps)
    return step.call(this, data)
  })
  pauses = 0
  const seen = new Set<string>()
  const before = engine.catalog
  look = () => {
    if (engine.catalog === before) seen.add(JSON.stringify(rows(engine, 5)))
  }
  await engine.changeCatalog((old) => changed(old, list, '70000000000'))
  expect([...seen]).toEqual(['[[0],[0]]'])
  expect(pauses).toBeGreaterThan((2 * 7 * ROW_COUNT) / ROWS_PER_PIECE)
  expect(filledMax, 'rows filled in one turn').toBeLessThanOrEqual(ROWS_PER_PIECE)
  expect(stepsMax, 'steps of widening in one turn').toBe(1)
  vi.restoreAllMocks()
  look = () => {}

  const values = added.map(([, , value]) => value)
  await engine.commit(new FrameBuilder(engine.catalog).edge('E', [ROW_COUNT, 0]).finish())
  const again = await opened(() => {})
  for (const one of [engine, again]) {
    for (const row of [0, ROW_COUNT - 1]) {
      expect(rows(one, row)).toEqual([
        [0, ...values],
        [0, ...values],
      ])
    }
    expect(rows(one, ROW_COUNT)).toEqual([
      [70_000_000_000, ...values],
      [70_000_000_000, ...values],
    ])
  }
  const { usedBytes, tables } = engine.memory()
  expect(usedBytes).toBe(tables.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0))
})
