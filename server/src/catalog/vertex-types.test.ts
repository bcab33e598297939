import { describe, expect, it } from 'vitest'
import { acmeCatalog, acmeVertices, attribute } from '../../test/fixtures/acme.ts'
import { addTypesToGraph, dropGraph } from './graphs.ts'
import { findVertexType, requireVertexType, vertexTypesOf } from './lookup.ts'
import { applySchemaChange, noChange, type SchemaChange } from './schema-change.ts'
import type { Catalog } from './types.ts'
import {
  alterVertexType,
  createVertexType,
  dropVertexType,
  vertexTypeToJson,
} from './vertex-types.ts'

const acme = acmeCatalog()

const change = (part: Partial<SchemaChange>, graph: string | null = 'acme', catalog = acme) =>
  applySchemaChange(catalog, graph, { ...noChange, ...part })

const person = (catalog: Catalog) => requireVertexType(catalog, 'acme', 'Person')

describe('vertex types', () => {
  it('writes back what it read, with the flags of the contract', () => {
    const json = vertexTypeToJson(person(acme))
    expect(json).toMatchObject({ ...acmeVertices[0], Config: { STATS: 'OUTDEGREE_BY_EDGETYPE' } })
    expect(json.EmbeddingAttributes).toEqual([])
    expect('IsLocal' in json).toBe(false)
  })

  it('makes local types with a graph, global ones that belong to no graph without', () => {
    const tag = { ...acmeVertices[1]!, Name: 'Tag' }
    const local = createVertexType(acme, 'acme', tag)
    expect(vertexTypeToJson(requireVertexType(local, 'acme', 'Tag')).IsLocal).toBe(true)
    expect(findVertexType(local, null, 'Tag')).toBeUndefined()
    const global = createVertexType(acme, null, tag)
    expect(findVertexType(global, 'acme', 'Tag')).toBeUndefined()
    expect(
      findVertexType(
        addTypesToGraph(global, 'acme', { vertices: ['Tag'], edges: [] }),
        'acme',
        'Tag',
      ),
    ).toBeDefined()
  })

  it('declares primary keys and composite keys among the attributes', () => {
    const keyed = createVertexType(acme, 'acme', {
      Name: 'Movie',
      PrimaryId: attribute('id', 'UINT', { IsPrimaryKey: true }),
      Attributes: [attribute('title', 'STRING')],
      Config: {},
    })
    const movie = requireVertexType(keyed, 'acme', 'Movie')
    expect(movie.attributes.map(({ name }) => name)).toEqual(['id', 'title'])
    expect(vertexTypeToJson(movie).Attributes[0]).toEqual({
      AttributeName: 'id',
      AttributeType: { Name: 'UINT' },
      IsPrimaryKey: true,
      IsUsingNewSyntax: true,
    })
    const composite = createVertexType(acme, 'acme', {
      Name: 'Seat',
      PrimaryId: attribute('row,no', 'STRING'),
      Attributes: [attribute('no', 'INT'), attribute('row', 'STRING'), attribute('x', 'INT')],
      Config: {},
    })
    const seat = requireVertexType(composite, 'acme', 'Seat')
    expect(seat.primaryId).toEqual({
      syntax: 'COMPOSITE',
      names: ['row', 'no'],
      type: 'STRING',
      asAttribute: true,
    })
    const json = vertexTypeToJson(seat)
    expect(json.PrimaryId.AttributeName).toBe('row,no')
    const again = createVertexType(acme, 'acme', json)
    expect(requireVertexType(again, 'acme', 'Seat').primaryId).toEqual(seat.primaryId)
  })

  it('reads PRIMARY_ID_AS_ATTRIBUTE and never lets the id repeat as an attribute then', () => {
    const json = {
      Name: 'Tag',
      PrimaryId: attribute('id', 'STRING'),
      Attributes: [attribute('id', 'STRING')],
      Config: {},
    }
    expect(
      requireVertexType(createVertexType(acme, 'acme', json), 'acme', 'Tag').primaryId.asAttribute,
    ).toBe(false)
    expect(() =>
      createVertexType(acme, 'acme', { ...json, Config: { PRIMARY_ID_AS_ATTRIBUTE: 'true' } }),
    ).toThrow('repeats its primary id')
  })

  it('refuses taken names, bad id types, repeated attributes and bad defaults', () => {
    const tag = { ...acmeVertices[1]!, Name: 'Tag' }
    const refused = (json: object) => () =>
      createVertexType(acme, 'acme', { ...tag, ...json } as typeof tag)
    for (const Name of ['Person', 'Knows', 'Employs']) {
      expect(refused({ Name })).toThrow(
        `The vertex name ${Name} is used by another object! Please use a different name.`,
      )
    }
    expect(refused({ Name: 'vertex' })).toThrow('reserved word')
    expect(refused({ Name: '__proto__' })).toThrow('reserved')
    expect(refused({ PrimaryId: attribute('id', 'DOUBLE') })).toThrow('must be STRING, INT')
    expect(refused({ Attributes: [attribute('a', 'INT'), attribute('a', 'INT')] })).toThrow(
      'already exists',
    )
    expect(refused({ Attributes: [attribute('a', 'INT', { DefaultValue: 'x' })] })).toThrow(
      "'x' is not a valid INT",
    )
    expect(refused({ Config: { STATS: 'all' } })).toThrow('STATS must be')
  })

  it('appends and drops attributes without ever using an id again', () => {
    const dropped = alterVertexType(acme, 'acme', 'Company', { dropAttributes: ['founded'] })
    const grown = alterVertexType(dropped, 'acme', 'Company', {
      addAttributes: [attribute('founded', 'DATETIME')],
    })
    const before = requireVertexType(acme, 'acme', 'Company').attributes
    const after = requireVertexType(grown, 'acme', 'Company').attributes
    expect(after.map(({ name }) => name)).toEqual(['sector', 'founded'])
    expect(after[1]!.id).toBeGreaterThan(before[1]!.id)
    expect(() => alterVertexType(acme, 'acme', 'Company', { dropAttributes: ['x'] })).toThrow(
      'does not exist',
    )
    expect(() => alterVertexType(acme, 'acme', 'Nobody', {})).toThrow('does not exist')
  })

  it('indexes scalar attributes once, under one name, and lets an index go with its attribute', () => {
    const indexed = alterVertexType(acme, 'acme', 'Person', {
      addIndexAttributes: [{ indexName: 'by_name', attributeName: 'name' }],
    })
    expect(vertexTypeToJson(person(indexed)).Attributes[0]).toMatchObject({
      HasIndex: true,
      IndexName: 'by_name',
    })
    const add = (indexName: string, attributeName: string) => () =>
      alterVertexType(indexed, 'acme', 'Person', {
        addIndexAttributes: [{ indexName, attributeName }],
      })
    expect(add('by_name', 'age')).toThrow('already exists')
    expect(add('other', 'name')).toThrow('already has an index')
    expect(add('x', 'nothing')).toThrow('does not exist')
    expect(add('x', 'langs')).toThrow('its type is LIST<STRING>')
    const gone = alterVertexType(indexed, 'acme', 'Person', { dropAttributes: ['name'] })
    expect(person(gone).indexes).toEqual([])
    const unindexed = alterVertexType(indexed, 'acme', 'Person', {
      dropIndexAttributes: ['by_name'],
    })
    expect(person(unindexed).indexes).toEqual([])
    expect(() =>
      alterVertexType(acme, 'acme', 'Person', { dropIndexAttributes: ['by_name'] }),
    ).toThrow('does not exist')
  })

  it('is dropped only when no edge and no graph uses it', () => {
    expect(() => dropVertexType(acme, 'acme', 'Company')).toThrow('[Works_At, Pays]')
    expect(() => dropVertexType(acme, null, 'Nobody')).toThrow('does not exist')
    const free = change({ dropEdgeTypes: ['Works_At', 'Pays'] })
    expect(findVertexType(dropVertexType(free, 'acme', 'Company'), null, 'Company')).toBeDefined()
    const edgesGone = change({ dropEdgeTypes: ['Works_At', 'Pays'] }, null, dropGraph(acme, 'acme'))
    expect(
      vertexTypesOf(dropVertexType(edgesGone, null, 'Company'), null).map(({ name }) => name),
    ).toEqual(['Person'])
    expect(() =>
      change({ dropVertexTypes: ['Company'], dropEdgeTypes: ['Works_At', 'Pays'] }, null),
    ).toThrow('still used by the graphs [acme]')
  })
})
