/** Graphs whose shape is what a flow of the explorer is about. */
import { makeGraph, upsert } from './graphs.ts'

const typed = (Name: string, Attributes: readonly object[] = []) => ({
  Name,
  PrimaryId: { AttributeName: 'id', AttributeType: { Name: 'STRING' } },
  Attributes,
})

const UPSERT_EDGES = 5_000

/** One hub with so many leaves. */
export async function makeStar(url: string, leaves: number): Promise<string> {
  const has = { Name: 'Has', IsDirected: true, FromVertexTypeName: 'Hub', ToVertexTypeName: 'Leaf' }
  const change = {
    addVertexTypes: [typed('Hub'), typed('Leaf')],
    addEdgeTypes: [{ ...has, Attributes: [] }],
  }
  const graph = await makeGraph(url, { graph: 'star', change })
  for (let start = 0; start < leaves; start += UPSERT_EDGES) {
    const length = Math.min(UPSERT_EDGES, leaves - start)
    const ids = Array.from({ length }, (_, index) => [`leaf-${start + index}`, {}])
    const edges = { Hub: { h: { Has: { Leaf: Object.fromEntries(ids) } } } }
    await upsert(url, graph, { edges })
  }
  return graph
}

/** Two airports, with one route between them for each airline. */
export async function makeRoutes(url: string, airlines: readonly string[]): Promise<string> {
  const route = {
    Name: 'route',
    IsDirected: true,
    FromVertexTypeName: 'Airport',
    ToVertexTypeName: 'Airport',
    DiscriminatorCount: 1,
    CompositeDiscriminator: ['airline'],
    Attributes: [
      { AttributeName: 'airline', AttributeType: { Name: 'STRING' }, IsDiscriminator: true },
      { AttributeName: 'seats', AttributeType: { Name: 'INT' } },
    ],
  }
  const change = { addVertexTypes: [typed('Airport')], addEdgeTypes: [route] }
  const graph = await makeGraph(url, { graph: 'routes', change })
  // Written as text: the number is beyond what JSON.stringify can tell.
  const flights = airlines.map(
    (airline) => `{"airline":{"value":"${airline}"},"seats":{"value":708663653625634816}}`,
  )
  const text = `{"edges":{"Airport":{"FRA":{"route":{"Airport":{"CDG":[${flights.join(',')}]}}}}}}`
  await fetch(`${url}/restpp/graph/${graph}`, { method: 'POST', body: text })
  return graph
}
