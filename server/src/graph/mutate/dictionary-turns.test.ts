/** A dictionary of many rows is looked through in pieces, whatever the size of the batch that makes it due. */
import { afterEach, expect, it, vi } from 'vitest'
import { attributes, catalogOf, openEngine, vertexType } from '../../../test/fixtures/engine.ts'
import { REVIEW_ROWS_PER_PIECE } from '../columns/dictionary-review.ts'
import { stringAt } from '../columns/read.ts'
import { PagedArray } from '../memory/paged.ts'
import { FrameWriter } from './frame-writer.ts'

const ROW_COUNT = 140_000
const primaryId = { syntax: 'PRIMARY_ID', names: ['id'], type: 'INT', asAttribute: false } as const
const catalog = catalogOf([
  vertexType(1, 'V', { primaryId, attributes: attributes({ c: 'STRING' }) }),
])

function frame(start: number, end: number, text: (row: number) => string): Uint8Array {
  const writer = new FrameWriter(0)
  writer.beginVertices(1, [{ attributeId: 1, op: 0 }])
  for (let row = start; row < end; row++) {
    writer.numericKey(row, 0)
    writer.text(text(row))
    writer.endEntry()
  }
  return writer.finish()
}

afterEach(() => {
  vi.restoreAllMocks()
})

it('of short batches', async () => {
  let ms = 0
  let during = () => {}
  const engine = await openEngine(undefined, {
    clock: { nowMs: () => 0, monotonicMs: () => (ms += 1_000) },
    scheduler: {
      yieldToOthers: async () => {
        during()
        await new Promise(setImmediate)
      },
    },
  })
  await engine.changeCatalog(() => catalog)
  for (let start = 0; start < ROW_COUNT; start += 10_000) {
    await engine.commit(frame(start, start + 10_000, (row) => `text ${row % 50}`))
  }
  const column = engine.tables.vertexTable(1)!.columns[0]!
  let [turn, longest, slices] = [0, 0, 0]
  const { stretches } = PagedArray.prototype
  vi.spyOn(PagedArray.prototype, 'stretches').mockImplementation(function (
    this: PagedArray<'uint32'>,
    from = 0,
    to = this.capacity,
  ) {
    turn += to - from
    longest = Math.max(longest, turn)
    return stretches.call(this, from, to)
  })
  const seen: string[] = []
  during = () => {
    turn = 0
    if (!engine.isApplying) return
    slices += 1
    const view = engine.view().vertexTables[0]!.columns[0]!
    seen.push(stringAt(view, 7).slice(0, 4))
  }
  const first = column.dictionary
  const write = (round: number) =>
    engine.commit(frame(7, 60, (row) => `${round} of ${row}`.padEnd(1_000, 'x')))
  let round = 1_000
  for (; column.dictionary === first && round < 1_100; round++) await write(round)
  expect(column.dictionary, 'most of its strings were overwritten').not.toBe(first)
  expect(longest, 'rows looked at in one turn').toBeLessThanOrEqual(REVIEW_ROWS_PER_PIECE)
  expect(slices).toBeGreaterThan((2 * ROW_COUNT) / REVIEW_ROWS_PER_PIECE)
  expect(new Set(seen).size, 'readers see the value before').toBeLessThanOrEqual(4)
  expect(seen).not.toContain(String(round - 1))
  const view = engine.view().vertexTables[0]!.columns[0]!
  expect(stringAt(view, 7)).toBe(`${round - 1} of 7`.padEnd(1_000, 'x'))
  expect(stringAt(view, 60)).toBe('text 10')
  expect(stringAt(view, ROW_COUNT - 1)).toBe('text 49')
  slices = 0
  await write(round)
  expect(slices, 'no more than any short batch').toBe(0)
  expect(engine.memory().usedBytes).toBe(engine.memory().tables[0]!.sizeBytes)
})
