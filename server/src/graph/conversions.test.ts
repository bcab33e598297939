import { describe, expect, it } from 'vitest'
import type { Attribute, AttributeType, AttributeValue, Catalog } from '#catalog/types.ts'
import { createMemoryImage, MemoryStore } from '#storage/memory/memory-store.ts'
import {
  catalogOf,
  edgeType,
  engineWith,
  FrameBuilder,
  openEngine,
  realScheduler,
  vertexType,
} from '../../test/fixtures/engine.ts'
import { encodeCatalog } from './catalog-entry.ts'
import { valueAt } from './columns/read.ts'
import type { GraphEngine } from './engine.ts'
import type { GraphView } from './view.ts'

const list = (kind: 'INT' | 'DOUBLE') => ({ kind: 'LIST', element: { kind } }) as const
const set = (kind: 'INT' | 'DOUBLE') => ({ kind: 'SET', element: { kind } }) as const

interface Case {
  readonly from: AttributeType
  readonly to: AttributeType
  readonly values: readonly AttributeValue[]
  readonly expected: readonly AttributeValue[]
}

const wide = 2n ** 60n
const cases: readonly Case[] = [
  widening(
    'INT',
    'DOUBLE',
    [0, -5, 2 ** 40, wide, -(2n ** 63n)],
    [0, -5, 2 ** 40, 2 ** 60, -(2 ** 63)],
  ),
  widening('INT', 'STRING', [0, -5, 2n ** 63n - 1n], ['0', '-5', '9223372036854775807']),
  widening('UINT', 'INT', [0, 7, 2n ** 63n - 1n], [0, 7, 2n ** 63n - 1n]),
  widening('UINT', 'DOUBLE', [0, 7, 2n ** 63n], [0, 7, 2 ** 63]),
  widening('UINT', 'STRING', [1, 2n ** 64n - 1n], ['1', '18446744073709551615']),
  widening('FLOAT', 'DOUBLE', [0, 0.5, -1.25], [0, 0.5, -1.25]),
  widening('BOOL', 'INT', [true, false], [1, 0]),
  widening('BOOL', 'STRING', [true, false], ['true', 'false']),
  widening('DATETIME', 'STRING', [0, 1e9], ['1970-01-01 00:00:00', '2001-09-09 01:46:40']),
  { from: list('INT'), to: list('DOUBLE'), values: [[], [3, -1, 3]], expected: [[], [3, -1, 3]] },
  { from: set('INT'), to: set('DOUBLE'), values: [[1, 2, 256]], expected: [[2, 256, 1]] },
]

function widening(
  from: 'INT' | 'UINT' | 'FLOAT' | 'BOOL' | 'DATETIME',
  to: 'INT' | 'DOUBLE' | 'STRING',
  values: readonly AttributeValue[],
  expected: readonly AttributeValue[],
): Case {
  return { from: { kind: from }, to: { kind: to }, values, expected }
}

const attribute = (type: AttributeType): Attribute => ({ id: 1, name: 'a', type })

function schemaOf(type: AttributeType): Catalog {
  const parts = { attributes: [attribute(type)] }
  return catalogOf([vertexType(1, 'V', parts)], [edgeType(2, 'E', [1, 1], parts)])
}

/** The attribute of both types under a new number and with another type. */
function converted(catalog: Catalog, to: AttributeType): Catalog {
  const one = { id: 2, name: 'a', type: to, convertedFrom: 1 }
  const of = <T extends object>(type: T): T => ({ ...type, attributes: [one], nextAttributeId: 3 })
  return {
    ...catalog,
    vertexTypes: catalog.vertexTypes.map(of),
    edgeTypes: catalog.edgeTypes.map(of),
  }
}

/** Values of live vertices, then of live edges; a SET has no order of its own. */
function valuesIn({ vertexTables, edgeTables }: GraphView): AttributeValue[][] {
  const table = vertexTables[0]!
  const [adjacency] = edgeTables[0]!.adjacencies
  const isDead = (words: Uint32Array | null, row: number) =>
    words !== null && ((words[row >>> 5]! >>> (row & 31)) & 1) === 1
  const live = (count: number, words: Uint32Array | null) =>
    Array.from({ length: count }, (_, row) => row).filter((row) => !isDead(words, row))
  return [
    live(table.rowCount, table.deleted.words).map((row) => valueAt(table.columns[0]!, row)),
    live(adjacency!.baseCount + adjacency!.deltaCount, adjacency!.deleted.words).map((row) =>
      valueAt(adjacency!.columns[0]!, row),
    ),
  ]
}

async function filled(catalog: Catalog, values: readonly AttributeValue[], store: MemoryStore) {
  const engine = await engineWith(catalog, store)
  const frame = new FrameBuilder(catalog)
  values.forEach((a, index) => {
    frame.vertex('V', `v${index}`, { a }).edge('E', ['v0', `v${index}`], { a })
  })
  await engine.commit(frame.finish())
  return engine
}

const reopened = (store: MemoryStore) => openEngine(new MemoryStore(store.image))

