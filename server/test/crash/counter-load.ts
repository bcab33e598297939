/**
 * Concurrent writes that can be checked afterwards, effect by effect. Each client works on its own
 * counter and entries, one request at a time:
 *
 * - a raise makes an entry with two edges from the counter, and adds 1 to the counter and to one
 *   that all share, with the operation `+`; at times of an entry that was deleted before
 * - a delete takes an entry with its edges, at times for ever: a later raise then only counts
 * - a clearing deletes all the counter's edges of one type
 *
 * After a kill every acknowledged request must have had its effect exactly once, and what was under
 * way its whole effect or none.
 */

import { expect } from 'vitest'
import { createRandom, type Random } from '#kernel/prng.ts'
import { Acknowledged } from './acknowledged.ts'
import type { Answer, RunningServer } from './running-server.ts'

export const CLIENTS = 16
const GRAPH = 'crash'
const SHARED = 'shared'

type Operation =
  | { readonly kind: 'raise'; readonly entry: string }
  | { readonly kind: 'delete'; readonly entry: string; readonly isPermanent: boolean }
  | { readonly kind: 'clear' }

/** What the graph holds of one client. */
class ClientState {
  value = 0
  entries = new Set<string>()
  /** Entries whose edge of the type that is cleared is there. */
  marked = new Set<string>()
  deleted = new Set<string>()
  retired = new Set<string>()

  copy(): ClientState {
    const copy = new ClientState()
    copy.value = this.value
    copy.entries = new Set(this.entries)
    copy.marked = new Set(this.marked)
    copy.deleted = new Set(this.deleted)
    copy.retired = new Set(this.retired)
    return copy
  }

  apply(operation: Operation): void {
    switch (operation.kind) {
      case 'raise':
        this.value += 1
        if (this.retired.has(operation.entry)) return
        this.entries.add(operation.entry)
        this.marked.add(operation.entry)
        this.deleted.delete(operation.entry)
        return
      case 'delete':
        this.entries.delete(operation.entry)
        this.marked.delete(operation.entry)
        if (operation.isPermanent) this.retired.add(operation.entry)
        else this.deleted.add(operation.entry)
        return
      case 'clear':
        this.marked.clear()
    }
  }

  /** What can be read back; whether an id is gone for ever shows with its next raise. */
  visible(): unknown {
    const { value, entries, marked } = this
    return { value, wrote: [...entries].sort(), marked: [...marked].sort() }
  }
}

interface Client {
  readonly name: string
  state: ClientState
  /** Sent, and not answered when the server died. */
  pending: Operation | null
}

