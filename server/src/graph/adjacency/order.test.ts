import { describe, expect, it } from 'vitest'
import { createRandom } from '#kernel/prng.ts'
import {
  attributes,
  catalogOf,
  edgeType,
  engineWith,
  FrameBuilder,
  vertexType,
} from '../../../test/fixtures/engine.ts'
import type { GraphEngine } from '../engine.ts'
import { DeltaOrder } from './order.ts'
import { forEachBetween, forEachIn, forEachOut } from './read.ts'

const catalog = catalogOf(
  [vertexType(1, 'V')],
  [
    edgeType(2, 'E', [1, 1]),
    edgeType(3, 'M', [1, 1], {
      discriminatorCount: 2,
      attributes: attributes({ day: 'INT', tag: 'STRING' }),
    }),
  ],
)

const adjacencyOf = (engine: GraphEngine, typeId: number) =>
  engine.view().edgeTables.find((table) => table.typeId === typeId)!.adjacencies[0]!

/** What walks out of and into every vertex meet, in their order, with the discriminators. */
function walks(engine: GraphEngine, vertexCount: number): string[] {
  return [2, 3].flatMap((typeId) => {
    const adjacency = adjacencyOf(engine, typeId)
    const label = (edge: number) =>
      adjacency.columns.map(({ data, heap }) => (heap === null ? data[edge] : '')).join()
    const lines: string[] = []
    for (let row = 0; row < vertexCount; row++) {
      forEachOut(adjacency, row, (other, edge) => lines.push(`${row}>${other} ${label(edge)}`))
      forEachIn(adjacency, row, (other, edge) => lines.push(`${row}<${other} ${label(edge)}`))
      forEachBetween(adjacency, { source: row, target: 1 }, (edge) =>
        lines.push(`${row}=1 ${label(edge)}`),
      )
    }
    return lines
  })
}

describe('the order of edges', () => {
  it('is that of a rebuild before there was one', async () => {
    const random = createRandom(11)
    const engine = await engineWith(catalog)
    const write = async (count: number) => {
      const frame = new FrameBuilder(catalog)
      for (let i = 0; i < count; i++) {
        const [from, to] = [`v${random.below(9)}`, `v${random.below(40)}`]
        frame.edge('E', [from, to])
        frame.edge('M', [from, to], { day: random.below(3) - 1, tag: `${random.below(3)}` })
        if (i % 5 === 0) frame.deleteEdge('E', [`v${random.below(9)}`, `v${random.below(40)}`])
      }
      await engine.commit(frame.finish())
    }
    await write(300)
    const before = walks(engine, 40)
    await engine.rebuild()
    expect(walks(engine, 40)).toEqual(before)
    // Now with a base under the delta, and tombstones in both.
    await write(200)
    const mixed = walks(engine, 40)
    expect(adjacencyOf(engine, 3).deltaCount).toBeGreaterThan(50)
    await engine.rebuild()
    expect(walks(engine, 40)).toEqual(mixed)
  })

  it('puts a chain of a hub in order in pieces', async () => {
    const random = createRandom(3)
    const engine = await engineWith(catalog)
    const frame = new FrameBuilder(catalog)
    const count = 40_000
    const targets = Array.from({ length: count }, (_unused, index) => index)
    for (const target of targets) frame.vertex('V', `v${target}`)
    for (const target of targets.toSorted(() => random.below(3) - 1)) {
      frame.edge('E', ['v7', `v${target}`])
    }
    await engine.commit(frame.finish())
    const order = new DeltaOrder(adjacencyOf(engine, 2), false)
    const pieces = [...order.loadInPieces(7)].length
    expect(pieces).toBeGreaterThan(count / 10_000)
    const others = () => Array.from({ length: order.count }, (_unused, at) => order.otherAt(at))
    expect(others()).toEqual(targets)
    // Another vertex in between does not disturb what is kept of the hub.
    expect([order.load(8), order.load(7)]).toEqual([0, count])
    expect(others()).toEqual(targets)
  })
})
