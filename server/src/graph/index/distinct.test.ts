import { expect, it } from 'vitest'
import {
  attributes,
  catalogOf,
  engineWith,
  FrameBuilder,
  vertexType,
} from '../../../test/fixtures/engine.ts'
import { runThrough } from '../memory/pairs.ts'
import { distinctCount } from './distinct.ts'
import { IndexFactsReader } from './facts.ts'

const types = attributes({ name: 'STRING', wide: 'UINT', real: 'DOUBLE' })
const catalog = catalogOf([
  vertexType(1, 'Person', {
    attributes: types,
    indexes: types.map((one) => ({ name: `by_${one.name}`, attributeId: one.id })),
  }),
])
const frame = () => new FrameBuilder(catalog)

async function filled(count: number) {
  const engine = await engineWith(catalog)
  const builder = frame()
  for (let i = 0; i < count; i++) {
    builder.vertex('Person', `p${i}`, {
      name: `n${i % 10}`,
      // Beyond 2^53 many numbers are one key and one double.
      wide: 2n ** 63n + BigInt(i % 300),
      real: i % 4 === 0 ? Number.NaN : i % 2,
    })
  }
  await engine.commit(builder.finish())
  engine.lookupEqual(1, 1, ['n1'])
  engine.lookupEqual(1, 2, [1])
  engine.lookupEqual(1, 3, [1])
  const index = (attributeId: number) => engine.tables.vertexTable(1)!.indexOn(attributeId)!
  const counted = (attributeId: number) => {
    const pieces = distinctCount(index(attributeId))
    for (;;) {
      const piece = pieces.next()
      if (piece.done) return piece.value
    }
  }
  return { engine, index, counted }
}

it('counts values that share a key one by one, and NaN once', async () => {
  const { counted } = await filled(1_000)
  expect([counted(1), counted(2), counted(3)]).toEqual([10, 300, 3])
})

it('counts changed, new and deleted rows as they are now', async () => {
  const { engine, counted } = await filled(100)
  await engine.commit(
    frame()
      .vertex('Person', 'p3', { name: 'changed', wide: 5n })
      .vertex('Person', 'p4', { name: 'changed' })
      .vertex('Person', 'new', { name: 'n7' })
      .deleteVertex('Person', 'p9')
      .finish(),
  )
  expect(counted(1)).toBe(11)
  // Three of a hundred went: p3's for 5, p9's for nothing; the new one has 0.
  expect(counted(2)).toBe(100)
})

it('an index that nobody has asked yet is not built, and one that went is not read', async () => {
  const engine = await engineWith(catalog)
  await engine.commit(frame().vertex('Person', 'p', { name: 'x' }).finish())
  const scheduler = { yieldToOthers: async () => {} }
  const clock = { monotonicMs: () => 0 }
  const reader = new IndexFactsReader({ tables: engine.tables, clock, scheduler })
  expect(await reader.read(1, 1)).toEqual({
    ...{ state: 'unbuilt', builtShare: 0, sizeBytes: 0, distinctCount: null },
  })
  expect(await reader.read(1, 9)).toMatchObject({ state: 'unbuilt' })
  const index = engine.tables.vertexTable(1)!.indexOn(1)!
  runThrough(index.build())
  expect(await reader.read(1, 1)).toMatchObject({ state: 'ready', distinctCount: 1 })
  index.release()
  expect(await reader.read(1, 1)).toMatchObject({ distinctCount: null })
})

it('lets others work between pieces, and two who ask at once share one walk', async () => {
  const { engine } = await filled(9_000)
  let now = 0
  let pauses = 0
  const reader = new IndexFactsReader({
    tables: engine.tables,
    clock: { monotonicMs: () => (now += 6) },
    scheduler: {
      yieldToOthers: async () => {
        pauses++
      },
    },
  })
  const both = await Promise.all([reader.read(1, 1), reader.read(1, 1)])
  expect(both.map((facts) => facts.distinctCount)).toEqual([10, 10])
  expect(pauses).toBe(3)
})
