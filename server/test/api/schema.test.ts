import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { acmeVertices, attribute } from '../fixtures/acme.ts'
import { createAcme, startServer, type TestServer } from '../fixtures/server.ts'

let server: TestServer
beforeEach(async () => {
  server = await startServer({ queryWorkerCount: 0 })
  await createAcme(server)
})
afterEach(() => server.close())

const tag = {
  Name: 'Tag',
  PrimaryId: { Name: 'tid', AttributeType: { Name: 'UINT' } },
  Attributes: [attribute('label', 'STRING', { DefaultValue: 'none' })],
}

describe('/gsql/v1/schema/vertices', () => {
  it('creates, lists, reads, alters and drops', async () => {
    const url = '/gsql/v1/schema/vertices'
    const created = await server.request('POST', `${url}?graph=acme`, { createVertices: [tag] })
    expect(created.body).toEqual({ error: false, message: 'Successfully create vertices: [Tag]' })
    const listed = await server.request('GET', `${url}?graph=acme`)
    expect(listed.body.results.map((type: { Name: string }) => type.Name)).toEqual([
      'Person',
      'Company',
      'Tag',
    ])
    const altered = await server.request('PUT', `${url}/Tag?graph=acme`, {
      addAttributes: [attribute('weight', 'DOUBLE')],
      dropAttributes: ['label'],
    })
    expect(altered.body.message).toBe('Successfully update vertex: Tag')
    const read = await server.request('GET', `${url}/Tag?graph=acme`)
    expect(read.body.results).toMatchObject({
      PrimaryId: { AttributeName: 'tid', AttributeType: { Name: 'UINT' } },
      Attributes: [{ AttributeName: 'weight' }],
      IsLocal: true,
    })
    const dropped = await server.request('DELETE', `${url}?graph=acme&vertex=Tag`)
    expect(dropped.body).toEqual({ error: false, message: 'Vertices [Tag] deleted successfully.' })
    const gone = await server.request('GET', `${url}/Tag?graph=acme`)
    expect(gone).toMatchObject({
      status: 400,
      body: { error: true, code: 'VERTEX_TYPE_NOT_FOUND' },
    })
    expect(gone.body.message).toContain('does not exist')
  })

  it('creates all of several types or none', async () => {
    const answer = await server.request('POST', '/gsql/v1/schema/vertices', {
      createVertices: [tag, { ...tag, Name: 'Person' }],
    })
    expect(answer).toMatchObject({ status: 400, body: { error: true, code: 'NAME_TAKEN' } })
    expect(answer.body.message).toBe(
      'Failed to create vertices [Tag, Person]. Semantic Check Fails: The vertex name Person is used by another object! Please use a different name.',
    )
    const { body } = await server.request('GET', '/gsql/v1/schema/vertices')
    expect(body.results).toHaveLength(2)
  })

  it('puts global types into a graph and takes them out', async () => {
    await server.request('POST', '/gsql/v1/schema/vertices', { createVertices: [tag] })
    const added = await server.request('POST', '/gsql/v1/schema/vertices?graph=acme', {
      addVertices: ['Tag'],
    })
    expect(added.body.message).toBe('Successfully add vertices: [Tag] on graph acme')
    expect((await server.request('DELETE', '/gsql/v1/schema/vertices/Tag')).body.error).toBe(true)
    await server.request('DELETE', '/gsql/v1/schema/vertices/Tag?graph=acme')
    const dropped = await server.request('DELETE', '/gsql/v1/schema/vertices/Tag')
    expect(dropped.body.message).toBe('Vertices [Tag] deleted successfully.')
  })

  it('refuses bodies and names that do not fit, and stays as it was', async () => {
    const { version } = server.engine.catalog
    for (const body of [
      {},
      { createVertices: 'Tag' },
      { createVertices: [{ Name: 'Tag' }] },
      { createVertices: [{ ...tag, Name: '__proto__' }] },
      { createVertices: [{ ...tag, Name: 'a/b%😀' }] },
      { createVertices: [{ ...tag, Name: 'x'.repeat(4096) }] },
      { createVertices: [{ ...tag, Attributes: [attribute('a', 'VARCHAR')] }] },
      { addVertices: ['Tag'] },
      '{"createVertices":',
      '['.repeat(100_000),
    ]) {
      const answer = await server.request('POST', '/gsql/v1/schema/vertices', body)
      expect(answer, JSON.stringify(body).slice(0, 80)).toMatchObject({
        status: 400,
        body: { error: true },
      })
      expect(answer.body.message.length).toBeLessThan(500)
    }
    expect((await server.request('GET', '/gsql/v1/schema/vertices?graph=ghost')).body).toEqual({
      error: true,
      message: "Graph 'ghost' does not exist.",
      code: 'GRAPH_NOT_FOUND',
    })
    expect(server.engine.catalog.version).toBe(version)
  })
})

