import { beforeAll, describe, expect, it } from 'vitest'
import type { Catalog } from '#catalog/types.ts'
import type { GraphEngine } from '#graph/engine.ts'
import { type ErrorCode, isDbError } from '#kernel/errors.ts'
import { acmeCatalog } from '../../../test/fixtures/acme.ts'
import { engineWith, realClock } from '../../../test/fixtures/engine.ts'
import { UpsertService } from '../upsert/upsert-service.ts'
import { BuiltinsService } from './builtins-service.ts'
import type { EdgePath } from './edge-path.ts'
import { EdgeService } from './edge-service.ts'
import { indexLookup } from './index-lookup.ts'
import type { ReadOptions } from './read-options.ts'
import { VertexService } from './vertex-service.ts'

const place = { graph: 'acme', url: '/graph/acme/x' }

const people = Object.fromEntries(
  [
    ['1', 'Ada', 30, true],
    ['2', 'Bo', 20, false],
    ['3', 'Cy "the" \\ \u0001 é😀', 40, true],
    ['4', 'Di', 20, true],
  ].map(([id, name, age, active]) => [
    id,
    {
      name: { value: name },
      age: { value: age },
      active: { value: active },
      joined: { value: `20${age}-01-01` },
    },
  ]),
)

const payload = {
  vertices: {
    Person: {
      ...people,
      9: {
        score: { value: 1.5 },
        langs: { value: ['en', 'fr'] },
        tags: { value: ['b', 'a'] },
        phones: { value: { keylist: ['home'], valuelist: ['111'] } },
        home: { value: { keylist: ['street', 'no'], valuelist: ['Elm', 5] } },
      },
    },
    Company: { 'a/b c%': { sector: { value: 'tech' } }, c2: {}, lonely: {} },
  },
  edges: {
    Person: {
      1: {
        Knows: { Person: { 2: { weight: { value: 0.5 } }, 3: { weight: { value: 2 } }, 1: {} } },
        Works_At: { Company: { 'a/b c%': { pay: { value: 10 } } } },
      },
      2: { Works_At: { Company: { 'a/b c%': { pay: { value: 20 } }, c2: {} } } },
    },
    Company: {
      c2: {
        Pays: {
          Person: {
            1: ['2024-01', '2024-02', 'a,b\\c'].map((month, index) => ({
              month: { value: month },
              amount: { value: index },
            })),
            2: [{ month: { value: '2024-01' } }],
          },
        },
      },
    },
  },
}

interface Data {
  readonly engine: GraphEngine
  readonly vertices: VertexService
  readonly edges: EdgeService
  readonly builtins: BuiltinsService
}

async function loaded(): Promise<Data> {
  const engine = await engineWith(acmeCatalog())
  const flags = {
    newVertexOnly: false,
    updateVertexOnly: false,
    vertexMustExist: false,
    sourceVertexMustExist: false,
    targetVertexMustExist: false,
    atomic: false,
    ack: 'all',
  } as const
  const upserts = new UpsertService(engine, realClock)
  await upserts.upsert('acme', Buffer.from(JSON.stringify(payload)), flags)
  return {
    engine,
    vertices: new VertexService(engine, realClock),
    edges: new EdgeService(engine, realClock),
    builtins: new BuiltinsService(engine, realClock),
  }
}

const json = (bytes: Uint8Array | string) =>
  JSON.parse(typeof bytes === 'string' ? bytes : Buffer.from(bytes).toString())

async function codeOf(promise: Promise<unknown>): Promise<ErrorCode | string> {
  const error = await promise.then(
    () => 'no error',
    (reason: unknown) => reason,
  )
  return isDbError(error) ? error.code : String(error)
}

let data: Data

beforeAll(async () => {
  data = await loaded()
})

const list = async (type: string, options: ReadOptions = {}) =>
  json(await data.vertices.list(place, type, options))
const ids = async (type: string, options: ReadOptions = {}) =>
  (await list(type, options)).map((row: { v_id: string }) => row.v_id)
const edges = async (path: EdgePath, options: ReadOptions = {}) =>
  json(await data.edges.list(place, path, options))
const from = (sourceType: string, sourceId: string, more: Partial<EdgePath> = {}): EdgePath => ({
  sourceType,
  sourceId,
  ...more,
})

