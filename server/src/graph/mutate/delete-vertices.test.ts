import { describe, expect, it } from 'vitest'
import { createMemoryImage, MemoryStore } from '#storage/memory/memory-store.ts'
import {
  catalogOf,
  edgeType,
  FrameBuilder,
  openEngine,
  realScheduler,
  vertexType,
} from '../../../test/fixtures/engine.ts'
import { outDegree } from '../adjacency/read.ts'
import type { GraphEngine } from '../engine.ts'

const catalog = catalogOf(
  [vertexType(1, 'V'), vertexType(2, 'W')],
  [
    edgeType(3, 'E', [1, 1]),
    edgeType(4, 'U', [1, 1], { directed: false }),
    edgeType(5, 'X', [2, 1]),
  ],
)

const counts = (engine: GraphEngine) =>
  engine.view().edgeTables.map(({ adjacencies }) => adjacencies[0]!.liveCount)

describe('a vertex with many edges', () => {
  it.each([true, false])(
    'is deleted in slices that nobody sees, after a rebuild %j',
    async (rebuilt) => {
      const image = createMemoryImage()
      let now = 0
      let slices = 0
      const seen = new Set<string>()
      const engine: GraphEngine = await openEngine(new MemoryStore(image), {
        // Every look at the clock takes as long as a slice may.
        clock: { nowMs: () => now, monotonicMs: () => (now += 6) },
        scheduler: {
          yieldToOthers: () => {
            slices += 1
            seen.add(counts(engine).join())
            return realScheduler.yieldToOthers()
          },
        },
      })
      await engine.changeCatalog(() => catalog)
      const batch = new FrameBuilder(catalog)
      for (let i = 0; i < 5_000; i++) {
        batch.edge('E', ['hub', `v${i}`]).edge('E', [`v${i}`, 'hub'])
        batch.edge('U', [`v${i}`, 'hub']).edge('X', [`w${i}`, 'hub'])
      }
      // Loops, and edges that stay.
      batch.edge('E', ['hub', 'hub']).edge('U', ['hub', 'hub']).edge('E', ['v1', 'v2'])
      await engine.commit(batch.finish())
      if (rebuilt) await engine.rebuild()
      const before = counts(engine).join()
      slices = 0
      seen.clear()
      const outcome = await engine.commit(
        new FrameBuilder(catalog).deleteVertex('V', 'hub').finish(),
      )
      expect(outcome).toMatchObject({ deletedVertices: 1, deletedEdges: 20_002 })
      expect(slices).toBeGreaterThan(3)
      expect([...seen].filter((state) => state !== '1,0,0')).toEqual([before])
      expect(counts(engine)).toEqual([1, 0, 0])
      const again = await openEngine(new MemoryStore(image))
      expect(counts(again)).toEqual([1, 0, 0])
      expect(outDegree(again.view().edgeTables[0]!.adjacencies[0]!, 1)).toBe(0)
    },
  )
})
