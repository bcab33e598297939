/** Descriptions of types and attributes: they stay through everything, and disable no query. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DESCRIPTION_SIZE_CHARS_MAX } from '#kernel/limits.ts'
import { attribute } from '../fixtures/acme.ts'
import { directoriesIn, startServer, type TestServer } from '../fixtures/server.ts'

const said = 'Whoever "lives" here,\nor did: C:\\home\t☃'
const town = {
  addVertexTypes: [
    {
      Name: 'Person',
      Description: said,
      PrimaryId: attribute('pid', 'STRING', { Description: 'As on the card.' }),
      Attributes: [attribute('age', 'INT', { Description: 'In years.', DefaultValue: '3' })],
      EmbeddingAttributes: [{ Name: 'face', Dimension: 2, Description: 'Of a photo.' }],
    },
    {
      Name: 'Place',
      PrimaryId: attribute('name', 'STRING', { IsPrimaryKey: true, Description: 'Its name.' }),
    },
  ],
  addEdgeTypes: [
    {
      Name: 'Lives_In',
      Description: 'Since when is not known.',
      IsDirected: true,
      FromVertexTypeName: 'Person',
      ToVertexTypeName: 'Place',
      Attributes: [attribute('floor', 'INT', { Description: '0 is the ground.' })],
      Config: { REVERSE_EDGE: 'Houses' },
    },
  ],
}
const everyText = {
  Person: said,
  'Person.pid': 'As on the card.',
  'Person.age': 'In years.',
  'Person.face': 'Of a photo.',
  'Place.name': 'Its name.',
  Lives_In: 'Since when is not known.',
  'Lives_In.floor': '0 is the ground.',
}

let server: TestServer
let directory: string
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'quiver-descriptions-'))
  server = await startServer({ ...directoriesIn(directory) })
  await post('/gsql/v1/schema/graphs?graphName=town', {})
  await change(town)
})
afterEach(async () => {
  await server.close()
  rmSync(directory, { recursive: true })
})

async function post(url: string, body: unknown, at = server) {
  const answer = await at.request('POST', url, body)
  if (answer.body?.error !== false) throw new Error(`${url}: ${answer.text}`)
  return answer.body
}
const change = (body: object, graph = 'town') => post(`/gsql/v1/schema/change?graph=${graph}`, body)
const script = async (text: string) =>
  (await server.request('POST', '/gsql/v1/statements', text)).text

interface Part {
  readonly Name?: string
  readonly AttributeName?: string
  readonly Description?: string
}

/** All that is said in a graph, by what it is about. */
async function texts(graph = 'town', at = server): Promise<Record<string, string>> {
  const { results } = (await at.request('GET', `/gsql/v1/schema/graphs/${graph}`)).body
  const found: Record<string, string> = {}
  const note = (key: string, { Description }: Part) => {
    if (Description !== undefined) found[key] = Description
  }
  for (const type of [...results.VertexTypes, ...results.EdgeTypes]) {
    note(type.Name, type)
    const { PrimaryId, Attributes, EmbeddingAttributes = [] } = type
    for (const part of [...(PrimaryId ? [PrimaryId] : []), ...Attributes, ...EmbeddingAttributes]) {
      note(`${type.Name}.${part.AttributeName ?? part.Name}`, part)
    }
  }
  return found
}