export class CounterLoad {
  readonly #random: Random
  readonly #clients: readonly Client[] = clientNames().map((name) => ({
    name,
    state: new ClientState(),
    pending: null,
  }))
  #nextEntry = 0
  readonly acknowledged = new Acknowledged()
  #isOver = false
  /** Called when so many writes are acknowledged. */
  /** Attributes that acknowledged schema changes added, and one that may have. */
  readonly #attributes = new Set<string>(['number'])
  #pendingAttribute: string | null = null

  constructor(seed = 1) {
    this.#random = createRandom(seed)
  }

  async createGraph(server: RunningServer): Promise<void> {
    const stringId = { AttributeName: 'id', AttributeType: { Name: 'STRING' } }
    const edge = (name: string, attributes: readonly object[]) => ({
      Name: name,
      IsDirected: true,
      FromVertexTypeName: 'Counter',
      ToVertexTypeName: 'Entry',
      Attributes: attributes,
    })
    await expectOk(server, 'POST', '/gsql/v1/schema/vertices', {
      createVertices: [
        { Name: 'Counter', PrimaryId: stringId, Attributes: [int('value')] },
        { Name: 'Entry', PrimaryId: stringId, Attributes: [int('number')] },
      ],
    })
    await expectOk(server, 'POST', '/gsql/v1/schema/edges', {
      createEdges: [edge('Wrote', [int('times')]), edge('Marked', [])],
    })
    await expectOk(server, 'POST', `/gsql/v1/schema/graphs?graphName=${GRAPH}&gsql=false`, {
      VertexTypes: ['Counter', 'Entry'],
      EdgeTypes: ['Wrote', 'Marked'],
    })
  }

  /** Runs all clients until `stop`, or until the server is gone; fails with the first refusal. */
  run(server: RunningServer): Promise<unknown> {
    this.#isOver = false
    const clients = Promise.all(this.#clients.map((client) => this.#runClient(server, client)))
    // Awaited only after the kill: until then a failure is nobody's.
    clients.catch(() => undefined)
    return clients
  }

  stop(): void {
    this.#isOver = true
  }

  /** Folds what is there into segments, while the load goes on; the kill may come in between. */
  rebuild(server: RunningServer): void {
    server.request('GET', `/restpp/rebuildnow/${GRAPH}`).catch(() => undefined)
  }

  /** Adds an attribute to the entries while the load goes on; the kill may come in between. */
  changeSchema(server: RunningServer): void {
    const attribute = `extra${this.#attributes.size}`
    this.#pendingAttribute = attribute
    const path = `/gsql/v1/schema/change?graph=${GRAPH}`
    const body = { alterVertexTypes: [{ name: 'Entry', addAttributes: [int(attribute)] }] }
    server
      .request('POST', path, body)
      .then((answer) => {
        if (answer.body.error !== false) return
        this.#attributes.add(attribute)
        this.#pendingAttribute = null
      })
      .catch(() => undefined)
  }

  /** Reads everything back, and takes what it finds of the requests under way as certain. */
  async check(server: RunningServer, at: string): Promise<void> {
    await this.#checkSchema(server, at)
    const values = await counterValues(server)
    const entries = await idsOf(server, 'vertices/Entry?select=number')
    for (const client of this.#clients) await this.#checkClient(server, client, values, at)
    const states = this.#clients.map(({ state }) => state)
    const sum = states.reduce((total, { value }) => total + value, 0)
    expect(values.get(SHARED) ?? 0, `${at}: a batch is applied whole`).toBe(sum)
    const expected = states.flatMap((state) => [...state.entries])
    expect(entries.toSorted(), `${at}: the entries`).toEqual(expected.toSorted())
  }

  async #checkClient(
    server: RunningServer,
    client: Client,
    values: ReadonlyMap<string, number>,
    at: string,
  ): Promise<void> {
    const { name, pending } = client
    const isKnown = values.has(name)
    const edgesOf = (type: string) =>
      isKnown ? idsOf(server, `edges/Counter/${name}/${type}`) : Promise.resolve([])
    const [wrote, marked] = [await edgesOf('Wrote'), await edgesOf('Marked')]
    const found = { value: values.get(name) ?? 0, wrote: wrote.sort(), marked: marked.sort() }
    const after = client.state.copy()
    if (pending !== null) after.apply(pending)
    const isApplied = pending !== null && JSON.stringify(found) === JSON.stringify(after.visible())
    if (isApplied) client.state = after
    const what = pending === null ? '' : `, under way: ${JSON.stringify(pending)}`
    expect(found, `${at}, ${name}${what}`).toEqual(client.state.visible())
    client.pending = null
  }

  async #checkSchema(server: RunningServer, at: string): Promise<void> {
    const { body } = await server.request('GET', `/gsql/v1/schema/vertices/Entry?graph=${GRAPH}`)
    const names: string[] = body.results.Attributes.map(
      (attribute: { AttributeName: string }) => attribute.AttributeName,
    )
    const pending = this.#pendingAttribute
    if (pending !== null && names.includes(pending)) this.#attributes.add(pending)
    this.#pendingAttribute = null
    expect(names.toSorted(), `${at}: the schema`).toEqual([...this.#attributes].toSorted())
  }

  async #runClient(server: RunningServer, client: Client): Promise<void> {
    while (!this.#isOver) {
      const operation = this.#choose(client.state)
      client.pending = operation
      const answer = await send(server, client.name, operation).catch(() => null)
      if (answer === null) return
      expect(answer, JSON.stringify(operation)).toMatchObject({
        status: 200,
        body: { error: false },
      })
      expectCounts(answer, client.state, operation)
      client.state.apply(operation)
      client.pending = null
      this.acknowledged.add()
    }
  }

  #choose({ value, entries, deleted, retired }: ClientState): Operation {
    const dice = this.#random.below(100)
    if (dice < 12 && entries.size > 0) {
      return { kind: 'delete', entry: this.#anyOf(entries), isPermanent: dice < 4 }
    }
    if (dice < 16 && value > 0) return { kind: 'clear' }
    if (dice < 20 && deleted.size > 0) return { kind: 'raise', entry: this.#anyOf(deleted) }
    if (dice < 24 && retired.size > 0) return { kind: 'raise', entry: this.#anyOf(retired) }
    return { kind: 'raise', entry: `entry-${this.#nextEntry++}` }
  }

  #anyOf(names: ReadonlySet<string>): string {
    return [...names][this.#random.below(names.size)]!
  }
}

function send(server: RunningServer, client: string, operation: Operation): Promise<Answer> {
  const graph = `/restpp/graph/${GRAPH}`
  switch (operation.kind) {
    case 'raise':
      return server.request('POST', graph, upsert(client, operation.entry))
    case 'delete': {
      const { entry, isPermanent } = operation
      return server.request(
        'DELETE',
        `${graph}/vertices/Entry/${entry}?permanent=${String(isPermanent)}`,
      )
    }
    case 'clear':
      return server.request('DELETE', `${graph}/edges/Counter/${client}/Marked`)
  }
}

/** The answer tells the effect on the state before. */
function expectCounts({ body }: Answer, before: ClientState, operation: Operation): void {
  switch (operation.kind) {
    case 'raise': {
      const isRefused = before.retired.has(operation.entry)
      const [result] = body.results
      expect([result.accepted_vertices, result.accepted_edges]).toEqual(isRefused ? [2, 0] : [3, 2])
      return
    }
    case 'delete':
      expect(body.results.deleted_vertices).toBe(1)
      return
    case 'clear':
      expect(body.results[0].deleted_edges).toBe(before.marked.size)
  }
}

function upsert(client: string, entry: string): unknown {
  const raise = { value: 1, op: '+' }
  return {
    vertices: {
      Counter: { [client]: { value: raise }, [SHARED]: { value: raise } },
      Entry: { [entry]: { number: { value: 1 } } },
    },
    edges: {
      Counter: {
        [client]: {
          Wrote: { Entry: { [entry]: { times: raise } } },
          Marked: { Entry: { [entry]: {} } },
        },
      },
    },
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

/** Ids of vertices, or of the far ends of edges; an edge that counts has counted once. */
async function idsOf(server: RunningServer, path: string): Promise<string[]> {
  const { body } = await server.request('GET', `/restpp/graph/${GRAPH}/${path}`)
  expect(body, path).toMatchObject({ error: false })
  return body.results.map((one: { v_id?: string; to_id?: string; attributes: object }) => {
    expect({ times: 1, number: 1, ...one.attributes }).toMatchObject({ times: 1, number: 1 })
    return one.v_id ?? one.to_id
  })
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

function int(name: string): object {
  return { AttributeName: name, AttributeType: { Name: 'INT' } }
}

function clientNames(): readonly string[] {
  return Array.from({ length: CLIENTS }, (_, index) => `client${index}`)
}