describe('/gsql/v1/schema/edges', () => {
  it('creates, reads, alters and drops', async () => {
    const url = '/gsql/v1/schema/edges'
    const likes = {
      Name: 'Likes',
      IsDirected: true,
      FromVertexTypeName: '*',
      ToVertexTypeName: 'Company',
      Attributes: [],
      Config: { REVERSE_EDGE: 'Liked_By' },
    }
    const created = await server.request('POST', `${url}?graph=acme`, { createEdges: [likes] })
    expect(created.body.message).toBe('Successfully create edges: [Likes]')
    const read = await server.request('GET', `${url}/Likes?graph=acme`)
    expect(read.body.results.EdgePairs).toEqual([
      { From: 'Person', To: 'Company' },
      { From: 'Company', To: 'Company' },
    ])
    const altered = await server.request('PUT', `${url}/Likes?graph=acme`, {
      addAttributes: [attribute('stars', 'INT', { DefaultValue: 3 })],
    })
    expect(altered.body.message).toBe('Successfully update edge: Likes')
    const dropped = await server.request('DELETE', `${url}/Likes?graph=acme`)
    expect(dropped.body.message).toBe('Edges [Likes] deleted successfully.')
  })

  it('names the edges that could not be created', async () => {
    const answer = await server.request('POST', '/gsql/v1/schema/edges', {
      createEdges: [{ Name: 'E', FromVertexTypeName: 'Ghost', ToVertexTypeName: 'Person' }],
    })
    expect(answer.body.message).toMatch(/^Failed to create edges \[E\]\. Semantic Check Fails: /)
  })
})

describe('/gsql/v1/schema/graphs', () => {
  it('lists names with reverse edges', async () => {
    const { body } = await server.request('GET', '/gsql/v1/schema/graphs')
    expect(body).toEqual({
      error: false,
      message: '',
      graphs: [
        {
          graphName: 'acme',
          vertices: ['Person', 'Company'],
          edges: ['Works_At', 'Employs', 'Knows', 'Pays'],
        },
      ],
    })
  })

  it('reads one graph under all its spellings, and one type of it', async () => {
    const { body } = await server.request('GET', '/gsql/v1/schema/graphs/acme')
    expect(Object.keys(body.results)).toEqual(['GraphName', 'VertexTypes', 'EdgeTypes'])
    for (const url of [
      '/gsql/v1/schema?graph=acme',
      '/gsql/v1/schema/graphs?graphName=acme',
      '/gsqlserver/gsql/schema?graph=acme',
    ]) {
      expect((await server.request('GET', url)).body.results).toEqual(body.results)
    }
    const knows = await server.request('GET', '/gsql/v1/schema/graphs/acme?type=Knows')
    expect(knows.body.results).toMatchObject({ Name: 'Knows', IsDirected: false })
  })

  it('creates from JSON or text and drops', async () => {
    const json = await server.request('POST', '/gsql/v1/schema/graphs?graphName=g', {
      VertexTypes: ['Person'],
      EdgeTypes: ['Knows'],
    })
    expect(json.body).toEqual({ error: false, message: 'Successfully created graph: [g].' })
    const text = await server.request('POST', '/gsql/v1/schema/graphs?gsql=true&graphName=h', {
      gsql: 'CREATE GRAPH h(Person, Knows)',
    })
    expect(text.body.message).toBe('Successfully created graph: [h].')
    expect((await server.request('DELETE', '/gsql/v1/schema/graphs/h')).body.message).toBe(
      'Successfully dropped graph: h.',
    )
    const several = await server.request('DELETE', '/gsql/v1/schema/graphs?graphNames=acme,g')
    expect(several.body.message).toBe('Successfully dropped graphs: [acme, g].')
    expect((await server.request('GET', '/gsql/v1/schema/graphs')).body.graphs).toEqual([])
    expect((await server.request('DELETE', '/gsql/v1/schema/graphs/x')).body).toMatchObject({
      error: true,
      message: "Graph 'x' does not exist.",
    })
  })
})