describe('one vertex', () => {
  it('shows every attribute in its JSON form', async () => {
    expect(json(await data.vertices.readOne(place, 'Person', '9'))).toEqual([
      {
        v_id: '9',
        v_type: 'Person',
        attributes: {
          name: '',
          age: 0,
          score: 1.5,
          active: false,
          joined: '1970-01-01 00:00:00',
          langs: ['en', 'fr'],
          tags: ['a', 'b'],
          phones: { home: '111' },
          home: { street: 'Elm', no: 5 },
        },
      },
    ])
  })

  it('keeps quotes, control characters and every plane of Unicode', async () => {
    const [row] = json(await data.vertices.readOne(place, 'Person', '3', { select: 'name,age' }))
    expect(row.attributes).toEqual({ name: people['3']!.name.value, age: 40 })
  })

  it('is found by ids with slashes, blanks and percent signs', async () => {
    const [row] = json(await data.vertices.readOne(place, 'Company', 'a/b c%'))
    expect(row).toEqual({
      v_id: 'a/b c%',
      v_type: 'Company',
      attributes: { sector: 'tech', founded: 0 },
    })
  })

  it('names what it does not find', async () => {
    await expect(data.vertices.readOne(place, 'Person', '77')).rejects.toThrow(
      "The input vertex id '77' is not a valid vertex id for vertex type = Person.",
    )
    expect(await codeOf(data.vertices.readOne(place, 'Person', 'x'))).toBe('VERTEX_NOT_FOUND')
    expect(await codeOf(data.vertices.readOne(place, 'Company', 'x'.repeat(5_000)))).toBe(
      'VERTEX_NOT_FOUND',
    )
    expect(await codeOf(data.vertices.readOne(place, '__proto__', '1'))).toBe(
      'VERTEX_TYPE_NOT_FOUND',
    )
    const other = { graph: 'nope', url: '/graph/nope/vertices/Person/1' }
    expect(await codeOf(data.vertices.readOne(other, 'Person', '1'))).toBe('GRAPH_NOT_FOUND')
    expect(await codeOf(data.vertices.readOne(place, 'Person', '1', { select: 'nope' }))).toBe(
      'ATTRIBUTE_NOT_FOUND',
    )
  })
})

describe('a listing of vertices', () => {
  it.each([
    ['age>20', ['1', '3']],
    ['age>=20,age<40', ['1', '2', '4']],
    ['age!=20,active=true', ['1', '3']],
    ['active=TRUE , age = 20', ['4']],
    ['name="Bo"', ['2']],
    ['name>"Bo",name<"D"', ['3']],
    ['name="Cy \\"the\\" \\\\ \u0001 é😀"', ['3']],
    ['name="x, y"', []],
    ['joined<"2030-01-01",joined>"1999-01-01 00:00:00"', ['2', '4']],
    ['score=1.5', ['9']],
    ['age<18446744073709551615,age>0', ['1', '2', '3', '4']],
  ])('filters by %s', async (filter, expected) => {
    expect(await ids('Person', { filter })).toEqual(expected)
  })

  it.each([
    ['-age,name', ['3', '1', '2', '4', '9']],
    ['age,-name', ['9', '4', '2', '1', '3']],
    ['joined', ['9', '2', '4', '1', '3']],
  ])('sorts by %s', async (sort, expected) => {
    expect(await ids('Person', { sort })).toEqual(expected)
  })

  it('limits after filter and sort', async () => {
    expect(await ids('Person', { filter: 'age>0', sort: '-age', limit: 2 })).toEqual(['3', '1'])
    expect(await ids('Person', { limit: 2 })).toHaveLength(2)
    expect(await ids('Person', { limit: 0 })).toEqual([])
  })

  it('counts', async () => {
    expect(await list('Person', { countOnly: true })).toEqual([{ v_type: 'Person', count: 5 }])
    expect(await list('Person', { countOnly: true, filter: 'age=20' })).toEqual([
      { v_type: 'Person', count: 2 },
    ])
  })

  it.each<[string, ReadOptions, ErrorCode]>([
    ['an unknown attribute in select', { select: 'nope' }, 'ATTRIBUTE_NOT_FOUND'],
    ['an unknown attribute in filter', { filter: '__proto__=1' }, 'ATTRIBUTE_NOT_FOUND'],
    ['an unknown attribute in sort', { sort: 'constructor' }, 'ATTRIBUTE_NOT_FOUND'],
    ['the primary id, which is no attribute', { filter: 'pid=1' }, 'ATTRIBUTE_NOT_FOUND'],
    ['a filter without operator', { filter: 'age' }, 'INVALID_PARAMETER'],
    ['a filter that ends in a comma', { filter: 'age=1,' }, 'INVALID_PARAMETER'],
    ['an unquoted string', { filter: 'name=Bo' }, 'INVALID_PARAMETER'],
    ['a quoted number', { filter: 'age="20"' }, 'INVALID_PARAMETER'],
    ['a fraction of a word', { filter: 'age=twenty' }, 'INVALID_PARAMETER'],
    ['an unclosed string', { filter: 'name="Bo' }, 'INVALID_PARAMETER'],
    ['a bad date', { filter: 'joined="soon"' }, 'INVALID_PARAMETER'],
    ['a filter by a collection', { filter: 'langs="en"' }, 'INVALID_PARAMETER'],
    ['a sort by a collection', { sort: 'langs' }, 'INVALID_PARAMETER'],
    ['a filter too long', { filter: `name="${'x'.repeat(2_560)}"` }, 'INVALID_PARAMETER'],
  ])('refuses %s', async (_, options, code) => {
    expect(await codeOf(data.vertices.list(place, 'Person', options))).toBe(code)
  })

  it('stops at the response limit', async () => {
    const answer = data.vertices.list(place, 'Person', { responseLimitBytes: 100 })
    await expect(answer).rejects.toMatchObject({
      code: 'RESPONSE_TOO_LARGE',
      details: { results: [] },
    })
  })
})

