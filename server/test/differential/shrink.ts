/** Makes the graph of a difference smaller, part by part, as long as the answers differ. */
import type { Edge, Graph } from './graph.ts'

/** Parts of a graph without one of them each. */
function* smaller(graph: Graph): Generator<Graph> {
  const { gone } = graph
  if (gone.people.length + gone.edges.length > 0) {
    yield { ...graph, gone: { people: [], cities: [], edges: [] } }
  }
  if (graph.isRebuilt) yield { ...graph, isRebuilt: false }
  for (const one of graph.people) {
    const others = (edges: readonly Edge[]) =>
      edges.filter(({ from, to }) => from !== one.k && to !== one.k)
    const rest = { people: graph.people.filter((other) => other !== one) }
    const edges = others(graph.edges)
    yield { ...graph, ...rest, edges, gone: { ...gone, edges: others(gone.edges) } }
  }
  for (const one of graph.edges) {
    yield { ...graph, edges: graph.edges.filter((other) => other !== one) }
  }
  for (const one of gone.edges) {
    yield { ...graph, gone: { ...gone, edges: gone.edges.filter((other) => other !== one) } }
  }
  for (const one of graph.people) {
    const plain = { k: one.k, i: 0, d: 0, s: '', b: false }
    if (JSON.stringify(plain) === JSON.stringify(one)) continue
    const people = graph.people.map((other) => (other === one ? plain : other))
    yield { ...graph, people }
  }
}

/** @param differs loads the graph and asks both engines */
export async function shrunk(
  graph: Graph,
  differs: (graph: Graph) => Promise<boolean>,
  deadlineMs: number,
): Promise<Graph> {
  for (const candidate of smaller(graph)) {
    if (performance.now() > deadlineMs) return graph
    if (await differs(candidate)) return shrunk(candidate, differs, deadlineMs)
  }
  return graph
}