describe('/gsql/v1/schema/change', () => {
  it('changes everything at once and counts one schema version', async () => {
    const answer = await server.request('POST', '/gsql/v1/schema/change?graph=acme', {
      addVertexTypes: [tag],
      addEdgeTypes: [
        { Name: 'Tagged', IsDirected: true, FromVertexTypeName: 'Person', ToVertexTypeName: 'Tag' },
      ],
      alterVertexTypes: [
        {
          name: 'Person',
          dropAttributes: ['score'],
          addIndexAttributes: [{ indexName: 'by_age', attributeName: 'age' }],
        },
      ],
      dropEdgeTypes: ['Pays'],
    })
    expect(answer.body).toEqual({ error: false, message: 'Schema change job runs successfully' })
    const [graph] = server.engine.catalog.graphs
    expect(graph?.schemaVersion).toBe(1)
  })

  it('changes nothing when one part is refused', async () => {
    const before = server.engine.catalog
    const answer = await server.request('POST', '/gsql/v1/schema/change?graph=acme', {
      addVertexTypes: [tag],
      dropVertexTypes: ['Company'],
    })
    expect(answer.body).toMatchObject({ error: true, code: 'SCHEMA_RULE' })
    expect(server.engine.catalog).toBe(before)
  })

  it.each([
    [{ dropVertexTypes: ['Company'] }, 'dropVertexTypes', 0, 'Company'],
    [{ addVertexTypes: [tag, { ...tag, Name: 'Person' }] }, 'addVertexTypes', 1, 'Person'],
    [
      { alterVertexTypes: [{ name: 'Person', dropAttributes: ['nothing'] }] },
      'alterVertexTypes',
      0,
      'Person',
      'nothing',
    ],
    [{ graphs: [{ graphName: 'acme', addEdgeTypes: ['Ghost'] }] }, 'graphs', 0, 'acme'],
  ])('names the part that is refused, in the look before it, too: %j', async (change, ...place) => {
    const [operation, index, name, detail] = place
    const { body } = await server.request('POST', '/gsql/v1/schema/change?graph=acme', change)
    const at = { operation, index, name, ...(detail && { detail }) }
    expect(body.errors).toEqual([{ ...at, message: body.message }])
    const told = await server.request('POST', '/quiver/v1/schema/impact?graph=acme', change)
    const { code, message } = body
    expect(told.body.results.problem).toEqual({ code, message, place: at })
  })

  it('is found again after a restart', async () => {
    await server.request('POST', '/gsql/v1/schema/change?graph=acme', { addVertexTypes: [tag] })
    const { body } = await server.request('GET', '/gsql/v1/schema/graphs/acme')
    await server.close()
    server = await startServer({ image: server.image, queryWorkerCount: 0 })
    expect((await server.request('GET', '/gsql/v1/schema/graphs/acme')).body).toEqual(body)
  })
})

describe('/quiver/v1/schema/impact', () => {
  const impact = (body: object, query = '?graph=acme') =>
    server.request('POST', `/quiver/v1/schema/impact${query}`, body)

  it('classes each operation and changes nothing', async () => {
    const before = server.engine.catalog
    const { body } = await impact({
      addVertexTypes: [tag],
      alterVertexTypes: [{ name: 'Person', dropAttributes: ['age'] }],
      dropEdgeTypes: ['Knows'],
    })
    expect(body.results.problem).toBeNull()
    expect(
      body.results.operations.map((one: { operation: string; class: string }) => [
        one.operation,
        one.class,
      ]),
    ).toEqual([
      ['dropEdgeTypes', 'safe'],
      ['addVertexTypes', 'safe'],
      ['alterVertexTypes', 'destroys'],
    ])
    expect(server.engine.catalog).toBe(before)
  })

  it('counts what a drop of local types destroys, and tells why a change is refused', async () => {
    await server.request('POST', '/gsql/v1/schema/graphs?graphName=own', {})
    await server.request('POST', '/gsql/v1/schema/vertices?graph=own', { createVertices: [tag] })
    const { body } = await impact({ dropVertexTypes: ['Tag'] }, '?graph=own')
    expect(body.results).toMatchObject({
      problem: null,
      destroyedVertices: 0,
      operations: [{ class: 'destroys', text: 'Deletes the vertex type Tag with 0 vertices.' }],
    })
    const refused = await impact({ dropVertexTypes: ['Company'] })
    expect(refused.body.results.problem).toMatchObject({ code: 'SCHEMA_RULE' })
    expect(refused.body.results.operations[0].edgeTypes).toEqual(['Works_At', 'Pays'])
  })
})

