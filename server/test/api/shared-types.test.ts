/**
 * Global types belong to every graph that uses them: a designer of one graph changes only what no
 * other graph uses, by whatever call he tries it.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../fixtures/server.ts'

let server: TestServer

/** `here` may change the schema of graph `mine` alone. */
const grants = {
  here: [['designer', 'mine']],
  both: [
    ['designer', 'mine'],
    ['designer', 'other'],
  ],
  everywhere: [['globaldesigner', null]],
} as const
type User = keyof typeof grants

beforeAll(async () => {
  server = await startServer({ queryWorkerCount: 0 })
  await script(
    null,
    `CREATE VERTEX V (PRIMARY_ID id STRING, seq INT, note STRING)
     CREATE VERTEX OnlyMine (PRIMARY_ID id STRING, seq INT)
     CREATE VERTEX OnlyOther (PRIMARY_ID id STRING, seq INT)
     CREATE VERTEX Nowhere (PRIMARY_ID id STRING, seq INT)
     CREATE DIRECTED EDGE E (FROM V, TO V, w INT)
     CREATE DIRECTED EDGE OtherEdge (FROM V, TO V, w INT)
     TYPEDEF TUPLE <a INT> Pair
     CREATE GRAPH mine (V, E, OnlyMine)
     CREATE GRAPH other (V, E, OnlyOther, OtherEdge)`,
  )
  await send(null, 'POST', '/gsql/v1/schema/indexes', {
    vertex: 'V',
    addIndexAttributes: [{ indexName: 'by_seq', attributeName: 'seq' }],
  })
  await send(null, 'POST', '/restpp/graph/other', {
    vertices: { V: { v: { seq: { value: 7 } } }, OnlyOther: { o: { seq: { value: 8 } } } },
  })
  await script(
    null,
    Object.entries(grants)
      .map(([user, roles]) =>
        [
          `CREATE USER ${user} WITH PASSWORD "${user} password"`,
          ...roles.map(
            ([role, graph]) =>
              `GRANT ROLE ${role} ${graph === null ? '' : `ON GRAPH ${graph} `}TO ${user}`,
          ),
        ].join('\n'),
      )
      .join('\n'),
  )
})
afterAll(() => server.close())

async function send(
  user: User | null,
  method: 'POST' | 'PUT' | 'DELETE',
  url: string,
  body?: unknown,
) {
  const authorization = `Basic ${Buffer.from(`${user}:${user} password`).toString('base64')}`
  return await server.request(method, url, body, user === null ? {} : { authorization })
}

async function script(user: User | null, text: string): Promise<string> {
  const answer = await send(user, 'POST', '/gsql/v1/statements', text)
  if (user === null) expect(answer.text).not.toMatch(/fail|error|does not/i)
  return answer.text
}

interface Attempt {
  readonly name: string
  run(user: User): Promise<{ readonly text: string }>
}

let count = 0

/** One step of GSQL: as a job of the graph, and at once. */
const gsql = (step: string): Attempt[] => [
  {
    name: `SCHEMA_CHANGE JOB: ${step}`,
    run: async (user) => {
      const job = `j${++count}`
      const create = `USE GRAPH mine CREATE SCHEMA_CHANGE JOB ${job} FOR GRAPH mine { ${step}; }`
      const text = await script(user, `${create}\nRUN SCHEMA_CHANGE JOB ${job}`)
      return { text }
    },
  },
  {
    name: `SCHEMA_CHANGE JOB of somebody else: ${step}`,
    run: async (user) => {
      const job = `j${++count}`
      await script(
        null,
        `USE GRAPH mine CREATE SCHEMA_CHANGE JOB ${job} FOR GRAPH mine { ${step}; }`,
      )
      return { text: await script(user, `USE GRAPH mine RUN SCHEMA_CHANGE JOB ${job}`) }
    },
  },
]

const direct = (step: string): Attempt => ({
  name: `in a script: ${step}`,
  run: async (user) => ({ text: await script(user, `USE GRAPH mine\n${step}`) }),
})

const http = (method: 'POST' | 'PUT' | 'DELETE', path: string, body?: object): Attempt => ({
  name: `${method} ${path} ${JSON.stringify(body)}`,
  run: (user) => send(user, method, `/gsql/v1/schema/${path}`, body),
})

