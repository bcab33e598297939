import { describe, expect, it } from 'vitest'
import { MemoryStore } from '#storage/memory/memory-store.ts'
import {
  attributes,
  catalogOf,
  edgeType,
  engineWith,
  FrameBuilder,
  openEngine,
  vertexType,
} from '../../../test/fixtures/engine.ts'
import { valueAt } from '../columns/read.ts'
import type { GraphEngine } from '../engine.ts'
import { findRow } from '../ids/read.ts'
import { writeValue } from './frame-values.ts'
import { FrameWriter } from './frame-writer.ts'

const catalog = catalogOf(
  [
    vertexType(1, 'V', {
      attributes: attributes({
        n: 'INT',
        u: 'UINT',
        d: 'DOUBLE',
        f: 'FLOAT',
        s: 'STRING',
        b: 'BOOL',
      }),
    }),
    vertexType(2, 'N', {
      primaryId: { syntax: 'PRIMARY_ID', names: ['id'], type: 'INT', asAttribute: false },
    }),
  ],
  [
    edgeType(3, 'E', [1, 1], {
      discriminatorCount: 1,
      attributes: attributes({ k: 'INT', w: 'DOUBLE' }),
    }),
    edgeType(4, 'U', [1, 1], { directed: false, attributes: attributes({ w: 'INT' }) }),
  ],
)
const noTuples = () => {
  throw new Error('no tuples here')
}
const pairOf = (edgeTypeId: number) => ({ edgeTypeId, fromTypeId: 1, toTypeId: 1 })

async function filled(store = new MemoryStore()): Promise<GraphEngine> {
  const engine = await engineWith(catalog, store)
  const frame = new FrameBuilder(catalog)
    .vertex('V', 'a', { n: 5, u: 2n ** 64n - 1n, d: Number.NaN, f: -0, s: 'é', b: true })
    .vertex('V', 'z', { n: 2n ** 62n })
    .edge('E', ['a', 'z'], { k: 7, w: Number.NaN })
    .edge('U', ['z', 'a'], { w: 3 })
  await engine.commit(frame.finish())
  return engine
}

/** A batch that writes n = 9 of `a` after expectations that `begin` has written. */
function guarded(expectations: (writer: FrameWriter) => void): Uint8Array {
  const writer = new FrameWriter(0)
  expectations(writer)
  writer.beginVertices(1, [{ attributeId: 1, op: 0 }])
  writer.textKey('a')
  writer.bigint64(9n)
  writer.endEntry()
  return writer.finish()
}

function n(engine: GraphEngine): unknown {
  const table = engine.view().vertexTables.find(({ typeId }) => typeId === 1)!
  return valueAt(table.columns[0]!, findRow(table, 'a'))
}

const vertexCases: readonly [
  name: string,
  attributeId: number,
  kind: string,
  met: unknown,
  unmet: unknown,
][] = [
  ['an INT', 1, 'INT', 5, 6],
  ['a UINT above 2^63', 2, 'UINT', 2n ** 64n - 1n, 2n ** 64n - 2n],
  ['NaN', 3, 'DOUBLE', Number.NaN, 1],
  ['a zero without its sign', 4, 'FLOAT', 0, 1],
  ['a STRING', 5, 'STRING', 'é', 'e'],
  ['a BOOL', 6, 'BOOL', true, false],
]