describe('a wider type', () => {
  it.each(cases)('$from.kind as $to.kind keeps every value, and after a restart', async (one) => {
    const { from, to, values, expected } = one
    const store = new MemoryStore()
    const engine = await filled(schemaOf(from), values, store)
    await engine.changeCatalog((old) => converted(old, to))
    expect(valuesIn(engine.view())).toEqual([expected, expected])
    // As if they had been written so, the order within a SET included.
    const written = await filled(schemaOf(to), expected, new MemoryStore())
    expect(valuesIn(written.view())).toEqual([expected, expected])
    expect(valuesIn((await reopened(store)).view())).toEqual([expected, expected])
    await engine.rebuild()
    expect(valuesIn((await reopened(store)).view())).toEqual([expected, expected])
    const { usedBytes, tables } = engine.memory()
    expect(tables.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)).toBe(usedBytes)
  })

  it('is made of what a checkpoint holds and what was written since', async () => {
    const store = new MemoryStore()
    const catalog = schemaOf({ kind: 'INT' })
    const engine = await filled(catalog, [1, 2, 3], store)
    await engine.rebuild()
    await engine.commit(
      new FrameBuilder(catalog)
        .vertex('V', 'v0', { a: 9 })
        .vertex('V', 'v7', { a: 8 })
        .deleteVertex('V', 'v1')
        .finish(),
    )
    await engine.changeCatalog((old) => converted(old, { kind: 'STRING' }))
    const expected = [
      ['9', '3', '8'],
      ['1', '3'],
    ]
    expect(valuesIn(engine.view())).toEqual(expected)
    expect(valuesIn((await reopened(store)).view())).toEqual(expected)
    const next = new FrameBuilder(engine.catalog).vertex('V', 'v8', { a: 'x' }).vertex('V', 'v9')
    await engine.commit(next.finish())
    expect(valuesIn((await reopened(store)).view())[0]).toEqual(['9', '3', '8', 'x', ''])
  })

  it('gives new rows the new default', async () => {
    const store = new MemoryStore()
    const engine = await filled(schemaOf({ kind: 'INT' }), [1], store)
    await engine.changeCatalog((old) => {
      const next = converted(old, { kind: 'DOUBLE' })
      const [type] = next.vertexTypes
      const attributes = type!.attributes.map((one) => ({ ...one, defaultText: '5' }))
      return { ...next, vertexTypes: [{ ...type!, attributes }] }
    })
    const frame = new FrameBuilder(engine.catalog)
    for (let i = 10; i < 2000; i++) frame.vertex('V', `v${i}`)
    await engine.commit(frame.finish())
    const [values] = valuesIn(engine.view())
    expect([values?.length, new Set(values)]).toEqual([1991, new Set([1, 5])])
  })

  it.each([
    ['INT', 'DOUBLE', 2n ** 53n + 1n],
    ['UINT', 'DOUBLE', 2n ** 64n - 1n],
    ['UINT', 'INT', 2n ** 63n],
  ] as const)('%s as %s is refused for %d, and nothing has changed', async (from, to, value) => {
    const store = new MemoryStore()
    const engine = await filled(schemaOf({ kind: from }), [1, value, value, 5], store)
    const before = [engine.catalog, engine.sequence, engine.memory().usedBytes]
    const change = engine.changeCatalog((old) => converted(old, { kind: to }))
    await expect(change).rejects.toMatchObject({
      code: 'SCHEMA_RULE',
      message: `Semantic Check Fails: The value ${value} of V.a ('v1') cannot be kept as ${to}; 2 values cannot.`,
      details: {
        ...{ typeId: 1, detail: 'a', unkept: { count: 2, ids: ['v1', 'v2'] } },
        plain: `Semantic Check Fails: 2 values of V.a cannot be kept as ${to}.`,
      },
    })
    expect([engine.catalog, engine.sequence, engine.memory().usedBytes]).toEqual(before)
    expect(valuesIn(engine.view())[0]).toEqual([1, value, value, 5])
    await engine.commit(new FrameBuilder(engine.catalog).vertex('V', 'more').finish())
  })

  it('is refused for an edge, named by its ends, and for an element of a list', async () => {
    const catalog = schemaOf({ kind: 'INT' })
    const engine = await engineWith(catalog)
    const edge = new FrameBuilder(catalog).edge('E', ['x', 'y'], { a: 2n ** 53n + 1n })
    await engine.commit(edge.finish())
    await expect(
      engine.changeCatalog((old) => converted(old, { kind: 'DOUBLE' })),
    ).rejects.toMatchObject({ details: { typeId: 2, unkept: { count: 1, ids: ['x -> y'] } } })
    const lists = await filled(schemaOf(list('INT')), [[1, 2n ** 53n + 1n]], new MemoryStore())
    await expect(lists.changeCatalog((old) => converted(old, list('DOUBLE')))).rejects.toThrow(
      'cannot be kept as LIST<DOUBLE>',
    )
  })

  it('does not look at what was deleted', async () => {
    const catalog = schemaOf({ kind: 'INT' })
    const engine = await filled(catalog, [1, 2n ** 53n + 1n], new MemoryStore())
    await engine.commit(new FrameBuilder(catalog).deleteVertex('V', 'v1').finish())
    await engine.changeCatalog((old) => converted(old, { kind: 'DOUBLE' }))
    expect(valuesIn(engine.view())).toEqual([[1], [1]])
  })

  it('needs room for old and new columns together', async () => {
    const catalog = schemaOf({ kind: 'INT' })
    const image = createMemoryImage()
    const large = await openEngine(new MemoryStore(image))
    await large.changeCatalog(() => catalog)
    const frame = new FrameBuilder(catalog)
    for (let i = 0; i < 20_000; i++) frame.vertex('V', `v${i}`, { a: i })
    await large.commit(frame.finish())
    const memoryLimitBytes = large.memory().usedBytes + 500_000
    const engine = await openEngine(new MemoryStore(image), { memoryLimitBytes })
    const before = engine.memory().usedBytes
    const change = engine.changeCatalog((old) => converted(old, { kind: 'STRING' }))
    await expect(change).rejects.toMatchObject({ code: 'MEMORY_LIMIT' })
    expect([engine.memory().usedBytes, engine.catalog]).toEqual([before, catalog])
  })

  it('is no entry of a log that an older program would read', () => {
    const [plain, converting] = [false, true].map((one) =>
      encodeCatalog(schemaOf(list('INT')), null, one),
    )
    expect([plain![1], converting![1]]).toEqual([1, 2])
  })
})

