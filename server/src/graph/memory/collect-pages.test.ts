/** The end of a pin that has seen many pages: they are given back a few at a time, and nobody sees it. */
import { afterEach, expect, it, vi } from 'vitest'
import { attributes, catalogOf, openEngine, vertexType } from '../../../test/fixtures/engine.ts'
import { numberAt } from '../columns/read.ts'
import type { GraphEngine } from '../engine.ts'
import { FrameWriter } from '../mutate/frame-writer.ts'
import { PagedArray } from './paged.ts'
import { PAGES_FREED_AT_ONCE } from './versions.ts'

const PAGE_ROWS = 1_024
const PAGE_COUNT = 300
const ROW_COUNT = PAGE_COUNT * PAGE_ROWS
const primaryId = { syntax: 'PRIMARY_ID', names: ['id'], type: 'INT', asAttribute: false } as const
const catalog = catalogOf([
  vertexType(1, 'V', { primaryId, attributes: attributes({ a: 'INT', b: 'DOUBLE' }) }),
])

/** Rows whose `a` and `b` hold a value, each `step`th. */
function frame(value: number, step: number): Uint8Array {
  const writer = new FrameWriter(0)
  writer.beginVertices(1, [
    { attributeId: 1, op: 0 },
    { attributeId: 2, op: 0 },
  ])
  for (let row = 0; row < ROW_COUNT; row += step) {
    writer.numericKey(row, 0)
    writer.int64(value, 0)
    writer.float64(value)
    writer.endEntry()
  }
  return writer.finish()
}

/** What the columns hold in the first row of each page. */
function values(engine: GraphEngine): Set<number> {
  const { columns } = engine.view().vertexTables[0]!
  const pages = Array.from({ length: PAGE_COUNT }, (_, page) => page * PAGE_ROWS)
  return new Set(pages.flatMap((row) => columns.map((column) => numberAt(column, row))))
}

async function opened() {
  const watch = { during: () => {} }
  let ms = 0
  const engine = await openEngine(undefined, {
    clock: { nowMs: () => 0, monotonicMs: () => (ms += 1_000) },
    scheduler: {
      yieldToOthers: async () => {
        watch.during()
        await new Promise(setImmediate)
      },
    },
  })
  await engine.changeCatalog(() => catalog)
  await engine.commit(frame(1, 1))
  return { engine, watch }
}

afterEach(() => {
  vi.restoreAllMocks()
})

/** Pages freed in the turn that frees most. */
function countFreed() {
  const counted = { longest: 0, turn: 0 }
  const { collect } = PagedArray.prototype
  vi.spyOn(PagedArray.prototype, 'collect').mockImplementation(function (
    this: PagedArray<'int32'>,
    pagesMax,
  ) {
    const freed = collect.call(this, pagesMax)
    counted.turn += freed
    counted.longest = Math.max(counted.longest, counted.turn)
    return freed
  })
  return counted
}

it('of a reader', async () => {
  const { engine, watch } = await opened()
  const pin = engine.pin()
  await engine.commit(frame(2, PAGE_ROWS))
  const counted = countFreed()
  const seen: number[][] = []
  watch.during = () => {
    counted.turn = 0
    seen.push([...values(engine)])
  }
  pin.release()
  while (engine.view().vertexTables[0]!.columns.some(({ pages }) => pages !== null)) {
    await new Promise(setImmediate)
  }
  expect(counted.longest).toBeLessThanOrEqual(PAGES_FREED_AT_ONCE)
  expect(seen.length).toBeGreaterThan(3)
  expect(new Set(seen.map(String))).toEqual(new Set(['2']))
  expect([...values(engine)]).toEqual([2])
  expect(engine.versions.copiedBytes).toBe(0)
})

it('of a batch that is applied in slices, before the next one is applied', async () => {
  const { engine, watch } = await opened()
  const counted = countFreed()
  watch.during = () => {
    counted.turn = 0
  }
  await Promise.all([engine.commit(frame(2, 8)), engine.commit(frame(3, 8))])
  await engine.settled()
  expect(counted.longest).toBeGreaterThan(0)
  expect(counted.longest).toBeLessThanOrEqual(PAGES_FREED_AT_ONCE)
  expect([...values(engine)]).toEqual([3])
  expect(engine.versions.copiedBytes).toBe(0)
})

it('while writes and another reader go on', async () => {
  const { engine } = await opened()
  const first = engine.pin()
  await engine.commit(frame(2, PAGE_ROWS))
  const second = engine.pin()
  first.release()
  await engine.commit(frame(3, PAGE_ROWS))
  const third = engine.pin()
  second.release()
  const old = third.view.vertexTables[0]!.columns
  await engine.commit(frame(4, PAGE_ROWS))
  expect(old.map((column) => numberAt(column, 5 * PAGE_ROWS))).toEqual([3, 3])
  third.release()
  await engine.commit(frame(5, 8))
  await engine.settled()
  expect([...values(engine)]).toEqual([5])
  expect(engine.versions.copiedBytes).toBe(0)
})
