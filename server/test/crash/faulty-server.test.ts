/** The whole server over a store whose n-th write fails: it says so, reads go on, nothing is lost. */
import { describe, expect, it } from 'vitest'
import { FaultyStore } from '#storage/faulty/faulty-store.ts'
import { createMemoryImage, type MemoryImage, MemoryStore } from '#storage/memory/memory-store.ts'
import { startServer, type TestServer } from '../fixtures/server.ts'

const CLIENTS = 3
const ROUNDS = 3

interface Client {
  sent: number
  acknowledged: number
}

describe('a server whose store fails at its n-th write', () => {
  for (const moment of ['before', 'after'] as const) {
    for (const [code, contractCode] of [
      ['STORE_FAILED', 'REST-12000'],
      ['DISK_FULL', 'REST-12003'],
    ] as const) {
      it(`${moment} it is done, with ${code}, answers 503, reads on, loses nothing`, async () => {
        for (let operation = 1; operation <= CLIENTS * ROUNDS; operation++) {
          const image = createMemoryImage()
          const store = new FaultyStore(new MemoryStore(image), null)
          const server = await startServer({ store, queryWorkerCount: 0 })
          await createGraph(server)
          store.arm({ operation, moment, code })
          const answers: Answer[] = []
          const clients = await runLoad(server, answers)
          const refused = answers.filter((answer) => answer.status !== 200)
          expect(refused.every(isClearRefusal), JSON.stringify(refused)).toBe(true)
          expect(refused.map((answer) => answer.body.code)).toContain(contractCode)
          await expectReads(server, clients)
          await expectWritesRefused(server)
          await server.close()
          await expectNothingLost(image, clients)
        }
      }, 120_000)
    }
  }

  it('starts although the first write fails, and reads', async () => {
    const image = createMemoryImage()
    const first = await startServer({ image, queryWorkerCount: 0 })
    await createGraph(first)
    await first.close()
    const fault = { operation: 1, moment: 'before', code: 'DISK_FULL' } as const
    const store = new FaultyStore(new MemoryStore(image), fault)
    const server = await startServer({ store, queryWorkerCount: 0 })
    const read = await server.request('GET', '/restpp/graph/g/vertices/Counter')
    expect([read.status, read.body.results]).toEqual([200, []])
    await expectWritesRefused(server)
    const ready = await server.request('GET', '/quiver/v1/ready')
    expect(ready.body.results).toMatchObject({ ready: true, store: 'read-only' })
    const writable = await server.request('GET', '/quiver/v1/ready?writable=true')
    expect([writable.status, writable.body.code]).toEqual([503, 'STORE_READ_ONLY'])
    const body = { ServiceDescriptors: [{ ServiceName: 'GSE' }] }
    const { body: state } = await server.request('POST', '/informant/current-service-status', body)
    expect(state.ServiceStatusEvents).toMatchObject([{ ServiceStatus: 'Readonly' }])
    await server.close()
  })
})

type Answer = Awaited<ReturnType<TestServer['request']>>

async function createGraph(server: TestServer): Promise<void> {
  const primaryId = { AttributeName: 'id', AttributeType: { Name: 'STRING' } }
  const value = { AttributeName: 'value', AttributeType: { Name: 'INT' } }
  const created = await server.request('POST', '/gsql/v1/schema/vertices', {
    createVertices: [{ Name: 'Counter', PrimaryId: primaryId, Attributes: [value] }],
  })
  expect(created.body.error).toBe(false)
  const graph = await server.request('POST', '/gsql/v1/schema/graphs?graphName=g', {
    VertexTypes: ['Counter'],
    EdgeTypes: [],
  })
  expect(graph.body.error).toBe(false)
}

async function runLoad(server: TestServer, answers: Answer[]): Promise<readonly Client[]> {
  const clients = Array.from({ length: CLIENTS }, () => ({ sent: 0, acknowledged: 0 }))
  const runs = clients.map(async (client, index) => {
    for (let round = 0; round < ROUNDS; round++) {
      client.sent++
      const answer = await server.request('POST', '/restpp/graph/g', raise(index))
      if (answer.status === 200) client.acknowledged++
      answers.push(answer)
    }
  })
  await Promise.all(runs)
  return clients
}

function raise(index: number): unknown {
  return { vertices: { Counter: { [`c${index}`]: { value: { value: 1, op: '+' } } } } }
}

/** 503 with a RESTPP envelope whose message tells what happened. */
function isClearRefusal({ status, body }: Answer): boolean {
  return status === 503 && body.error === true && /by order|refused/.test(body.message)
}

async function expectReads(server: TestServer, clients: readonly Client[]): Promise<void> {
  for (const [index, client] of clients.entries()) {
    expect(await counterValue(server, index)).toBe(client.acknowledged)
  }
}

async function expectWritesRefused(server: TestServer): Promise<void> {
  const upsert = await server.request('POST', '/restpp/graph/g', raise(0))
  expect(upsert).toMatchObject({ status: 503, body: { error: true, code: 'REST-12000' } })
  const schema = await server.request('DELETE', '/gsql/v1/schema/graphs/g')
  expect(schema.body.error).toBe(true)
}

async function expectNothingLost(image: MemoryImage, clients: readonly Client[]): Promise<void> {
  const server = await startServer({ image, queryWorkerCount: 0 })
  for (const [index, client] of clients.entries()) {
    const value = await counterValue(server, index)
    expect(value).toBeGreaterThanOrEqual(client.acknowledged)
    expect(value).toBeLessThanOrEqual(client.sent)
  }
  await server.close()
}

async function counterValue(server: TestServer, index: number): Promise<number> {
  const answer = await server.request('GET', '/restpp/graph/g/vertices/Counter')
  expect(answer).toMatchObject({ status: 200, body: { error: false } })
  const found = answer.body.results.find((vertex: { v_id: string }) => vertex.v_id === `c${index}`)
  return found === undefined ? 0 : found.attributes.value
}