const change = (parts: object): Attempt[] => [
  http('POST', 'change?graph=mine', parts),
  {
    name: `POST jobs/{job} ${JSON.stringify(parts)}`,
    run: async (user) => {
      const job = `/gsql/v1/schema/jobs/h${++count}?graph=mine`
      await send(user, 'POST', job, parts)
      return await send(user, 'PUT', job)
    },
  },
]

/** Of the type that graph `other` uses, too. */
const shared: readonly Attempt[] = [
  ...gsql('ALTER VERTEX V DROP ATTRIBUTE (seq)'),
  ...gsql('ALTER VERTEX V ADD ATTRIBUTE (more INT)'),
  ...gsql('ALTER VERTEX V ADD INDEX by_note ON (note)'),
  ...gsql('ALTER VERTEX V DROP INDEX by_seq'),
  ...gsql('ALTER VERTEX V ADD VECTOR ATTRIBUTE vec (DIMENSION=2, METRIC="L2")'),
  ...gsql('ALTER EDGE E DROP ATTRIBUTE (w)'),
  ...gsql('ALTER EDGE E ADD ATTRIBUTE (more INT)'),
  ...gsql('ALTER EDGE E ADD PAIR (FROM OnlyMine, TO OnlyMine)'),
  direct('ALTER VERTEX V DROP ATTRIBUTE (seq)'),
  direct('ALTER VERTEX V ADD INDEX by_note ON (note)'),
  direct('ALTER EDGE E DROP ATTRIBUTE (w)'),
  http('PUT', 'vertices/V?graph=mine', { dropAttributes: ['seq'] }),
  http('PUT', 'vertices/V?graph=mine', { newName: 'Renamed' }),
  http('PUT', 'vertices/V?graph=mine', { description: 'mine now' }),
  http('PUT', 'vertices/V?graph=mine', {
    changeAttributes: [{ name: 'seq', newName: 'sequence' }],
  }),
  http('PUT', 'edges/E?graph=mine', { dropAttributes: ['w'] }),
  http('PUT', 'edges/E?graph=mine', { newName: 'Renamed' }),
  http('POST', 'indexes?graph=mine', {
    vertex: 'V',
    addIndexAttributes: [{ indexName: 'by_note', attributeName: 'note' }],
  }),
  http('DELETE', 'indexes/by_seq?graph=mine&vertex=V'),
  ...change({ alterVertexTypes: [{ name: 'V', dropAttributes: ['seq'] }] }),
  ...change({ alterEdgeTypes: [{ name: 'E', dropAttributes: ['w'] }] }),
]

/** Brings a global type, with the data that other graphs loaded, into the graph. */
const brought: readonly Attempt[] = [
  http('POST', 'vertices?graph=mine', { addVertices: ['OnlyOther'] }),
  http('POST', 'edges?graph=mine', { addEdges: ['OtherEdge'] }),
  ...gsql('ADD VERTEX OnlyOther TO GRAPH mine'),
  ...change({ graphs: [{ graphName: 'mine', addVertexTypes: ['OnlyOther'] }] }),
]

/** Belongs to the whole server, or to a graph that the caller names none of his. */
const global: readonly Attempt[] = [
  http('POST', 'vertices?graph=mine', { addVertices: ['Nowhere'] }),
  http('POST', 'change?graph=mine', {
    graphs: [{ graphName: 'other', dropVertexTypes: ['OnlyOther'] }],
  }),
  http('PUT', 'vertices/V', { dropAttributes: ['seq'] }),
  http('DELETE', 'vertices/V'),
  http('DELETE', 'vertices?vertex=all'),
  http('DELETE', 'graphs/other?cascade=true'),
  http('DELETE', 'graphs/other?cascade=true&graph=mine'),
  http('POST', 'graphs?graphName=third&graph=mine', { VertexTypes: ['*'] }),
  direct('DROP VERTEX V'),
  direct('DROP EDGE E'),
  direct('DROP TUPLE Pair'),
  direct('DROP GRAPH other CASCADE'),
  direct('DROP GRAPH mine CASCADE'),
  direct('DROP ALL'),
  direct('CLEAR GRAPH STORE -HARD'),
  direct('CREATE VERTEX G2 (PRIMARY_ID id STRING)'),
  direct('CREATE GRAPH third (*)'),
  direct('TYPEDEF TUPLE <a INT> Third'),
  direct('USE GLOBAL\nALTER VERTEX V DROP ATTRIBUTE (seq)'),
  direct(
    'CREATE GLOBAL SCHEMA_CHANGE JOB gj { ALTER VERTEX V DROP ATTRIBUTE (seq); } RUN GLOBAL SCHEMA_CHANGE JOB gj',
  ),
  direct(
    'CREATE SCHEMA_CHANGE JOB oj FOR GRAPH other { DROP VERTEX OnlyOther; } USE GRAPH other RUN SCHEMA_CHANGE JOB oj',
  ),
  {
    name: 'POST udt/tuples',
    run: (user) =>
      send(user, 'POST', '/gsql/v1/udt/tuples?graph=mine', { gsql: 'TYPEDEF TUPLE <a INT> Third' }),
  },
  {
    name: 'DELETE udt/tuples',
    run: (user) => send(user, 'DELETE', '/gsql/v1/udt/tuples/Pair?graph=mine'),
  },
]

