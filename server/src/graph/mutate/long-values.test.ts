/** Values of megabytes are written and joined in pieces: others run between them, and see the old ones. */
import { isDeepStrictEqual } from 'node:util'
import { describe, expect, it } from 'vitest'
import type { AttributeType, AttributeValue } from '#catalog/types.ts'
import { VALUE_PIECE_BYTES } from '#kernel/limits.ts'
import { createMemoryImage, MemoryStore } from '#storage/memory/memory-store.ts'
import {
  attributes,
  catalogOf,
  edgeType,
  FrameBuilder,
  openEngine,
  vertexType,
} from '../../../test/fixtures/engine.ts'
import { valueAt } from '../columns/read.ts'
import type { GraphEngine } from '../engine.ts'
import { fieldOp } from './frame-format.ts'

const string = { kind: 'STRING' } as const
const types: Readonly<Record<string, AttributeType>> = {
  list: { kind: 'LIST', element: string },
  set: { kind: 'SET', element: string },
  map: { kind: 'MAP', key: string, value: string },
  text: string,
}
const catalog = catalogOf(
  [vertexType(1, 'V', { attributes: attributes(types) })],
  [edgeType(2, 'E', [1, 1], { attributes: attributes(types) })],
)
const names = Object.keys(types)

/** Engines whose every look at the clock finds a slice over. */
async function opened(image = createMemoryImage()) {
  let ms = 0
  let watch = () => {}
  let pauses = 0
  const engine = await openEngine(new MemoryStore(image), {
    clock: { nowMs: () => 0, monotonicMs: () => (ms += 1_000) },
    scheduler: {
      yieldToOthers: async () => {
        pauses += 1
        watch()
        await new Promise(setImmediate)
      },
    },
  })
  const pausesOf = async (frame: Uint8Array, during = () => {}) => {
    ;[pauses, watch] = [0, during]
    await engine.commit(frame)
    return pauses
  }
  return { engine, pausesOf, image }
}

function vertexValue(engine: GraphEngine, name: string): AttributeValue {
  return valueAt(engine.view().vertexTables[0]!.columns[names.indexOf(name)]!, 0)
}

function edgeValue(engine: GraphEngine, name: string): AttributeValue {
  const { columns } = engine.view().edgeTables[0]!.adjacencies[0]!
  return valueAt(columns[names.indexOf(name)]!, 0)
}

/** Of a commit that is applied at once: the queue pauses behind it. */
const pausesAtOnce = 1
/** Of long values: at least those between their pieces. */
const piecesMin = 3

const letters = ['a', 'b', 'c', 'd', 'e', 'f']
const long = letters.map((letter) => letter.repeat(VALUE_PIECE_BYTES / 2))
const short = letters.map((letter) => letter.repeat(VALUE_PIECE_BYTES / 32))

interface Case {
  readonly first: (texts: readonly string[]) => AttributeValue
  readonly added: AttributeValue
  readonly both: (texts: readonly string[]) => AttributeValue
}

const cases: Readonly<Record<string, Case>> = {
  list: { first: (texts) => texts, added: ['z', 'a'], both: (texts) => [...texts, 'z', 'a'] },
  // By their bytes: the length comes first.
  set: { first: (texts) => texts, added: ['A', 'z'], both: (texts) => ['A', 'z', ...texts] },
  map: {
    first: (texts) => texts.map((text) => [text.slice(0, 9), text]),
    added: [[short[2]!.slice(0, 9), 'new']],
    both: (texts) => texts.map((text, at) => [text.slice(0, 9), at === 2 ? 'new' : text]),
  },
  text: {
    first: (texts) => texts.join(''),
    added: 'z',
    both: (texts) => `${texts.join('')}z`,
  },
}

describe.each(Object.entries(cases))('a %s', (name, { first, added, both }) => {
  const ends = ['v', 'v'] as const
  const ofVertex = (value: AttributeValue, op = 0) =>
    new FrameBuilder(catalog).vertex('V', 'v', { [name]: value }, op).finish()
  const ofEdge = (value: AttributeValue, op = 0) =>
    new FrameBuilder(catalog).edge('E', ends, { [name]: value }, op).finish()

  it.each([
    ['a vertex', ofVertex, vertexValue],
    ['an edge', ofEdge, edgeValue],
  ] as const)('of %s is written and added to in pieces', async (_what, frameOf, valueIn) => {
    const { engine, pausesOf, image } = await opened()
    await engine.changeCatalog(() => catalog)
    await engine.commit(ofVertex(first(short)))
    await engine.commit(frameOf(first(short)))
    expect(await pausesOf(frameOf(first(short)))).toBe(pausesAtOnce)
    expect(await pausesOf(frameOf(first(long)))).toBeGreaterThanOrEqual(piecesMin)
    const seen = new Set<boolean>()
    const look = () => {
      if (engine.isApplying) seen.add(isDeepStrictEqual(valueIn(engine, name), first(long)))
    }
    const pauses = await pausesOf(frameOf(added, fieldOp.add), look)
    expect(pauses).toBeGreaterThanOrEqual(piecesMin)
    expect([...seen], 'it is as before while it is added to').toEqual([true])
    // Not as a matcher: texts of megabytes are no message.
    const { engine: again } = await opened(image)
    for (const one of [engine, again]) {
      expect(isDeepStrictEqual(valueIn(one, name), both(long))).toBe(true)
    }
  })

  it('of another vertex that is short is added to at once', async () => {
    const { engine, pausesOf } = await opened()
    await engine.changeCatalog(() => catalog)
    await engine.commit(ofVertex(first(short)))
    const other = (value: AttributeValue, op = 0) =>
      new FrameBuilder(catalog).vertex('V', 'w', { [name]: value }, op).finish()
    await engine.commit(other(first(long)))
    expect(await pausesOf(ofVertex(added, fieldOp.add))).toBe(pausesAtOnce)
    expect(isDeepStrictEqual(vertexValue(engine, name), both(short))).toBe(true)
  })
})

it('a set of many short items is joined in pieces, too', async () => {
  const { engine, pausesOf } = await opened()
  await engine.changeCatalog(() => catalog)
  const items = Array.from({ length: 100_000 }, (_, at) => String(at * 3 + 1_000_000))
  const frameOf = (set: AttributeValue, op = 0) =>
    new FrameBuilder(catalog).vertex('V', 'v', { set }, op).finish()
  await engine.commit(frameOf(items))
  expect(await pausesOf(frameOf(['1000000', '1000001'], fieldOp.add))).toBeGreaterThanOrEqual(4)
  const joined = [items[0]!, '1000001', ...items.slice(1)]
  expect(isDeepStrictEqual(vertexValue(engine, 'set'), joined)).toBe(true)
})
