/** The graph of the load: what an operation writes, what a read shows, and everything as text. */
import type { Answer, Client } from './client.ts'
import type { Final, Seen } from './history.ts'

const GRAPH = 'faults'
const DUMP = `/quiver/v1/graphs/${GRAPH}/elements?vertex_types=Writer,Entry&edge_types=Wrote`

export async function createGraph(client: Client): Promise<void> {
  const id = { AttributeName: 'id', AttributeType: { Name: 'STRING' } }
  const int = (name: string) => ({ AttributeName: name, AttributeType: { Name: 'INT' } })
  const list = { AttributeName: 'numbers', AttributeType: { Name: 'LIST', ValueTypeName: 'INT' } }
  await expectDone(client, '/gsql/v1/schema/vertices', {
    createVertices: [
      { Name: 'Writer', PrimaryId: id, Attributes: [int('round'), int('value'), list] },
      { Name: 'Entry', PrimaryId: id, Attributes: [int('times')] },
    ],
  })
  const ends = { FromVertexTypeName: 'Writer', ToVertexTypeName: 'Entry' }
  await expectDone(client, '/gsql/v1/schema/edges', {
    createEdges: [{ Name: 'Wrote', IsDirected: true, ...ends, Attributes: [int('times')] }],
  })
  await expectDone(client, `/gsql/v1/schema/graphs?graphName=${GRAPH}&gsql=false`, {
    VertexTypes: ['Writer', 'Entry'],
    EdgeTypes: ['Wrote'],
  })
}

/** Operation `number` of a writer: all of it is one commit. */
export function operation(round: number, writer: string, number: number): unknown {
  const one = { value: 1, op: '+' }
  const entry = `${writer}-${number % 50}`
  return {
    vertices: {
      Writer: {
        [writer]: { round: { value: round }, value: one, numbers: { value: [number], op: '+' } },
      },
      Entry: { [entry]: { times: one } },
    },
    edges: { Writer: { [writer]: { Wrote: { Entry: { [entry]: { times: one } } } } } },
  }
}

export const upsertPath = `/restpp/graph/${GRAPH}`

/** All writers of a round in one read. */
export function readPath(round: number): string {
  return `/restpp/graph/${GRAPH}/vertices/Writer?filter=round=${round}`
}

/** What an answer to `readPath` shows; null: it is another answer. */
export function seenIn(answer: Answer): ReadonlyMap<string, Seen> | null {
  const lists = listsIn(answer)
  if (lists === null) return null
  return new Map(
    [...lists].map(([writer, { numbers, value }]) => [
      writer,
      { value, last: numbers.at(-1) ?? null },
    ]),
  )
}

/** Starts a checkpoint, and waits for it. */
export function checkpoint(client: Client): Promise<Answer | null> {
  return client.get(`/restpp/rebuildnow/${GRAPH}`, { msMax: 120_000 })
}

/** Everything of the graph on one server, in its latest state; null: it does not answer. */
export async function readFinal(
  server: string,
  client: Client,
  round: number,
): Promise<Final | null> {
  const latest = { after: 'latest' } as const
  const writers = await client.get(readPath(round), latest)
  const dump = await client.get(DUMP, latest)
  const documents = await client.get('/quiver/v1/documents/saved-query', latest)
  if (writers?.status !== 200 || dump?.status !== 200 || documents?.status !== 200) return null
  const lists = listsIn(writers)
  if (lists === null) return null
  return {
    server,
    lists: new Map([...lists].map(([writer, { numbers }]) => [writer, numbers])),
    values: new Map([...lists].map(([writer, { value }]) => [writer, value])),
    dump: `${asText(dump.body)}${documentLines(documents.body.results)}`,
  }
}

interface Writer {
  readonly v_id: string
  readonly attributes: { readonly value: number; readonly numbers: readonly number[] }
}

function listsIn({ status, body }: Answer): ReadonlyMap<string, Writer['attributes']> | null {
  if (status !== 200 || body.error !== false) return null
  const writers = body.results as readonly Writer[]
  return new Map(writers.map(({ v_id, attributes }) => [v_id, attributes]))
}

function documentLines(entries: readonly { key: string; version: number }[]): string {
  return entries
    .map(({ key, version }) => `document ${key} ${version}\n`)
    .sort()
    .join('')
}

function asText(body: unknown): string {
  return typeof body === 'string' ? body : JSON.stringify(body)
}

async function expectDone(client: Client, path: string, body: unknown): Promise<void> {
  const answer = await client.request('POST', path, { body })
  if (answer?.status === 200 && answer.body.error === false) return
  throw new Error(`${path}: ${JSON.stringify(answer)}`)
}