describe('the edges of a vertex', () => {
  it('have the vertex of the URL as their from side, undirected ones at both ends', async () => {
    expect(await edges(from('Person', '2', { edgeType: 'Knows' }))).toEqual([
      {
        e_type: 'Knows',
        directed: false,
        from_id: '2',
        from_type: 'Person',
        to_id: '1',
        to_type: 'Person',
        attributes: { weight: 0.5 },
      },
    ])
  })

  it('list directed ones at their source, and at the other end by the reverse name', async () => {
    expect(await edges(from('Company', 'a/b c%', { edgeType: 'Works_At' }))).toEqual([])
    const rows = await edges(from('Company', 'a/b c%', { edgeType: 'Employs' }), { sort: 'pay' })
    expect(rows).toEqual([
      {
        e_type: 'Employs',
        directed: true,
        from_id: 'a/b c%',
        from_type: 'Company',
        to_id: '1',
        to_type: 'Person',
        attributes: { since: '1970-01-01 00:00:00', pay: 10 },
      },
      expect.objectContaining({ to_id: '2' }),
    ])
  })

  it('count per edge type, zeros and reverse types included, a loop once', async () => {
    const counts = { Works_At: 1, Employs: 0, Knows: 3, Pays: 0 }
    expect(await edges(from('Person', '1'), { countOnly: true })).toEqual(
      Object.entries(counts).map(([e_type, count]) => ({ e_type, count })),
    )
    expect(await edges(from('Person', '1'))).toHaveLength(4)
    expect(await edges(from('Person', '1', { edgeType: '_' }))).toHaveLength(4)
  })

  it('are filtered, sorted and limited by their attributes', async () => {
    const ofKnows = from('Person', '1', { edgeType: 'Knows' })
    const targets = async (options: ReadOptions) =>
      (await edges(ofKnows, options)).map((row: { to_id: string }) => row.to_id)
    expect(await targets({ filter: 'weight>0', sort: 'weight' })).toEqual(['2', '3'])
    expect(await targets({ sort: '-weight', limit: 2 })).toEqual(['3', '2'])
    expect(await edges(ofKnows, { filter: 'weight>1', countOnly: true })).toEqual([
      { e_type: 'Knows', count: 1 },
    ])
    const anyType = from('Person', '1')
    expect(await edges(anyType, { filter: 'pay>=10' })).toHaveLength(1)
    const [first] = await edges(anyType, { sort: 'weight,pay', select: 'pay', limit: 1 })
    expect(first).toMatchObject({ e_type: 'Knows', to_id: '1', attributes: {} })
  })

  it('narrow down to a target type, a target and a discriminator', async () => {
    const pays = from('Company', 'c2', { edgeType: 'Pays' })
    expect(await edges({ ...pays, targetType: 'Person' })).toHaveLength(4)
    expect(await edges({ ...pays, targetType: 'Company' })).toEqual([])
    const toOne = { ...pays, targetType: 'Person', targetId: '1' }
    expect(await edges(toOne, { sort: 'month' })).toMatchObject([
      { discriminator: '2024-01', attributes: { month: '2024-01', amount: 0 } },
      { discriminator: '2024-02' },
      { discriminator: 'a\\,b\\\\c', attributes: { month: 'a,b\\c' } },
    ])
    expect(await edges({ ...toOne, discriminator: 'a\\,b\\\\c' })).toHaveLength(1)
    expect(await edges({ ...toOne, discriminator: '2023-01' })).toEqual([])
    expect(await edges(toOne, { countOnly: true })).toEqual([{ e_type: 'Pays', count: 3 }])
    expect(await edges({ ...toOne, edgeType: '_' })).toHaveLength(3)
    const loop = from('Person', '1', { edgeType: 'Knows', targetType: 'Person', targetId: '1' })
    expect(await edges(loop)).toHaveLength(1)
    expect(await edges({ ...loop, targetId: '4' })).toEqual([])
  })

  it.each<[string, EdgePath, ErrorCode]>([
    ['an unknown source type', from('Nope', '1'), 'VERTEX_TYPE_NOT_FOUND'],
    ['an unknown source', from('Person', '77'), 'VERTEX_NOT_FOUND'],
    ['an unknown edge type', from('Person', '1', { edgeType: 'x' }), 'EDGE_TYPE_NOT_FOUND'],
    [
      'a wildcard taken literally',
      from('Person', '1', { edgeType: '_', notWildcard: true }),
      'EDGE_TYPE_NOT_FOUND',
    ],
    [
      'an unknown target',
      from('Person', '1', { edgeType: 'Knows', targetType: 'Person', targetId: '77' }),
      'VERTEX_NOT_FOUND',
    ],
    [
      'a discriminator of a type that has none',
      from('Person', '1', {
        edgeType: 'Knows',
        targetType: 'Person',
        targetId: '1',
        discriminator: 'x',
      }),
      'INVALID_PARAMETER',
    ],
  ])('refuse %s', async (_, path, code) => {
    expect(await codeOf(data.edges.list(place, path))).toBe(code)
  })

  it('refuse attributes that no edge type in question has', async () => {
    const path = from('Person', '1', { edgeType: 'Knows' })
    expect(await codeOf(data.edges.list(place, path, { filter: 'pay>1' }))).toBe(
      'ATTRIBUTE_NOT_FOUND',
    )
    expect(await codeOf(data.edges.list(place, from('Person', '1'), { select: 'nope' }))).toBe(
      'ATTRIBUTE_NOT_FOUND',
    )
  })
})

