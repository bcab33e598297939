import { beforeAll, describe, expect, it } from 'vitest'
import type { Catalog } from '#catalog/types.ts'
import type { ErrorCode } from '#kernel/errors.ts'
import {
  codeOf,
  type InspectData,
  json,
  loaded,
  people,
  place,
} from '../../../test/fixtures/acme-data.ts'
import { realClock } from '../../../test/fixtures/engine.ts'
import { indexLookup } from '../indexes/index-lookup.ts'
import { IndexUsage } from '../indexes/index-usage.ts'
import type { ReadOptions } from '../read/read-options.ts'
import { VertexService } from './vertex-service.ts'

let data: InspectData

beforeAll(async () => {
  data = await loaded()
})

const list = async (type: string, options: ReadOptions = {}) =>
  json(await data.vertices.list(place, type, options))
const ids = async (type: string, options: ReadOptions = {}) =>
  (await list(type, options)).map((row: { v_id: string }) => row.v_id)

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
    const usage = new IndexUsage(realClock)
    const fast = new VertexService(engine, realClock, indexLookup(engine, usage))
    await engine.changeCatalog(indexed)
    const filters = ['age=20', 'age>20', 'age<=20', 'name="Bo"', 'active=true,age<40', 'age=7']
    for (const filter of filters) {
      for (const more of [{}, { sort: '-age' }, { limit: 1 }, { countOnly: true }]) {
        const rows = await fast.list(place, 'Person', { filter, ...more })
        expect(json(rows)).toEqual(json(await vertices.list(place, 'Person', { filter, ...more })))
      }
    }
    expect([usage.indexed, usage.scanned]).toEqual([filters.length * 4, 0])
    await fast.deleteOne(place, 'Person', '2')
    expect(json(await fast.list(place, 'Person', { filter: 'age=20' }))).toMatchObject([
      { v_id: '4' },
    ])
    await fast.list(place, 'Person', { filter: 'score>1' })
    expect(usage.scanned).toBe(1)
  })
})
