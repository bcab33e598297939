import { beforeAll, describe, expect, it } from 'vitest'
import type { ErrorCode } from '#kernel/errors.ts'
import { acmeCatalog } from '../../../test/fixtures/acme.ts'
import { codeOf, type InspectData, json, loaded, place } from '../../../test/fixtures/acme-data.ts'
import { engineWith, realClock } from '../../../test/fixtures/engine.ts'
import type { ReadOptions } from '../read/read-options.ts'
import { BuiltinsService } from '../vertices/builtins-service.ts'
import type { EdgePath } from './edge-path.ts'

let data: InspectData

beforeAll(async () => {
  data = await loaded()
})

const edges = async (path: EdgePath, options: ReadOptions = {}) =>
  json(await data.edges.list(place, path, options))
const from = (sourceType: string, sourceId: string, more: Partial<EdgePath> = {}): EdgePath => ({
  sourceType,
  sourceId,
  ...more,
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