describe('a filter on an indexed attribute', () => {
  const indexed = (catalog: Catalog): Catalog => ({
    ...catalog,
    vertexTypes: catalog.vertexTypes.map((type) =>
      type.name === 'Person'
        ? {
            ...type,
            indexes: ['age', 'name', 'active'].map((name) => ({
              name: `by_${name}`,
              attributeId: type.attributes.find((attribute) => attribute.name === name)!.id,
            })),
          }
        : type,
    ),
  })

  it('finds the same rows through the index, and really uses it', async () => {
    const { engine, vertices } = await loaded()
    const counter = { indexed: 0, scanned: 0 }
    const fast = new VertexService(engine, realClock, indexLookup(engine, counter))
    await engine.changeCatalog(indexed)
    const filters = ['age=20', 'age>20', 'age<=20', 'name="Bo"', 'active=true,age<40', 'age=7']
    for (const filter of filters) {
      for (const more of [{}, { sort: '-age' }, { limit: 1 }, { countOnly: true }]) {
        const rows = await fast.list(place, 'Person', { filter, ...more })
        expect(json(rows)).toEqual(json(await vertices.list(place, 'Person', { filter, ...more })))
      }
    }
    expect(counter).toEqual({ indexed: filters.length * 4, scanned: 0 })
    await fast.deleteOne(place, 'Person', '2')
    expect(json(await fast.list(place, 'Person', { filter: 'age=20' }))).toMatchObject([
      { v_id: '4' },
    ])
    await fast.list(place, 'Person', { filter: 'score>1' })
    expect(counter.scanned).toBe(1)
  })
})

