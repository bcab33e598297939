/**
 * Kills the real server while a type is renamed and an attribute gets a wider type, again and again:
 * after each restart the schema is that of before or of after, and every value with it.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createRandom } from '#kernel/prng.ts'
import { type RunningServer, startServer } from './running-server.ts'

// A round starts a server and reads every value: a part of what the other tests do is enough.
const rounds = Math.ceil(Number(process.env['QUIVER_CRASH_ROUNDS'] ?? 3) / 5)
const seed = Number(process.env['QUIVER_CRASH_SEED'] ?? 1)
const VERTICES = 20_000
const GRAPH = '/gsql/v1/schema/graphs/g'

const attribute = (name: string, type: string) => ({
  AttributeName: name,
  AttributeType: { Name: type },
})

/** What a change may leave: the name of the type, and of each attribute its type. */
interface Schema {
  readonly name: string
  readonly types: Readonly<Record<string, string>>
}

async function send(server: RunningServer, method: string, path: string, body?: unknown) {
  const answer = await server.request(method, path, body)
  expect(answer.body.error, JSON.stringify(answer.body).slice(0, 500)).toBe(false)
  return answer.body
}

async function readSchema(server: RunningServer): Promise<Schema> {
  const { VertexTypes, EdgeTypes } = (await send(server, 'GET', GRAPH)).results
  const [type] = VertexTypes
  const listed = type.Attributes.map((one: ReturnType<typeof attribute>) => [
    one.AttributeName,
    one.AttributeType.Name,
  ])
  expect(EdgeTypes[0].FromVertexTypeName).toBe(type.Name)
  return { name: type.Name, types: Object.fromEntries(listed) }
}

/** Each attribute holds the number of its vertex, as a number or as a text. */
async function checkValues(server: RunningServer, { name, types }: Schema): Promise<void> {
  const { results } = await send(server, 'GET', `/restpp/graph/g/vertices/${name}`)
  expect(results).toHaveLength(VERTICES)
  for (const { v_id, v_type, attributes } of results) {
    const wanted = Object.entries(types).map(([at, type]) => [
      at,
      type === 'STRING' ? v_id : Number(v_id),
    ])
    if (v_type === name && wanted.every(([at, one]) => attributes[at] === one)) continue
    expect([v_type, attributes], v_id).toEqual([name, Object.fromEntries(wanted)])
  }
  const edges = await send(server, 'GET', `/restpp/graph/g/edges/${name}/1`)
  expect(edges.results).toMatchObject([{ to_id: '2', attributes: { a: 7 } }])
}

it(`a rename and a widening are made whole or not at all, ${rounds} times (seed ${seed})`, async () => {
  const directory = mkdtempSync(join(tmpdir(), 'quiver-migration-'))
  let server = await startServer(directory)
  try {
    const random = createRandom(seed)
    await send(server, 'POST', '/gsql/v1/schema/graphs?graphName=g', {})
    const type = { Name: 'T0', PrimaryId: attribute('id', 'INT'), Attributes: [] }
    const ends = { FromVertexTypeName: 'T0', ToVertexTypeName: 'T0' }
    const edge = { Name: 'E', IsDirected: true, ...ends, Attributes: [attribute('a', 'UINT')] }
    const body = { addVertexTypes: [type], addEdgeTypes: [edge] }
    await send(server, 'POST', '/gsql/v1/schema/change?graph=g', body)
    let schema = await readSchema(server)
    for (let round = 1; round <= rounds; round++) {
      const fresh = `a${round}`
      const add = { name: schema.name, addAttributes: [attribute(fresh, 'INT')] }
      await send(server, 'POST', '/gsql/v1/schema/change?graph=g', { alterVertexTypes: [add] })
      const rows = Array.from({ length: VERTICES }, (_, id) => [id, { [fresh]: { value: id } }])
      await send(server, 'POST', '/restpp/graph/g', {
        vertices: { [schema.name]: Object.fromEntries(rows) },
        edges: { [schema.name]: { 1: { E: { [schema.name]: { 2: { a: { value: 7 } } } } } } },
      })
      if (round % 2 === 0) await send(server, 'GET', '/restpp/rebuildnow/g')
      const before = await readSchema(server)
      const after = {
        name: `T${round}`,
        types: { ...before.types, [fresh]: round % 3 === 0 ? 'DOUBLE' : 'STRING' },
      }
      const widening = attribute(fresh, after.types[fresh] ?? '').AttributeType
      const alteration = {
        ...{ name: before.name, newName: after.name },
        changeAttributes: [{ name: fresh, AttributeType: widening }],
      }
      const changed = server
        .request('POST', '/gsql/v1/schema/change?graph=g', { alterVertexTypes: [alteration] })
        .then(({ body: { error } }) => error === false)
        .catch(() => false)
      if (round % 3 === 1) server.request('GET', '/restpp/rebuildnow/g').catch(() => undefined)
      await new Promise((resolve) => setTimeout(resolve, random.below(60)))
      await server.kill()
      const isAcknowledged = await changed
      server = await startServer(directory)
      schema = await readSchema(server)
      expect(isAcknowledged ? [after] : [before, after], `round ${round}`).toContainEqual(schema)
      await checkValues(server, schema)
    }
    expect(await server.stop()).toBe(0)
  } finally {
    await server.kill()
    rmSync(directory, { recursive: true })
  }
}, 600_000)
