/** Graphs made through the public API, for flows that start from one. */
interface Definition {
  readonly graph: string
  readonly change: object
}

const person = {
  Name: 'Person',
  PrimaryId: { AttributeName: 'id', AttributeType: { Name: 'INT' } },
  Attributes: [
    { AttributeName: 'name', AttributeType: { Name: 'STRING' } },
    { AttributeName: 'age', AttributeType: { Name: 'UINT' } },
    { AttributeName: 'score', AttributeType: { Name: 'INT' } },
    { AttributeName: 'tags', AttributeType: { Name: 'SET', ValueTypeName: 'STRING' } },
  ],
}

const knows = {
  Name: 'Knows',
  IsDirected: true,
  FromVertexTypeName: 'Person',
  ToVertexTypeName: 'Person',
  Attributes: [{ AttributeName: 'since', AttributeType: { Name: 'DATETIME' } }],
}

export const people: Definition = {
  graph: 'people',
  change: { addVertexTypes: [person], addEdgeTypes: [knows] },
}

export async function makeGraph(url: string, { graph, change }: Definition): Promise<string> {
  await post(`${url}/gsql/v1/schema/graphs?graphName=${graph}`, { VertexTypes: [] })
  await post(`${url}/gsql/v1/schema/change?graph=${graph}`, change)
  return graph
}

export async function upsert(url: string, graph: string, payload: object): Promise<void> {
  await post(`${url}/restpp/graph/${graph}`, payload)
}

export async function readVertex(
  url: string,
  graph: string,
  path: string,
): Promise<{ readonly attributes: Record<string, unknown> } | undefined> {
  const answer = await fetch(`${url}/restpp/graph/${graph}/vertices/${path}`)
  return ((await answer.json()) as { results?: { attributes: Record<string, unknown> }[] })
    .results?.[0]
}

export async function schemaOf(url: string, graph: string): Promise<Schema> {
  const answer = await fetch(`${url}/gsql/v1/schema/graphs/${graph}`)
  return ((await answer.json()) as { results: Schema }).results
}

interface Schema {
  readonly VertexTypes: readonly {
    readonly Name: string
    readonly PrimaryId: object
    readonly Attributes: readonly { readonly AttributeName: string }[]
  }[]
  readonly EdgeTypes: readonly { readonly Name: string }[]
}

const post = (address: string, body: object): Promise<void> => send('POST', address, body)

export async function send(method: string, address: string, body: object): Promise<void> {
  const answer = await fetch(address, { method, body: JSON.stringify(body) })
  const { error, message } = (await answer.json()) as { error: boolean; message: string }
  if (error) throw new Error(`${address}: ${message}`)
}