describe('builtins', () => {
  const call = async (body: object) =>
    json(await data.builtins.call(place, { function: 'stat_vertex_number', ...body }))

  it('count vertices and edges, undirected ones once, reverse types too', async () => {
    expect(await call({ type: '*' })).toEqual([
      { v_type: 'Person', count: 5 },
      { v_type: 'Company', count: 3 },
    ])
    expect(await call({ function: 'stat_edge_number', type: '*' })).toEqual([
      { e_type: 'Works_At', count: 3 },
      { e_type: 'Employs', count: 3 },
      { e_type: 'Knows', count: 3 },
      { e_type: 'Pays', count: 4 },
    ])
    expect(
      await call({ function: 'stat_edge_number', type: 'Employs', from_type: 'Person' }),
    ).toEqual([{ e_type: 'Employs', count: 0 }])
  })

  it('tell figures of attributes', async () => {
    const [row] = await call({ function: 'stat_vertex_attr', type: 'Person' })
    expect(row).toMatchObject({
      v_type: 'Person',
      attributes: { age: { MAX: 40, MIN: 0, AVG: 22 }, active: { TRUE: 3, FALSE: 2 } },
    })
    expect(await call({ function: 'stat_edge_attr', type: 'Works_At' })).toEqual([
      { e_type: 'Works_At', attributes: { pay: { MAX: 20, MIN: 0, AVG: 10 } } },
    ])
  })

  it('answer what they cannot tell with an error', async () => {
    await expect(call({ type: 'Nope' })).rejects.toMatchObject({
      code: 'QUERY_RUNTIME',
      details: { contractCode: 'GSQL-7004' },
    })
    await expect(call({ function: 'nope' })).rejects.toMatchObject({ code: 'INVALID_PARAMETER' })
    const empty = new BuiltinsService(await engineWith(acmeCatalog()), realClock)
    const stat = { function: 'stat_vertex_attr', type: 'Person' }
    await expect(empty.call(place, stat)).rejects.toThrow('stat_vertex_attr is skip')
  })
})

describe('deletes', () => {
  it('take one vertex with its edges; an unknown id is no error', async () => {
    const { vertices, edges: edgeService, builtins } = await loaded()
    expect(await vertices.deleteOne(place, 'Person', '1')).toEqual({
      v_type: 'Person',
      deleted_vertices: 1,
    })
    expect(await vertices.deleteOne(place, 'Person', '1')).toMatchObject({ deleted_vertices: 0 })
    expect(await codeOf(vertices.deleteOne(place, 'Nope', '1'))).toBe('VERTEX_TYPE_NOT_FOUND')
    expect(await codeOf(vertices.readOne(place, 'Person', '1'))).toBe('VERTEX_NOT_FOUND')
    const counts = await builtins.call(place, { function: 'stat_edge_number' })
    expect(json(counts)).toMatchObject([{ count: 2 }, { count: 2 }, { count: 0 }, { count: 1 }])
    expect(json(await edgeService.list(place, from('Person', '2', { edgeType: 'Knows' })))).toEqual(
      [],
    )
  })

  it('take what a filter finds, in order up to a limit, or a whole type', async () => {
    const { vertices } = await loaded()
    const options = { filter: 'age>=20', sort: '-age', limit: 1 }
    expect(await vertices.deleteMany(place, 'Person', options)).toMatchObject({
      deleted_vertices: 1,
    })
    expect(json(await vertices.list(place, 'Person', { filter: 'age=40' }))).toEqual([])
    expect(await vertices.deleteMany(place, 'Person', { filter: 'age=20' })).toMatchObject({
      deleted_vertices: 2,
    })
    expect(await vertices.deleteAll(place, 'Company')).toEqual({
      v_type: 'Company',
      deleted_vertices: 3,
    })
    expect(json(await vertices.list(place, 'Person', { countOnly: true }))).toMatchObject([
      { count: 2 },
    ])
  })

  it('take edges of every type, each once, and tell how many of which', async () => {
    const { edges: service } = await loaded()
    expect(await service.delete(place, from('Person', '1'))).toEqual([
      { e_type: 'Works_At', deleted_edges: 1 },
      { e_type: 'Employs', deleted_edges: 0 },
      { e_type: 'Knows', deleted_edges: 3 },
      { e_type: 'Pays', deleted_edges: 0 },
    ])
    expect(json(await service.list(place, from('Person', '1')))).toEqual([])
  })

  it('take single edges by discriminator, reverse name and filter', async () => {
    const { edges: service } = await loaded()
    const toOne = { edgeType: 'Pays', targetType: 'Person', targetId: '1' }
    const path = from('Company', 'c2', { ...toOne, discriminator: '2024-02' })
    expect(await service.delete(place, path)).toEqual([{ e_type: 'Pays', deleted_edges: 1 }])
    expect(json(await service.list(place, from('Company', 'c2', toOne)))).toHaveLength(2)
    const employs = from('Company', 'a/b c%', { edgeType: 'Employs' })
    expect(await service.delete(place, employs, { filter: 'pay>10' })).toEqual([
      { e_type: 'Employs', deleted_edges: 1 },
    ])
    const worksAt = from('Person', '2', { edgeType: 'Works_At' })
    expect(json(await service.list(place, worksAt))).toMatchObject([{ to_id: 'c2' }])
    expect(await service.delete(place, worksAt, { filter: 'pay>10' })).toEqual([
      { e_type: 'Works_At', deleted_edges: 0 },
    ])
  })
})
