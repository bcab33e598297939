import { describe, expect, it } from 'vitest'
import type { SchemaModel } from '#lib/graph-schema/schema-model.ts'
import { readSchema } from '#lib/graph-schema/wire-form.ts'
import { parseLossless } from '#lib/json/lossless-json.ts'
import {
  type Existing,
  edgeNameKey,
  effectsOf,
  elementsOf,
  PREVIEW_ELEMENTS_MAX,
  writtenNames,
} from './payload-effects.ts'
import { defaultOptions } from './upsert-options.ts'

const id = { AttributeName: 'id', AttributeType: { Name: 'STRING' } }
const schema: SchemaModel = readSchema({
  VertexTypes: [
    { Name: 'Person', PrimaryId: id, Attributes: [] },
    { Name: 'City', PrimaryId: id, Attributes: [] },
  ],
  EdgeTypes: [
    {
      ...{
        Name: 'Lives',
        IsDirected: true,
        FromVertexTypeName: 'Person',
        ToVertexTypeName: 'City',
      },
      Config: { REVERSE_EDGE: 'Houses' },
      Attributes: [],
    },
    {
      ...{
        Name: 'Pays',
        IsDirected: true,
        FromVertexTypeName: 'Person',
        ToVertexTypeName: 'Person',
      },
      Attributes: [
        { AttributeName: 'month', AttributeType: { Name: 'INT' }, IsDiscriminator: true },
        { AttributeName: 'sum', AttributeType: { Name: 'INT' } },
      ],
    },
  ],
})

const person = (name: string) => ({ type: 'Person', id: name })
const rome = { type: 'City', id: 'Rome' }
const payload = {
  vertices: { Person: { ada: {}, bo: {} }, Ghost: { x: {} } },
  edges: {
    Person: {
      ada: {
        Lives: { City: { Rome: {} } },
        Pays: { Person: { bo: [{ month: { value: 1 } }, { month: { value: 2 } }] } },
      },
      new: { Lives: { City: { Rome: {} } } },
    },
    City: { Rome: { Houses: { Person: { bo: {} } } } },
  },
}
const existing: Existing = {
  vertices: new Set(['Person ada', 'City Rome']),
  edges: new Map([
    [edgeNameKey('Lives', [person('ada'), rome]), [{}]],
    [edgeNameKey('Pays', [person('ada'), person('bo')]), [{ month: 2, sum: 7 }]],
  ]),
}

describe('what a payload would do', () => {
  const elements = elementsOf(schema, payload)
  const told = (options = {}) => {
    const effects = effectsOf(elements, existing, { ...defaultOptions, ...options })
    return elements.map(
      ({ type, ends }, at) => `${type} ${ends.map((end) => end.id).join('>')} ${effects[at]}`,
    )
  }

  it('is told for each element that the schema has, edges by their forward names', () => {
    expect(told()).toEqual([
      'Person ada update',
      'Person bo insert',
      'Lives ada>Rome update',
      'Pays ada>bo insert',
      'Pays ada>bo update',
      'Lives new>Rome insert',
      'Lives bo>Rome insert',
    ])
  })

  it('tells parallel edges apart to the last digit', () => {
    const big = '708663653625634816'
    const pays = (month: string) =>
      `{"edges":{"Person":{"ada":{"Pays":{"Person":{"bo":{"month":{"value":${month}}}}}}}}}`
    const rows = new Map([
      [edgeNameKey('Pays', [person('ada'), person('bo')]), [{ month: BigInt(big) }]],
    ])
    const effectOf = (month: string) => {
      const read = elementsOf(schema, parseLossless(pays(month)))
      return effectsOf(read, { vertices: new Set(), edges: rows }, defaultOptions)
    }
    expect(effectOf(big)).toEqual(['update'])
    expect(effectOf('708663653625634817')).toEqual(['insert'])
  })

  it('follows the options', () => {
    expect(told({ vertices: 'new' }).slice(0, 2)).toEqual(['Person ada skip', 'Person bo insert'])
    expect(told({ vertices: 'update' }).slice(0, 2)).toEqual([
      'Person ada update',
      'Person bo skip',
    ])
    expect(told({ endpoints: 'source' })[5]).toBe('Lives new>Rome skip')
    expect(told({ endpoints: 'target' })[5]).toBe('Lives new>Rome insert')
    expect(told({ endpoints: 'both' })[6]).toBe('Lives bo>Rome insert')
    expect(told({ endpoints: 'both', vertices: 'update' })[6]).toBe('Lives bo>Rome skip')
  })

  it('is looked up for so many and no more, and for nothing in what is no payload', () => {
    const ids = Object.fromEntries(Array.from({ length: 1_500 }, (_, n) => [`p${n}`, {}]))
    const many = elementsOf(schema, { vertices: { Person: ids } })
    expect(many).toHaveLength(PREVIEW_ELEMENTS_MAX)
    expect(new Set(many.map(({ key }) => key)).size).toBe(PREVIEW_ELEMENTS_MAX)
    for (const nothing of [null, 7, 'x', [], { vertices: [] }, { edges: { Person: 3 } }]) {
      expect(elementsOf(schema, nothing)).toEqual([])
    }
  })
})

it('names what was written, each once, the first of many', () => {
  expect(writtenNames(JSON.stringify(payload))).toEqual([
    'Person:ada',
    'Person:bo',
    'Ghost:x',
    'City:Rome',
    'Person:new',
  ])
  const ids = Object.fromEntries(Array.from({ length: 90 }, (_, n) => [`p${n}`, {}]))
  expect(writtenNames(JSON.stringify({ vertices: { Person: ids } }))).toHaveLength(50)
})
