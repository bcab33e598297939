/**
 * Concurrent upserts that can be counted afterwards. Every request of a client creates an entry
 * vertex of its own, an edge to it, and raises two counters by 1 with the operation `+`: the
 * client's and one that all share. After a kill each counter stands between what was acknowledged
 * and what was sent, every acknowledged entry exists, and edges agree with counters.
 */
import { expect } from 'vitest'
import type { RunningServer } from './running-server.ts'

export const CLIENTS = 16
const GRAPH = 'crash'
const SHARED = 'shared'

/** What one counter may hold. */
interface Bounds {
  acknowledged: number
  sent: number
}

export class CounterLoad {
  readonly #counters = new Map<string, Bounds>()
  readonly #acknowledgedEntries: string[] = []
  #sentEntries = 0
  #isOver = false
  /** Called when so many writes are acknowledged. */
  #milestone: { readonly count: number; readonly reached: () => void } | null = null

  constructor() {
    for (const name of [...clientNames(), SHARED]) {
      this.#counters.set(name, { acknowledged: 0, sent: 0 })
    }
  }

  get acknowledgedCount(): number {
    return this.#acknowledgedEntries.length
  }

  async createGraph(server: RunningServer): Promise<void> {
    const stringId = { AttributeName: 'id', AttributeType: { Name: 'STRING' } }
    const int = (name: string) => ({ AttributeName: name, AttributeType: { Name: 'INT' } })
    await expectOk(server, 'POST', '/gsql/v1/schema/vertices', {
      createVertices: [
        { Name: 'Counter', PrimaryId: stringId, Attributes: [int('value')] },
        { Name: 'Entry', PrimaryId: stringId, Attributes: [int('number')] },
      ],
    })
    await expectOk(server, 'POST', '/gsql/v1/schema/edges', {
      createEdges: [
        {
          Name: 'Wrote',
          IsDirected: true,
          FromVertexTypeName: 'Counter',
          ToVertexTypeName: 'Entry',
          Attributes: [int('times')],
        },
      ],
    })
    await expectOk(server, 'POST', `/gsql/v1/schema/graphs?graphName=${GRAPH}&gsql=false`, {
      VertexTypes: ['Counter', 'Entry'],
      EdgeTypes: ['Wrote'],
    })
  }

  /** Runs all clients until `stop`, or until the server is gone; fails with the first refusal. */
  run(server: RunningServer): Promise<unknown> {
    this.#isOver = false
    const clients = Promise.all(clientNames().map((client) => this.#runClient(server, client)))
    // Awaited only after the kill: until then a failure is nobody's.
    clients.catch(() => undefined)
    return clients
  }

  stop(): void {
    this.#isOver = true
  }

  /** Resolves once so many more writes are acknowledged than now. */
  progress(count: number): Promise<void> {
    return new Promise((reached) => {
      this.#milestone = { count: this.acknowledgedCount + count, reached }
    })
  }

  /** Folds what is there into segments, while the load goes on; the kill may come in between. */
  rebuild(server: RunningServer): void {
    server.request('GET', `/restpp/rebuildnow/${GRAPH}`).catch(() => undefined)
  }

  /** Reads every counter back, and takes what it finds as the new certainty. */
  async check(server: RunningServer, at: string): Promise<void> {
    const found = await counterValues(server)
    for (const [name, bounds] of this.#counters) {
      const value = found.get(name) ?? 0
      expect(value, `${at}, counter ${name}`).toBeGreaterThanOrEqual(bounds.acknowledged)
      expect(value, `${at}, counter ${name}`).toBeLessThanOrEqual(bounds.sent)
      bounds.acknowledged = value
      bounds.sent = value
    }
    const clients = clientNames().reduce((sum, name) => sum + (found.get(name) ?? 0), 0)
    expect(found.get(SHARED) ?? 0, `${at}: a batch is applied whole`).toBe(clients)
    const path = `/restpp/graph/${GRAPH}/vertices/Entry?count_only=true`
    const { body } = await server.request('GET', path)
    expect(body.results[0].count, `${at}: one entry per batch`).toBe(clients)
  }

  /** Every acknowledged entry by its id, and one edge for each from its counter. */
  async checkEntries(server: RunningServer): Promise<void> {
    const path = `/restpp/graph/${GRAPH}/vertices/Entry?select=number`
    const { body } = await server.request('GET', path)
    const ids = new Set<string>(body.results.map((vertex: { v_id: string }) => vertex.v_id))
    const missing = this.#acknowledgedEntries.filter((id) => !ids.has(id))
    expect(missing, 'acknowledged entries that are gone').toEqual([])
    expect(ids.size).toBeLessThanOrEqual(this.#sentEntries)
    const counters = await counterValues(server)
    for (const name of clientNames()) {
      const edges = await server.request(
        'GET',
        `/restpp/graph/${GRAPH}/edges/Counter/${name}/Wrote`,
      )
      const times = edges.body.results.map(
        (edge: { attributes: { times: number } }) => edge.attributes.times,
      )
      expect(times.length, `edges of ${name}`).toBe(counters.get(name) ?? 0)
      expect(times.every((value: number) => value === 1)).toBe(true)
    }
  }

  async #runClient(server: RunningServer, client: string): Promise<void> {
    while (!this.#isOver) {
      const entry = `${client}-${this.#sentEntries++}`
      const bounds = [this.#counters.get(client)!, this.#counters.get(SHARED)!]
      for (const counter of bounds) counter.sent++
      const answer = await server
        .request('POST', `/restpp/graph/${GRAPH}`, upsert(client, entry))
        .catch(() => null)
      if (answer === null) return
      expect(answer).toMatchObject({ status: 200, body: { error: false } })
      for (const counter of bounds) counter.acknowledged++
      this.#acknowledgedEntries.push(entry)
      if (this.acknowledgedCount === this.#milestone?.count) this.#milestone.reached()
    }
  }
}

function upsert(client: string, entry: string): unknown {
  const raise = { value: 1, op: '+' }
  return {
    vertices: {
      Counter: { [client]: { value: raise }, [SHARED]: { value: raise } },
      Entry: { [entry]: { number: { value: 1 } } },
    },
    edges: { Counter: { [client]: { Wrote: { Entry: { [entry]: { times: raise } } } } } },
  }
}

async function counterValues(server: RunningServer): Promise<ReadonlyMap<string, number>> {
  const { body } = await server.request('GET', `/restpp/graph/${GRAPH}/vertices/Counter`)
  expect(body).toMatchObject({ error: false })
  return new Map(
    body.results.map((vertex: { v_id: string; attributes: { value: number } }) => [
      vertex.v_id,
      vertex.attributes.value,
    ]),
  )
}

async function expectOk(
  server: RunningServer,
  method: string,
  path: string,
  body: unknown,
): Promise<void> {
  const answer = await server.request(method, path, body)
  expect(answer, `${method} ${path}`).toMatchObject({ status: 200, body: { error: false } })
}

function clientNames(): readonly string[] {
  return Array.from({ length: CLIENTS }, (_, index) => `client${index}`)
}
