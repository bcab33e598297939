/** What the preview of a payload says it would do, held against what the server then does. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  type Existing,
  edgeNameKey,
  effectsOf,
  elementsOf,
  vertexNameKey,
} from '../../../src/features/data/model/payload-effects.ts'
import {
  defaultOptions,
  requestOptions,
  type UpsertOptions,
} from '../../../src/features/data/model/upsert-options.ts'
import { readSchema } from '../../../src/lib/graph-schema/wire-form.ts'
import { attribute } from '../fixtures/acme.ts'
import { startServer, type TestServer } from '../fixtures/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer({ queryWorkerCount: 0 })
})
afterAll(() => server.close())

const ends = { FromVertexTypeName: 'Person', ToVertexTypeName: 'Person' }
const month = attribute('month', 'INT', { IsDiscriminator: true })

async function counts(graph: string) {
  const { body } = await server.request('GET', `/quiver/v1/graphs/${graph}/counts`)
  const { vertices, edges } = body.results
  const sum = (rows: readonly { readonly count: number }[]) =>
    rows.reduce((total, { count }) => total + count, 0)
  return { vertices: sum(vertices), edges: sum(edges) }
}

async function existingOf(
  graph: string,
  elements: ReturnType<typeof elementsOf>,
): Promise<Existing> {
  const url = `/quiver/v1/graphs/${graph}`
  const ids = elements.flatMap((element) => element.ends)
  const pairs = elements.flatMap(({ type, ends: [from, to] }) =>
    from && to
      ? [{ type, from_type: from.type, from_id: from.id, to_type: to.type, to_id: to.id }]
      : [],
  )
  const read = await server.request('POST', `${url}/vertices`, { ids })
  const rows = (await server.request('POST', `${url}/edges`, { pairs })).body.results.edges
  const edges = new Map<string, Record<string, unknown>[]>()
  for (const row of rows) {
    const [from, to] = [
      { type: row.from_type, id: row.from_id },
      { type: row.to_type, id: row.to_id },
    ]
    for (const pair of row.directed
      ? [[from, to]]
      : [
          [from, to],
          [to, from],
        ]) {
      const key = edgeNameKey(row.e_type, pair)
      edges.set(key, [...(edges.get(key) ?? []), row.attributes])
    }
  }
  const found = read.body.results.vertices as { v_type: string; v_id: string }[]
  const names = found.map(({ v_type, v_id }) => vertexNameKey({ type: v_type, id: v_id }))
  return { vertices: new Set(names), edges }
}

const before = {
  vertices: { Person: { a: {}, b: {} } },
  edges: {
    Person: {
      a: {
        Knows: { Person: { b: {} } },
        Likes: { Person: { b: {} } },
        Pays: { Person: { b: { month: { value: 1 } } } },
      },
    },
  },
}
const payload = {
  vertices: { Person: { a: {}, c: {} } },
  edges: {
    Person: {
      a: {
        Likes: { Person: { b: {}, c: {}, new1: {} } },
        Pays: { Person: { b: [{ month: { value: 1 } }, { month: { value: 2 } }] } },
      },
      b: { Knows: { Person: { a: {} } }, Liked: { Person: { a: {} } } },
      new2: { Likes: { Person: { b: {} } } },
    },
  },
}

const choices: readonly Partial<UpsertOptions>[] = (['upsert', 'new', 'update'] as const).flatMap(
  (vertices) =>
    (['any', 'both', 'source', 'target'] as const).map((endpoints) => ({ vertices, endpoints })),
)

it.each(choices)('%j', async (choice) => {
  const graph = `g_${choice.vertices}_${choice.endpoints}`
  await server.request('POST', `/gsql/v1/schema/graphs?graphName=${graph}`, {})
  const changed = await server.request('POST', `/gsql/v1/schema/change?graph=${graph}`, {
    addVertexTypes: [{ Name: 'Person', PrimaryId: attribute('id', 'STRING'), Attributes: [] }],
    addEdgeTypes: [
      { Name: 'Knows', IsDirected: false, ...ends, Attributes: [] },
      {
        Name: 'Likes',
        IsDirected: true,
        ...ends,
        Config: { REVERSE_EDGE: 'Liked' },
        Attributes: [],
      },
      { Name: 'Pays', IsDirected: true, ...ends, Attributes: [month, attribute('sum', 'INT')] },
    ],
  })
  expect(changed.body.error, changed.text).toBe(false)
  await server.request('POST', `/restpp/graph/${graph}`, before)
  const schema = readSchema(
    (await server.request('GET', `/gsql/v1/schema/graphs/${graph}`)).body.results,
  )
  const options = { ...defaultOptions, ...choice }
  const elements = elementsOf(schema, payload)
  const effects = effectsOf(elements, await existingOf(graph, elements), options)
  const count = (effect: string, isEdge: boolean) =>
    effects.filter((one, at) => one === effect && (elements[at]?.ends.length === 2) === isEdge)
      .length

  const old = await counts(graph)
  const { query } = requestOptions(options)
  const search = new URLSearchParams(Object.entries(query).map(([key, value]) => [key, `${value}`]))
  const answer = await server.request('POST', `/restpp/graph/${graph}?${search}`, payload)
  const outcome = answer.body.results[0]
  expect(outcome, answer.text).toMatchObject({
    accepted_vertices: 2 - count('skip', false),
    accepted_edges: 8 - count('skip', true),
  })
  expect((await counts(graph)).edges - old.edges).toBe(count('insert', true))
})
