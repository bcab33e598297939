/**
 * The real server with upserts around the sizes that cut its commit log, last in the log, then
 * stopped in order or killed: it starts again, and every vertex is there.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { LOG_READ_SIZE_BYTES } from '#kernel/limits.ts'
import { type RunningServer, startServer } from './running-server.ts'

const NAME_SIZE_BYTES = 1000
const SIZES = [LOG_READ_SIZE_BYTES, 2 * LOG_READ_SIZE_BYTES]

it.each(['stop', 'kill'] as const)(
  'starts again after large upserts and a %s',
  async (end) => {
    const directory = mkdtempSync(join(tmpdir(), 'quiver-large-'))
    let server = await startServer(directory)
    try {
      await createGraph(server)
      let count = 0
      for (const sizeBytes of SIZES) {
        const added = Math.ceil(sizeBytes / NAME_SIZE_BYTES)
        await upsert(server, count, added)
        count += added
        await server[end]()
        server = await startServer(directory)
        expect(await countVertices(server)).toBe(count)
      }
    } finally {
      await server.kill()
      rmSync(directory, { recursive: true })
    }
  },
  300_000,
)

async function createGraph(server: RunningServer): Promise<void> {
  const primaryId = { AttributeName: 'id', AttributeType: { Name: 'INT' } }
  const name = { AttributeName: 'name', AttributeType: { Name: 'STRING' } }
  const type = { Name: 'V', PrimaryId: primaryId, Attributes: [name] }
  const created = await server.request('POST', '/gsql/v1/schema/vertices', {
    createVertices: [type],
  })
  expect(created.body.error).toBe(false)
  const body = { VertexTypes: ['V'], EdgeTypes: [] }
  const graph = await server.request('POST', '/gsql/v1/schema/graphs?graphName=g', body)
  expect(graph.body.error).toBe(false)
}

async function upsert(server: RunningServer, first: number, count: number): Promise<void> {
  const rows = Array.from({ length: count }, (_, index) => {
    const id = String(first + index)
    return [id, { name: { value: id.padEnd(NAME_SIZE_BYTES, '.') } }]
  })
  const vertices = { V: Object.fromEntries(rows) }
  const { body } = await server.request('POST', '/restpp/graph/g', { vertices })
  expect(body.error).toBe(false)
}

async function countVertices(server: RunningServer): Promise<number> {
  const body = { function: 'stat_vertex_number', type: 'V' }
  const answer = await server.request('POST', '/restpp/builtins/g', body)
  expect(answer.body.error).toBe(false)
  return answer.body.results[0].count
}