describe('while columns are made', () => {
  const count = 30_000

  async function large(pauses: { onPause: () => void }): Promise<GraphEngine> {
    const catalog = schemaOf({ kind: 'INT' })
    const yieldToOthers = () => {
      pauses.onPause()
      return realScheduler.yieldToOthers()
    }
    let time = 0
    // Each look at the clock is a slice's length later: every piece ends one.
    const clock = { nowMs: () => 0, monotonicMs: () => (time += 100) }
    const engine = await openEngine(new MemoryStore(), { scheduler: { yieldToOthers }, clock })
    await engine.changeCatalog(() => catalog)
    const frame = new FrameBuilder(catalog)
    for (let i = 0; i < count; i++) frame.vertex('V', `v${i}`, { a: i })
    await engine.commit(frame.finish())
    return engine
  }

  it('readers see the old values until all have changed, and writes wait', async () => {
    const seen = new Set<unknown>()
    const pauses = { onPause: (): void => {} }
    const engine = await large(pauses)
    const pinned = engine.pin()
    const done: string[] = []
    let write: Promise<unknown> | null = null
    pauses.onPause = () => {
      const [column] = engine.view().vertexTables[0]!.columns
      seen.add(`${column!.type.kind} ${valueAt(column!, 0)} ${valueAt(column!, count - 1)}`)
      write ??= engine
        .commit(new FrameBuilder(schemaOf({ kind: 'INT' })).vertex('V', 'new').finish())
        .then(() => done.push('write'))
    }
    await engine.changeCatalog((old) => converted(old, { kind: 'STRING' }))
    done.push('change')
    await write
    expect([...seen]).toEqual([`INT 0 ${count - 1}`, `STRING 0 ${count - 1}`])
    expect(done).toEqual(['change', 'write'])
    expect(valuesIn(engine.view())[0]?.slice(-2)).toEqual([String(count - 1), ''])
    expect(valuesIn(pinned.view)[0]?.slice(-1)).toEqual([count - 1])
    pinned.release()
  })

  it('a frame that names the old attribute is refused, not lost', async () => {
    const pauses = { onPause: (): void => {} }
    const engine = await large(pauses)
    let write: Promise<unknown> = Promise.resolve()
    pauses.onPause = () => {
      const frame = new FrameBuilder(schemaOf({ kind: 'INT' })).vertex('V', 'v0', { a: 1 })
      write = engine.commit(frame.finish())
      write.catch(() => undefined)
      pauses.onPause = () => {}
    }
    await engine.changeCatalog((old) => converted(old, { kind: 'STRING' }))
    await expect(write).rejects.toMatchObject({ details: { isStale: true } })
  })

  it('a rebuild waits and is given up, and the next one writes what was made', async () => {
    const pauses = { onPause: (): void => {} }
    const engine = await large(pauses)
    let rebuild: Promise<unknown> | null = null
    pauses.onPause = () => {
      rebuild ??= engine.rebuild().catch((error: Error) => error.message)
    }
    await engine.changeCatalog((old) => converted(old, { kind: 'DOUBLE' }))
    await rebuild
    expect(valuesIn(engine.view())[0]?.slice(-1)).toEqual([count - 1])
    expect(engine.memory().tables.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)).toBe(
      engine.memory().usedBytes,
    )
  })

  it('the end of the engine ends it', async () => {
    const pauses = { onPause: (): void => {} }
    const engine = await large(pauses)
    pauses.onPause = () => void engine.close()
    const before = engine.memory().usedBytes
    const change = engine.changeCatalog((old) => converted(old, { kind: 'DOUBLE' }))
    await expect(change).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    expect(engine.memory().usedBytes).toBe(before)
  })
})
