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
} from '../../test/fixtures/engine.ts'
import { forEachIn, forEachIncident, forEachOut, inDegree, outDegree } from './adjacency/read.ts'
import { jsonAt } from './columns/json.ts'
import { numberAt, stringAt, valueAt } from './columns/read.ts'
import type { GraphEngine } from './engine.ts'
import { findRow, idText } from './ids/read.ts'
import { frameFlag } from './mutate/frame-format.ts'

const person = vertexType(1, 'Person', {
  attributes: attributes({
    name: 'STRING',
    age: 'INT',
    tags: { kind: 'SET', element: { kind: 'STRING' } },
  }),
})
const company = vertexType(2, 'Company', {
  primaryId: { syntax: 'PRIMARY_KEY', names: ['cid'], type: 'INT', asAttribute: true },
  attributes: attributes({ cid: 'INT', big: 'UINT' }),
})
const catalog = catalogOf(
  [person, company],
  [
    edgeType(3, 'Works', [1, 2], { attributes: attributes({ pay: 'DOUBLE' }) }),
    edgeType(4, 'Knows', [1, 1], { directed: false, attributes: attributes({ weight: 'INT' }) }),
    edgeType(5, 'Pays', [2, 1], {
      discriminatorCount: 1,
      attributes: attributes({ month: 'STRING', amount: 'INT' }),
    }),
  ],
)

function table(engine: GraphEngine, name: string) {
  return engine.view().vertexTables.find((one) => one.typeName === name)!
}

function edges(engine: GraphEngine, name: string) {
  return engine.view().edgeTables.find((one) => one.typeName === name)!
}

function frame(flags = 0): FrameBuilder {
  return new FrameBuilder(catalog, flags)
}