describe('/gsql/v1/schema/indexes', () => {
  const url = '/gsql/v1/schema/indexes'
  const byName = {
    vertex: 'Person',
    addIndexAttributes: [{ indexName: 'by_name', attributeName: 'name' }],
  }

  it('creates, lists, reads and drops', async () => {
    const created = await server.request('POST', `${url}?graph=acme`, byName)
    expect(created.body.message).toBe('Successfully add index by_name on attribute name\n')
    expect((await server.request('GET', `${url}?graph=acme`)).body.results).toEqual([
      { Person: [{ index: 'by_name', attribute: 'name' }] },
    ])
    expect((await server.request('GET', `${url}/by_name?graph=acme`)).body.results).toEqual({
      index: 'by_name',
      attribute: 'name',
    })
    const dropped = await server.request('DELETE', `${url}/by_name?vertex=Person`)
    expect(dropped.body).toEqual({ error: false, message: 'Successfully drop index' })
    expect((await server.request('GET', `${url}?graph=acme`)).body.results).toEqual([])
  })

  it('needs the vertex, and refuses what cannot be indexed', async () => {
    await server.request('POST', `${url}?graph=acme`, byName)
    const codes = async (method: 'POST' | 'DELETE', path: string, body?: object) =>
      (await server.request(method, path, body)).body.code
    expect(await codes('DELETE', `${url}/by_name`)).toBe('INVALID_PARAMETER')
    expect(await codes('DELETE', `${url}/ghost?vertex=Person`)).toBe('INDEX_NOT_FOUND')
    expect(await codes('DELETE', `${url}/by_name?vertex=Ghost`)).toBe('VERTEX_TYPE_NOT_FOUND')
    expect(await codes('POST', url, byName)).toBe('NAME_TAKEN')
    const langs = [{ indexName: 'x', attributeName: 'langs' }]
    expect(await codes('POST', url, { vertex: 'Person', addIndexAttributes: langs })).toBe(
      'SCHEMA_RULE',
    )
    expect(await codes('POST', url, { vertex: 'Person', addIndexAttributes: [] })).toBe(
      'INVALID_PARAMETER',
    )
  })
})

describe('/gsql/v1/udt/tuples', () => {
  it('lists, creates from text, and drops', async () => {
    const url = '/gsql/v1/udt/tuples'
    const text = { gsql: 'TYPEDEF TUPLE <age UINT(4), name STRING(20), f DOUBLE> T' }
    expect((await server.request('POST', url, text)).body.message).toBe(
      'Successfully create tuples: T.',
    )
    const { body } = await server.request('GET', `${url}?graph=acme`)
    expect(body.results.map((one: { name: string }) => one.name)).toEqual(['Addr', 'T'])
    expect(body.results[1].fields).toEqual([
      { fieldName: 'age', fieldType: 'UINT', length: 4 },
      { fieldName: 'name', fieldType: 'STRING', length: 20 },
      { fieldName: 'f', fieldType: 'DOUBLE' },
    ])
    expect((await server.request('DELETE', `${url}/T`)).body.message).toBe(
      'Successfully dropped userDefinedTuple: [T].',
    )
    expect((await server.request('DELETE', `${url}/Addr`)).body.code).toBe('SCHEMA_RULE')
    expect((await server.request('GET', `${url}/Ghost`)).body.code).toBe('TUPLE_NOT_FOUND')
  })
})

describe('the acme fixture', () => {
  it('reads back as it was written', async () => {
    const { body } = await server.request('GET', '/gsql/v1/schema/vertices/Person')
    expect(body.results).toMatchObject({
      ...acmeVertices[0],
      Config: { STATS: 'OUTDEGREE_BY_EDGETYPE' },
    })
  })
})
