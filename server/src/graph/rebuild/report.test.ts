import { describe, expect, it } from 'vitest'
import { catalogOf, edgeType, engineWith, vertexType } from '../../../test/fixtures/engine.ts'
import { FrameWriter } from '../mutate/frame-writer.ts'

const ROWS = 70_000
const run = { edgeTypeId: 2, fromTypeId: 1, toTypeId: 1 }

function chain(from: number, to: number, step: number): Uint8Array {
  const writer = new FrameWriter(0)
  writer.beginEdges(run, [])
  for (let row = from; row < to; row++) {
    writer.textKey(`v${row}`)
    writer.textKey(`v${(row + step) % ROWS}`)
    writer.endEntry()
  }
  return writer.finish()
}

function deletes(ids: readonly number[]): Uint8Array {
  const writer = new FrameWriter(0)
  writer.beginVertexDeletes(1)
  for (const id of ids) {
    writer.textKey(`v${id}`)
    writer.endEntry()
  }
  return writer.finish()
}

describe('the report of a rebuild', () => {
  it('counts vertices, edges and deletions per segment, before and after the merge', async () => {
    const engine = await engineWith(catalogOf([vertexType(1, 'V')], [edgeType(2, 'E', [1, 1])]))
    await engine.commit(chain(0, ROWS, 1))
    await engine.rebuild()
    await engine.commit(chain(0, 10, 2))
    await engine.commit(deletes([100, 200, 69_000]))
    const expected = [
      { segmentId: 0, vertexCount: 65_534, deletedVertexCount: 2, edgeCount: 65_536 - 4 + 10 },
      { segmentId: 1, vertexCount: 4_463, deletedVertexCount: 1, edgeCount: 4_464 - 2 },
    ]
    const first = await engine.rebuild()
    expect(first.segments).toMatchObject(expected.map((one) => ({ ...one, isSelected: true })))
    const second = await engine.rebuild()
    expect(second.segments).toMatchObject(expected.map((one) => ({ ...one, isSelected: false })))
    const one = await engine.rebuild({ force: true, segmentIds: [1] })
    expect(one.segments.map((segment) => segment.isSelected)).toEqual([false, true])
  })
})