describe('descriptions', () => {
  it('are told as they were given, and nowhere else', async () => {
    expect(await texts()).toEqual(everyText)
    await post('/restpp/graph/town', { vertices: { Person: { a: { age: { value: 7 } } } } })
    const [row] = (await server.request('GET', '/restpp/graph/town/vertices/Person')).body.results
    expect(row).toEqual({ v_id: 'a', v_type: 'Person', attributes: { age: 7 } })
  })

  it('stay over a restart and over other changes', async () => {
    await change({
      alterVertexTypes: [
        {
          name: 'Person',
          addAttributes: [attribute('size', 'INT')],
          addIndexAttributes: [{ indexName: 'by_age', attributeName: 'age' }],
        },
      ],
      alterEdgeTypes: [{ name: 'Lives_In', addEdgePairs: [{ From: 'Place', To: 'Place' }] }],
    })
    expect(await texts()).toEqual(everyText)
    await server.close()
    server = await startServer({ image: server.image, ...directoriesIn(directory) })
    expect(await texts()).toEqual(everyText)
  })

  it('go into an export and come back with it', async () => {
    await post('/gsql/v1/db-export', { path: 'all', graphNames: ['*'] })
    const other = await startServer({ ...directoriesIn(directory) })
    await post('/gsql/v1/db-import', { path: 'all', graphNames: ['*'] }, other)
    expect(await texts('town', other)).toEqual(everyText)
    await other.close()
  })

  it('are changed and taken away, class A, and disable no query', async () => {
    await script(
      'USE GRAPH town CREATE QUERY ages() { S = {Person.*}; PRINT S[S.age]; } INSTALL QUERY ages',
    )
    await post('/restpp/graph/town', { vertices: { Person: { a: { age: { value: 7 } } } } })
    const body = {
      alterVertexTypes: [
        {
          name: 'Person',
          description: 'Anybody.',
          describeAttributes: [
            { name: 'age', description: 'At birth: 0.' },
            { name: 'pid', description: '' },
            { name: 'face', description: ' \n ' },
          ],
        },
        { name: 'Place', describeAttributes: [{ name: 'name', description: 'As spoken.' }] },
      ],
      alterEdgeTypes: [{ name: 'Lives_In', description: '' }],
    }
    const told = await post('/quiver/v1/schema/impact?graph=town', body)
    expect(told.results.problem).toBe(null)
    expect(told.results.operations).toHaveLength(6)
    for (const one of told.results.operations) {
      expect(one).toMatchObject({ class: 'safe', vertices: 0, edges: 0, queries: [] })
    }
    expect(told.results.operations.map(({ text }: { text: string }) => text)).toContain(
      'Takes the description from Person.pid.',
    )
    await change(body)
    expect(await texts()).toEqual({
      Person: 'Anybody.',
      'Person.age': 'At birth: 0.',
      'Place.name': 'As spoken.',
      'Lives_In.floor': '0 is the ground.',
    })
    const { body: ran } = await server.request('GET', '/restpp/query/town/ages')
    expect(ran).toMatchObject({ error: false, results: [{ S: [{ v_id: 'a' }] }] })
    const info = await server.request('GET', '/gsql/v1/queries/info?graph=town&query=ages')
    expect(info.text).toContain('"installed":true')
    expect(info.text).toContain('"enabled":true')
  })

  it('are altered by the calls of one type, too', async () => {
    const url = '/gsql/v1/schema'
    const altered = await server.request('PUT', `${url}/vertices/Person?graph=town`, {
      description: 'One.',
    })
    expect(altered.body.message).toBe('Successfully update vertex: Person')
    await server.request('PUT', `${url}/edges/Lives_In?graph=town`, {
      describeAttributes: [{ name: 'floor', description: 'Counted from 1.' }],
    })
    expect(await texts()).toMatchObject({ Person: 'One.', 'Lives_In.floor': 'Counted from 1.' })
  })

  it('are written in GSQL, and what SHOW and a job say can be read again', async () => {
    const made = await script(`CREATE GRAPH copy () USE GRAPH copy
      CREATE SCHEMA_CHANGE JOB make FOR GRAPH copy {
        ADD VERTEX Person (PRIMARY_ID pid STRING DESCRIPTION "As on the card.",
          age INT DEFAULT 3 DESCRIPTION "In years.") WITH STATS="none", DESCRIPTION=${JSON.stringify(said)};
        ALTER VERTEX Person ADD VECTOR ATTRIBUTE face (DIMENSION=2, DESCRIPTION="Of a photo.");
        ADD VERTEX Place (name STRING PRIMARY KEY DESCRIPTION "Its name.");
        ADD DIRECTED EDGE Lives_In (FROM Person, TO Place, floor INT DESCRIPTION "?")
          WITH REVERSE_EDGE="Houses", DESCRIPTION="Since when is not known.";
        ALTER EDGE Lives_In SET ATTRIBUTE floor DESCRIPTION "0 is the ground.";
      } RUN SCHEMA_CHANGE JOB make`)
    expect(await texts('copy'), made).toEqual(everyText)
    const shown = await script('USE GRAPH copy LS')
    expect(shown).toContain('age INT DEFAULT "3" DESCRIPTION "In years."')
    expect(shown).toContain(`DESCRIPTION=${JSON.stringify(said)}`)
    expect(shown).toContain('REVERSE_EDGE="Houses", DESCRIPTION="Since when is not known."')
    expect(shown).toContain('Metric="COSINE", DESCRIPTION="Of a photo.")')
  })

  it('are set by a statement of their own, which says what is wrong with it', async () => {
    const said = await script('USE GRAPH town ALTER VERTEX Person SET DESCRIPTION "One."')
    expect(await texts(), said).toMatchObject({ Person: 'One.', 'Person.age': 'In years.' })
    await script('USE GRAPH town ALTER EDGE Lives_In SET ATTRIBUTE floor DESCRIPTION ""')
    expect(await texts()).not.toHaveProperty(['Lives_In.floor'])
    for (const wrong of [
      'SET "One."',
      'SET DESCRIPTION One',
      'SET ATTRIBUTE "age" DESCRIPTION "x"',
    ]) {
      expect(await script(`USE GRAPH town ALTER VERTEX Person ${wrong}`)).toMatch(
        /mismatched|line 1/,
      )
    }
    expect(
      await script('USE GRAPH town ALTER VERTEX Person SET ATTRIBUTE ghost DESCRIPTION "x"'),
    ).toContain('ghost')
    expect(await script('USE GRAPH town ALTER EDGE Houses SET DESCRIPTION "x"')).toContain(
      'reverse edge of Lives_In',
    )
  })

  it('leave the word free for names', async () => {
    const made = await script(`CREATE GRAPH words () USE GRAPH words
      CREATE SCHEMA_CHANGE JOB make FOR GRAPH words {
        ADD VERTEX Description (PRIMARY_ID id STRING, description STRING DESCRIPTION "The text.", attribute INT);
      } RUN SCHEMA_CHANGE JOB make`)
    expect(await texts('words'), made).toEqual({ 'Description.description': 'The text.' })
  })

  it('go through a job of JSON', async () => {
    await post('/gsql/v1/schema/graphs?graphName=second', {})
    await post('/gsql/v1/schema/jobs/make?graph=second', town)
    await post('/gsql/v1/schema/jobs/say?graph=second', {
      alterVertexTypes: [
        {
          name: 'Place',
          description: 'A "dot".',
          describeAttributes: [{ name: 'name', description: 'N' }],
        },
      ],
    })
    for (const job of ['make', 'say']) {
      await server.request('PUT', `/gsql/v1/schema/jobs/${job}?graph=second`)
    }
    const { body } = await server.request('GET', '/gsql/v1/schema/jobs/say?graph=second')
    expect(JSON.stringify(body)).toContain('SET ATTRIBUTE name DESCRIPTION')
    expect(await texts('second')).toEqual({
      ...everyText,
      Place: 'A "dot".',
      'Place.name': 'N',
    })
  })

  it.each([
    [{ description: 'x'.repeat(DESCRIPTION_SIZE_CHARS_MAX + 1) }, 'Person has 2001 characters'],
    [{ description: 'bell \x07' }, 'control character'],
    [{ describeAttributes: [{ name: 'ghost', description: 'x' }] }, 'ghost'],
    [{ describeAttributes: [{ name: 'age' }] }, 'describeAttributes'],
    [{ description: 5 }, 'description'],
  ])('that cannot be are refused by name: %j', async (alteration, message) => {
    const body = { alterVertexTypes: [{ name: 'Person', ...alteration }] }
    const answer = await server.request('POST', '/gsql/v1/schema/change?graph=town', body)
    expect(answer.status).toBe(400)
    expect(answer.body.message).toContain(message)
    expect(await texts()).toEqual(everyText)
  })

  it('may have as many characters as the limit says', async () => {
    const description = 'x'.repeat(DESCRIPTION_SIZE_CHARS_MAX)
    await change({ alterVertexTypes: [{ name: 'Person', description }] })
    expect((await texts())['Person']).toBe(description)
  })
})