describe('GraphEngine', () => {
  it('applies vertices with every operation and reads them back', async () => {
    const engine = await engineWith(catalog)
    await engine.commit(
      frame()
        .vertex('Person', 'ada', { name: 'Ada', age: 3, tags: ['x', 'y'] })
        .finish(),
    )
    await engine.commit(
      frame()
        .vertex('Person', 'ada', { age: 4, tags: ['a', 'x'] }, 2)
        .finish(),
    )
    await engine.commit(frame().vertex('Person', 'ada', { name: ' L.' }, 2).finish())
    await engine.commit(frame().vertex('Person', 'ada', { age: 5 }, 6).finish())
    const people = table(engine, 'Person')
    const row = findRow(people, 'ada')
    expect(idText(people.ids, row)).toBe('ada')
    expect(people.columns.map((column) => jsonAt(column, row))).toEqual([
      '"Ada L."',
      '5',
      '["a","x","y"]',
    ])
    expect(findRow(people, 'bob')).toBe(-1)
  })

  it('keeps a byte order mark in front of an id or a text', async () => {
    const engine = await engineWith(catalog)
    const [id, name, tag] = ['\uFEFFada', '\uFEFFAda of the long name, beyond 24 bytes', '\uFEFFx']
    await engine.commit(
      frame()
        .vertex('Person', id, { name, tags: [tag] })
        .finish(),
    )
    const people = table(engine, 'Person')
    const row = findRow(people, id)
    expect([row, idText(people.ids, row), findRow(people, 'ada')]).toEqual([0, id, -1])
    expect(people.columns.map((column) => valueAt(column, row))).toEqual([name, 0, [tag]])
  })

  it('creates the ends of an edge and does not count them', async () => {
    const engine = await engineWith(catalog)
    const outcome = await engine.commit(frame().edge('Works', ['ada', 7], { pay: 1.5 }).finish())
    expect(outcome).toMatchObject({ acceptedVertices: 0, acceptedEdges: 1, sequence: 2 })
    const company = table(engine, 'Company')
    const row = findRow(company, '7')
    expect(numberAt(company.columns[0]!, row)).toBe(7)
    const works = edges(engine, 'Works').adjacencies[0]!
    const seen: number[] = []
    forEachOut(works, findRow(table(engine, 'Person'), 'ada'), (other, edge) =>
      seen.push(other, numberAt(works.columns[0]!, edge)),
    )
    expect(seen).toEqual([row, 1.5])
    expect(inDegree(works, row)).toBe(1)
  })

  it('stores an undirected edge once and finds it from both ends', async () => {
    const engine = await engineWith(catalog)
    await engine.commit(frame().vertex('Person', 'a').vertex('Person', 'b').finish())
    await engine.commit(frame().edge('Knows', ['b', 'a'], { weight: 1 }).finish())
    await engine.commit(frame().edge('Knows', ['a', 'b'], { weight: 5 }, 2).finish())
    await engine.commit(frame().edge('Knows', ['a', 'a'], { weight: 9 }).finish())
    const knows = edges(engine, 'Knows')
    expect(knows.adjacencies[0]!.liveCount).toBe(2)
    const weights = (row: number) => {
      const seen: number[] = []
      forEachIncident(knows, { typeId: 1, row }, (edge) =>
        seen.push(numberAt(edge.adjacency.columns[0]!, edge.edgeRow)),
      )
      return seen.sort()
    }
    expect(weights(0)).toEqual([6, 9])
    expect(weights(1)).toEqual([6])
  })

  it('tells parallel edges apart by their discriminator', async () => {
    const engine = await engineWith(catalog)
    const pays = (month: string, amount: number) =>
      frame().edge('Pays', [1, 'ada'], { month, amount }, 2).finish()
    await engine.commit(pays('2024-01', 10))
    await engine.commit(pays('2024-02', 20))
    await engine.commit(pays('2024-01', 5))
    const adjacency = edges(engine, 'Pays').adjacencies[0]!
    const seen: string[] = []
    forEachIn(adjacency, 0, (_other, edge) =>
      seen.push(adjacency.columns.map((column) => valueAt(column, edge)).join(' ')),
    )
    expect(seen.sort()).toEqual(['2024-01 15', '2024-02 20'])
    await engine.commit(frame().deleteEdge('Pays', [1, 'ada'], { month: '2024-01' }).finish())
    expect(edges(engine, 'Pays').adjacencies[0]!.liveCount).toBe(1)
  })

  it('deletes a vertex with all its edges and revives it empty', async () => {
    const engine = await engineWith(catalog)
    await engine.commit(frame().vertex('Person', 'a', { name: 'A', age: 1 }).finish())
    await engine.commit(
      frame().edge('Knows', ['a', 'b']).edge('Knows', ['a', 'a']).edge('Works', ['a', 1]).finish(),
    )
    const outcome = await engine.commit(frame().deleteVertex('Person', 'a').finish())
    expect(outcome).toMatchObject({ deletedVertices: 1, deletedEdges: 3 })
    expect(findRow(table(engine, 'Person'), 'a')).toBe(-1)
    await engine.commit(frame().vertex('Person', 'a').finish())
    const people = table(engine, 'Person')
    const row = findRow(people, 'a')
    expect(stringAt(people.columns[0]!, row)).toBe('')
    expect(outDegree(edges(engine, 'Works').adjacencies[0]!, row)).toBe(0)
    await engine.commit(frame().deleteType('Person').finish())
    expect(table(engine, 'Person').liveCount).toBe(0)
  })

  it('honours the flags and lists what they refuse', async () => {
    const engine = await engineWith(catalog)
    await engine.commit(frame().vertex('Person', 'a', { age: 1 }).finish())
    const known = await engine.commit(
      frame(frameFlag.newVertexOnly)
        .vertex('Person', 'a', { age: 2 })
        .vertex('Person', 'b')
        .finish(),
    )
    expect(known).toMatchObject({ acceptedVertices: 1, skippedVertices: [{ typeId: 1, id: 'a' }] })
    const unknown = await engine.commit(
      frame(frameFlag.updateVertexOnly).vertex('Person', 'z').finish(),
    )
    expect(unknown.skippedVertices).toEqual([{ typeId: 1, id: 'z' }])
    const missing = await engine.commit(
      frame(frameFlag.sourceMustExist).edge('Knows', ['a', 'q']).edge('Works', ['a', 9]).finish(),
    )
    expect(missing).toMatchObject({
      acceptedEdges: 1,
      skippedEdges: 1,
      missingEndpoints: [{ typeId: 1, id: 'q' }],
    })
    expect(numberAt(table(engine, 'Person').columns[1]!, 0)).toBe(1)
  })

  it('writes nothing of an atomic batch that a flag refuses', async () => {
    const engine = await engineWith(catalog)
    const flags = frameFlag.atomic | frameFlag.sourceMustExist | frameFlag.targetMustExist
    const outcome = await engine.commit(
      frame(flags).vertex('Person', 'a').edge('Works', ['a', 5]).finish(),
    )
    expect(outcome).toMatchObject({ rejected: true, missingEndpoints: [{ typeId: 2, id: '5' }] })
    expect(table(engine, 'Person').rowCount).toBe(0)
    const good = await engine.commit(
      frame(flags).vertex('Person', 'a').vertex('Company', 5).edge('Works', ['a', 5]).finish(),
    )
    expect(good).toMatchObject({ rejected: false, acceptedEdges: 1, acceptedVertices: 2 })
  })

  it('keeps 64-bit integers exact while the column widens', async () => {
    const engine = await engineWith(catalog)
    const values = [1n, 2n ** 32n - 1n, 2n ** 32n, 2n ** 53n - 1n, 2n ** 53n, 2n ** 64n - 1n]
    for (const [index, value] of values.entries()) {
      await engine.commit(frame().vertex('Company', index, { big: value }).finish())
    }
    await engine.commit(frame().vertex('Company', 5, { big: 1n }, 2).finish())
    const companies = table(engine, 'Company')
    const column = companies.columns[1]!
    expect(column.storage).toBe('uint64')
    expect(values.map((_value, row) => jsonAt(column, row))).toEqual(
      [1n, 2n ** 32n - 1n, 2n ** 32n, 2n ** 53n - 1n, 2n ** 53n, 0n].map(String),
    )
  })

  it('finds everything again after a restart', async () => {
    const store = new MemoryStore()
    const engine = await engineWith(catalog, store)
    await engine.commit(frame().vertex('Person', 'a', { age: 1 }).finish())
    await engine.commit(frame().vertex('Person', 'a', { age: 1 }, 2).finish())
    await engine.commit(frame().edge('Works', ['a', 1]).finish())
    await engine.close()
    const again = await openEngine(new MemoryStore(store.image))
    expect(again.sequence).toBe(4)
    expect(again.catalog).toEqual(catalog)
    expect(numberAt(table(again, 'Person').columns[1]!, 0)).toBe(2)
    expect(edges(again, 'Works').adjacencies[0]!.liveCount).toBe(1)
  })

  it('shows a pinned version as it was', async () => {
    const engine = await engineWith(catalog)
    const first = frame()
    for (let i = 0; i < 3000; i++) first.vertex('Person', `p${i}`, { age: i })
    await engine.commit(first.edge('Knows', ['p0', 'p1']).finish())
    const pinned = engine.pin()
    await engine.commit(
      frame().vertex('Person', 'p5', { age: 99 }).deleteVertex('Person', 'p0').finish(),
    )
    await engine.commit(frame().vertex('Person', 'new').edge('Knows', ['p1', 'p2']).finish())
    const old = pinned.view.vertexTables[0]!
    expect(numberAt(old.columns[1]!, 5)).toBe(5)
    expect(findRow(old, 'p0')).toBe(0)
    expect(findRow(old, 'new')).toBe(-1)
    const knows = pinned.view.edgeTables.find((one) => one.typeName === 'Knows')!.adjacencies[0]!
    expect(outDegree(knows, 0)).toBe(1)
    expect(outDegree(knows, 1)).toBe(0)
    expect(numberAt(table(engine, 'Person').columns[1]!, 5)).toBe(99)
    expect(findRow(table(engine, 'Person'), 'p0')).toBe(-1)
    expect(engine.memory().copiedPagesBytes).toBeGreaterThan(0)
    pinned.release()
    expect(engine.memory().copiedPagesBytes).toBe(0)
    expect(table(engine, 'Person').columns[1]!.pages).toBeNull()
    expect(numberAt(table(engine, 'Person').columns[1]!, 5)).toBe(99)
  })

  it('gives readers one view until something is written or pages move', async () => {
    const engine = await engineWith(catalog)
    await engine.commit(frame().vertex('Person', 'a', { age: 1 }).finish())
    const first = engine.pin()
    first.release()
    const second = engine.pin()
    expect(second.view).toBe(first.view)
    await engine.commit(frame().vertex('Person', 'a', { age: 2 }).finish())
    const third = engine.pin()
    expect(third.view).not.toBe(first.view)
    second.release()
    expect(engine.view()).not.toBe(third.view)
    third.release()
  })

  it('refuses writes at the memory limit, goes on reading and lets deletes through', async () => {
    const store = new MemoryStore()
    const full = await engineWith(catalog, store)
    await full.commit(frame().vertex('Person', 'a', { age: 7 }).finish())
    const engine = await openEngine(new MemoryStore(store.image), { memoryLimitBytes: 1 })
    await expect(engine.commit(frame().vertex('Person', 'b').finish())).rejects.toMatchObject({
      code: 'MEMORY_LIMIT',
    })
    expect(findRow(table(engine, 'Person'), 'b')).toBe(-1)
    expect(findRow(table(engine, 'Person'), 'a')).toBe(0)
    await engine.commit(frame().deleteVertex('Person', 'a').finish())
    expect(findRow(table(engine, 'Person'), 'a')).toBe(-1)
    await engine.changeCatalog((old) => ({ ...old, edgeTypes: [] }))
    expect(engine.view().edgeTables).toEqual([])
  })

  it('hides a batch until its last slice and answers ack none before', async () => {
    const engine = await engineWith(catalog)
    const big = frame()
    for (let i = 0; i < 20_000; i++) big.vertex('Person', `person number ${i}`, { age: i })
    const planned = await engine.commit(big.finish(), { ack: 'none' })
    expect(planned.acceptedVertices).toBe(20_000)
    expect(table(engine, 'Person').rowCount).toBe(0)
    await engine.settled()
    expect(table(engine, 'Person').liveCount).toBe(20_000)
    expect(planned.sequence).toBe(engine.sequence)
  })

  it('deletes a whole type in slices that nobody sees half', async () => {
    const engine = await engineWith(catalog)
    const big = frame()
    for (let i = 0; i < 30_000; i++) big.edge('Works', [`p${i}`, i % 100], { pay: i })
    await engine.commit(big.finish())
    let turns = 0
    let isDone = false
    const seen = new Set<number>()
    const deleted = engine.commit(frame().deleteType('Person').finish()).finally(() => {
      isDone = true
    })
    while (!isDone) {
      seen.add(table(engine, 'Person').liveCount)
      turns += 1
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect(await deleted).toMatchObject({ deletedVertices: 30_000, deletedEdges: 30_000 })
    expect(turns).toBeGreaterThan(0)
    expect([...seen].filter((count) => count !== 0 && count !== 30_000)).toEqual([])
    expect(table(engine, 'Person').liveCount).toBe(0)
    expect(edges(engine, 'Works').adjacencies[0]!.liveCount).toBe(0)
    expect(table(engine, 'Company').liveCount).toBe(100)
    expect(engine.deletedVertexCheck().isPassed).toBe(true)
  })

  it('has a tombstone word for every row it shows', async () => {
    const bare = catalogOf([vertexType(1, 'V')], [edgeType(2, 'E', [1, 1])])
    const engine = await engineWith(bare)
    const vertices = (from: number, to: number) => {
      const builder = new FrameBuilder(bare)
      for (let i = from; i < to; i++) builder.edge('E', [`v${i}`, `v${i + 1}`])
      return builder.finish()
    }
    const check = () => {
      for (const { rowCount, deleted } of engine.view().vertexTables) {
        expect(deleted.words!.length * 32).toBeGreaterThanOrEqual(rowCount)
      }
      const { baseCount, deltaCount, deleted } = edges(engine, 'E').adjacencies[0]!
      expect(deleted.words!.length * 32).toBeGreaterThanOrEqual(baseCount + deltaCount)
    }
    await engine.commit(vertices(0, 10))
    await engine.commit(new FrameBuilder(bare).deleteVertex('V', 'v3').finish())
    check()
    await engine.changeCatalog((old) => ({
      ...old,
      vertexTypes: old.vertexTypes.map((type) => ({ ...type, attributes: person.attributes })),
      edgeTypes: old.edgeTypes.map((type) => ({ ...type, attributes: person.attributes })),
    }))
    await engine.commit(vertices(100, 3000))
    check()
  })

  it('adds, renames and drops attributes by their ids', async () => {
    const engine = await engineWith(catalog)
    await engine.commit(frame().vertex('Person', 'a', { name: 'A', age: 7 }).finish())
    await engine.changeCatalog((old) => ({
      ...old,
      vertexTypes: old.vertexTypes.map((type) =>
        type.name !== 'Person'
          ? type
          : {
              ...type,
              attributes: [
                { ...type.attributes[1]!, name: 'years' },
                { id: 9, name: 'city', type: { kind: 'STRING' }, defaultText: 'Rome' },
              ],
            },
      ),
    }))
    const columns = table(engine, 'Person').columns
    expect(columns.map((column) => [column.name, valueAt(column, 0)])).toEqual([
      ['years', 7],
      ['city', 'Rome'],
    ])
    await expect(
      engine.commit(frame().vertex('Person', 'b', { name: 'B' }).finish()),
    ).rejects.toMatchObject({ code: 'SCHEMA_RULE' })
  })
})