const snapshot = () => {
  const { vertexTypes, edgeTypes, graphs, tuples } = server.engine.catalog
  return JSON.stringify([vertexTypes, edgeTypes, graphs, tuples])
}

async function expectRefused(attempt: Attempt, user: User): Promise<string> {
  const before = snapshot()
  const { text } = await attempt.run(user)
  expect(snapshot(), text).toBe(before)
  expect(text).toMatch(/WRITE_SCHEMA|DROP_GRAPH|DROP_ALL|CLEAR_GRAPHSTORE|cannot change graph/)
  return text
}

describe('a designer of one graph', () => {
  it.each(shared)('cannot change a shared type by $name', async (attempt) => {
    const text = await expectRefused(attempt, 'here')
    // Of which other graphs there are nothing is said.
    expect(text).not.toContain('other graph other')
    expect(text).not.toMatch(/on graph other/)
  })

  it.each([...brought, ...global])('cannot do $name', async (attempt) => {
    await expectRefused(attempt, 'here')
  })

  it('changes the types of its own graph, also the global ones that no other graph uses', async () => {
    const text = await script(
      'here',
      `USE GRAPH mine
       CREATE SCHEMA_CHANGE JOB own FOR GRAPH mine {
         ADD VERTEX Local (PRIMARY_ID id STRING, x INT);
         ADD DIRECTED EDGE LocalEdge (FROM Local, TO V);
         ALTER VERTEX OnlyMine ADD ATTRIBUTE (more INT);
       }
       RUN SCHEMA_CHANGE JOB own
       ALTER VERTEX Local ADD ATTRIBUTE (y INT)`,
    )
    expect(text).toContain('Local schema change succeeded')
    const mine = server.engine.catalog.vertexTypes.find(({ name }) => name === 'Local')!
    expect(mine.attributes.map(({ name }) => name)).toEqual(['x', 'y'])
  })

  it('takes a shared type out of its graph, which leaves it to the others', async () => {
    const all = (graph: string) =>
      server.engine.catalog.graphs.find(({ name }) => name === graph)!.edgeTypeIds.length
    const others = all('other')
    const { body } = await send('here', 'DELETE', '/gsql/v1/schema/edges/E?graph=mine')
    expect(body.error).toBe(false)
    expect(all('other')).toBe(others)
    await send(null, 'POST', '/gsql/v1/schema/edges?graph=mine', { addEdges: ['E'] })
  })
})

describe('who may change every graph that is concerned', () => {
  it.each(['both', 'everywhere'] as const)('%s changes a shared type', async (user) => {
    const steps = [
      { addAttributes: [{ AttributeName: 'late', AttributeType: { Name: 'INT' } }] },
      { dropAttributes: ['late'] },
    ]
    for (const body of steps) {
      const answer = await send(user, 'PUT', '/gsql/v1/schema/vertices/V?graph=mine', body)
      expect(answer.body.error, answer.text).toBe(false)
    }
    const url = '/gsql/v1/schema/vertices'
    const added = await send(user, 'POST', `${url}?graph=mine`, { addVertices: ['OnlyOther'] })
    expect(added.body.error, added.text).toBe(false)
    const dropped = await send(user, 'DELETE', `${url}/OnlyOther?graph=mine`)
    expect(dropped.body.error, dropped.text).toBe(false)
  })

  it('but not what belongs to the whole server, without the right on all of it', async () => {
    for (const attempt of global.slice(0, 1)) await expectRefused(attempt, 'both')
  })
})
