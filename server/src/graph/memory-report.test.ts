import { describe, expect, it } from 'vitest'
import {
  attributes,
  catalogOf,
  edgeType,
  engineWith,
  vertexType,
} from '../../test/fixtures/engine.ts'
import type { GraphEngine } from './engine.ts'
import { FrameWriter } from './mutate/frame-writer.ts'

const VERTICES = 12_500
const EDGES = 200_000

async function loaded(withAttributes: boolean): Promise<GraphEngine> {
  const types = withAttributes
    ? attributes({ weight: 'INT', amount: 'DOUBLE', at: 'DATETIME' })
    : []
  const engine = await engineWith(
    catalogOf([vertexType(1, 'V')], [edgeType(2, 'E', [1, 1], { attributes: types })]),
  )
  const writer = new FrameWriter(0)
  writer.beginEdges(
    { edgeTypeId: 2, fromTypeId: 1, toTypeId: 1 },
    types.map(({ id }) => ({ attributeId: id, op: 0 })),
  )
  for (let i = 0; i < EDGES; i++) {
    writer.textKey(`u${i % VERTICES}`)
    writer.textKey(`u${(i * 7919 + Math.floor(i / VERTICES)) % VERTICES}`)
    if (withAttributes) {
      writer.int64(i, 0)
      writer.float64(i / 3)
      writer.int64(1_700_000_000 + i, 0)
    }
    writer.endEntry()
  }
  await engine.commit(writer.finish())
  await engine.rebuild()
  return engine
}

function bytesPerEdge(engine: GraphEngine): number {
  const { usedBytes, tables } = engine.memory()
  return usedBytes / tables.find((table) => table.kind === 'edge')!.liveCount
}

describe('memory after a rebuild', () => {
  it('is at most 24 bytes per edge, both directions and ids included', async () => {
    const engine = await loaded(false)
    expect(bytesPerEdge(engine)).toBeLessThanOrEqual(24)
  })

  it('is at most 40 bytes per edge with 16 bytes of attributes', async () => {
    const engine = await loaded(true)
    expect(bytesPerEdge(engine)).toBeLessThanOrEqual(40)
  })

  it('is what the tables add up to', async () => {
    const { usedBytes, tables } = (await loaded(true)).memory()
    expect(tables.reduce((sum, table) => sum + table.sizeBytes, 0)).toBe(usedBytes)
  })
})
