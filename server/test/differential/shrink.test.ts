import { expect, it } from 'vitest'
import { Dice } from '../oracle/fuzz/dice.ts'
import { makeGraph } from './graph.ts'
import { shrunk } from './shrink.ts'

/** The first graph with a self loop of K. */
function graphWithLoop() {
  for (let seed = 0; ; seed++) {
    const graph = makeGraph(new Dice(seed))
    if (graph.edges.some(({ type, from, to }) => type === 'K' && from === to)) return graph
  }
}

it('leaves what the difference needs', async () => {
  const small = await shrunk(
    graphWithLoop(),
    async ({ edges }) => edges.some(({ type, from, to }) => type === 'K' && from === to),
    performance.now() + 60_000,
  )
  expect(small.edges).toHaveLength(1)
  expect(small.people).toEqual([{ k: small.edges[0]!.from, i: 0, d: 0, s: '', b: false }])
  expect(small.gone.edges).toEqual([])
  expect(small.isRebuilt).toBe(false)
})