describe('a batch with expectations', () => {
  it.each(vertexCases)(
    'is applied when %s is as it was read, and else refused',
    async (...given) => {
      const [, attributeId, kind, met, unmet] = given
      const engine = await filled()
      const batch = (value: unknown) =>
        guarded((writer) => {
          writer.beginVertexExpectations(1, [attributeId])
          writer.textKey('a')
          writeValue(writer, { kind } as never, value as never, noTuples)
          writer.endEntry()
        })
      const refused = await engine.commit(batch(unmet))
      expect(refused).toMatchObject({ isInConflict: true, rejected: true, acceptedVertices: 0 })
      expect(n(engine)).toBe(5)
      const applied = await engine.commit(batch(met))
      expect(applied).toMatchObject({ isInConflict: false, rejected: false, acceptedVertices: 1 })
      expect(n(engine)).toBe(9)
    },
  )

  it('tells NaN from a number that replaced it', async () => {
    const engine = await filled()
    await engine.commit(new FrameBuilder(catalog).vertex('V', 'a', { d: 1 }).finish())
    const batch = guarded((writer) => {
      writer.beginVertexExpectations(1, [3])
      writer.textKey('a')
      writer.float64(Number.NaN)
      writer.endEntry()
    })
    expect(await engine.commit(batch)).toMatchObject({ isInConflict: true })
  })

  it('is refused when a vertex is gone, or has come', async () => {
    const engine = await filled()
    const expectZ = guarded((writer) => {
      writer.beginVertexExpectations(1, [1])
      writer.textKey('z')
      writer.bigint64(2n ** 62n)
      writer.endEntry()
    })
    const expectNone = (id: bigint) =>
      guarded((writer) => {
        writer.beginAbsentVertices(2)
        writer.bigintKey(id)
        writer.endEntry()
      })
    expect(await engine.commit(expectZ)).toMatchObject({ isInConflict: false })
    await engine.commit(new FrameBuilder(catalog).deleteVertex('V', 'z').finish())
    expect(await engine.commit(expectZ)).toMatchObject({ isInConflict: true })
    expect(await engine.commit(expectNone(4n))).toMatchObject({ isInConflict: false })
    await engine.commit(new FrameBuilder(catalog).vertex('N', 4).finish())
    expect(await engine.commit(expectNone(4n))).toMatchObject({ isInConflict: true })
    expect(await engine.commit(expectNone(5n))).toMatchObject({ isInConflict: false })
  })

  it('finds parallel edges by their discriminators, undirected ones from either end', async () => {
    const engine = await filled()
    const edge = (type: number, ends: readonly string[], write: (writer: FrameWriter) => void) =>
      guarded((writer) => {
        if (type === 3) writer.beginEdgeExpectations(pairOf(3), [1, 2])
        else writer.beginEdgeExpectations(pairOf(4), [1])
        for (const end of ends) writer.textKey(end)
        write(writer)
        writer.endEntry()
      })
    const parallel = (k: bigint, w: number) =>
      edge(3, ['a', 'z'], (writer) => {
        writer.bigint64(k)
        writer.float64(w)
      })
    expect(await engine.commit(parallel(7n, Number.NaN))).toMatchObject({ isInConflict: false })
    expect(await engine.commit(parallel(7n, 1))).toMatchObject({ isInConflict: true })
    expect(await engine.commit(parallel(8n, Number.NaN))).toMatchObject({ isInConflict: true })
    for (const ends of [
      ['a', 'z'],
      ['z', 'a'],
    ]) {
      const three = edge(4, ends, (writer) => writer.bigint64(3n))
      const four = edge(4, ends, (writer) => writer.bigint64(4n))
      expect(await engine.commit(three)).toMatchObject({ isInConflict: false })
      expect(await engine.commit(four)).toMatchObject({ isInConflict: true })
    }
    const none = (k: bigint) =>
      guarded((writer) => {
        writer.beginAbsentEdges(pairOf(3), [1])
        writer.textKey('a')
        writer.textKey('z')
        writer.bigint64(k)
        writer.endEntry()
      })
    expect(await engine.commit(none(8n))).toMatchObject({ isInConflict: false })
    expect(await engine.commit(none(7n))).toMatchObject({ isInConflict: true })
    const removed = new FrameBuilder(catalog).deleteEdge('E', ['a', 'z'], { k: 7 })
    await engine.commit(removed.finish())
    expect(await engine.commit(none(7n))).toMatchObject({ isInConflict: false })
    expect(await engine.commit(parallel(7n, Number.NaN))).toMatchObject({ isInConflict: true })
  })

  it('replays with the verdict that it had', async () => {
    const store = new MemoryStore()
    const engine = await filled(store)
    const batch = guarded((writer) => {
      writer.beginVertexExpectations(1, [1])
      writer.textKey('a')
      writer.bigint64(5n)
      writer.endEntry()
    })
    expect(await engine.commit(batch)).toMatchObject({ isInConflict: false })
    expect(await engine.commit(batch)).toMatchObject({ isInConflict: true })
    await engine.commit(new FrameBuilder(catalog).vertex('V', 'a', { n: 6 }).finish())
    expect(await engine.commit(batch)).toMatchObject({ isInConflict: true })
    const again = await openEngine(store)
    expect(n(again)).toBe(6)
  })

  it('is judged over many entries, whichever of them does not hold', async () => {
    const engine = await engineWith(catalog)
    const all = new FrameBuilder(catalog).vertex('V', 'a', { n: 5 })
    const count = 1_030
    for (let i = 0; i < count; i++) all.vertex('V', `v${i}`, { n: i })
    await engine.commit(all.finish())
    const batch = (wrong: number) =>
      guarded((writer) => {
        writer.beginVertexExpectations(1, [1])
        for (let i = 0; i < count; i++) {
          writer.textKey(`v${i}`)
          writer.bigint64(BigInt(i === wrong ? -1 : i))
          writer.endEntry()
        }
      })
    for (const wrong of [0, 511, 512, 513, 1_024, count - 1]) {
      expect(await engine.commit(batch(wrong))).toMatchObject({ isInConflict: true })
    }
    expect(await engine.commit(batch(-1))).toMatchObject({ isInConflict: false })
  })
})

it('a collection or tuple that nobody has written is met by an empty one, or one of zeros', async () => {
  const tuple = {
    name: 'T',
    fields: [
      { name: 'x', type: 'INT' },
      { name: 's', type: 'STRING' },
    ],
  } as const
  const types = {
    LIST: { kind: 'LIST', element: { kind: 'STRING' } },
    SET: { kind: 'SET', element: { kind: 'INT' } },
    MAP: { kind: 'MAP', key: { kind: 'STRING' }, value: { kind: 'INT' } },
    TUPLE: { kind: 'TUPLE', name: 'T' },
  } as const
  const cases = [
    ['LIST', [], ['x']],
    ['SET', [], [1]],
    ['MAP', [], [['x', 1]]],
    ['TUPLE', [0, ''], [1, '']],
  ] as const
  const collections = catalogOf(
    [vertexType(1, 'V', { attributes: attributes({ n: 'INT', ...types }) })],
    [],
    { tuples: [tuple] },
  )
  const engine = await engineWith(collections)
  await engine.commit(new FrameBuilder(collections).vertex('V', 'a').finish())
  for (const [place, [kind, met, unmet]] of cases.entries()) {
    const expecting = (value: typeof met | typeof unmet) =>
      guarded((writer) => {
        writer.beginVertexExpectations(1, [place + 2])
        writer.textKey('a')
        writeValue(writer, types[kind], value as never, () => tuple)
        writer.endEntry()
      })
    const { isInConflict } = await engine.commit(expecting(unmet))
    expect(isInConflict, kind).toBe(true)
    // As in logs of programs that did not write the flag: what was refused stays so.
    const old = expecting(met)
    old[2] = 0
    expect((await engine.commit(old)).isInConflict, kind).toBe(true)
    expect((await engine.commit(expecting(met))).isInConflict, kind).toBe(false)
  }
})
