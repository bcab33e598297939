/**
 * A large schema on the canvas: each connected component is one node until it is opened. What stands
 * alone is shown as it is.
 */
import type { SchemaModel } from '#lib/graph-schema/schema-model.ts'

/** From so many types on a schema opens collapsed. */
export const LARGE_TYPES = 200

export interface Component {
  /** The vertex type with the most edge types, which names the component. */
  readonly hub: string
  readonly vertices: readonly string[]
  readonly edgeCount: number
}

export function isLarge({ vertices, edges }: SchemaModel): boolean {
  return vertices.length + edges.length >= LARGE_TYPES
}

/** In the order of their first vertex types. */
export function componentsOf({ vertices, edges }: SchemaModel): readonly Component[] {
  const parent = new Map(vertices.map(({ name }) => [name, name]))
  const degrees = new Map<string, number>()
  const rootOf = (name: string): string => {
    let root = name
    for (let up = parent.get(root); up !== undefined && up !== root; up = parent.get(root)) {
      // Halves the way for the next one.
      parent.set(root, parent.get(up) ?? up)
      root = up
    }
    return root
  }
  for (const { pairs } of edges) {
    for (const { from, to } of pairs) {
      parent.set(rootOf(from), rootOf(to))
      for (const end of new Set([from, to])) degrees.set(end, (degrees.get(end) ?? 0) + 1)
    }
  }
  const members = Map.groupBy(
    vertices.map(({ name }) => name),
    rootOf,
  )
  const edgesIn = Map.groupBy(
    edges.flatMap(({ pairs: [first] }) => first?.from ?? []),
    rootOf,
  )
  const degreeOf = (name: string) => degrees.get(name) ?? 0
  return [...members].map(([root, names]) => ({
    hub: names.reduce((best, name) => (degreeOf(name) > degreeOf(best) ? name : best)),
    vertices: names,
    edgeCount: edgesIn.get(root)?.length ?? 0,
  }))
}

/** Those that are one node: none of their types is among the opened ones. */
export function closedComponents(
  schema: SchemaModel,
  opened: ReadonlySet<string>,
): readonly Component[] {
  return componentsOf(schema).filter(
    ({ vertices }) => vertices.length > 1 && !vertices.some((name) => opened.has(name)),
  )
}

/** A vertex type, or the ends of an edge type: what has to be shown to see it. */
export function endsOf({ vertices, edges }: SchemaModel, name: string): readonly string[] {
  if (vertices.some((vertex) => vertex.name === name)) return [name]
  const edge = edges.find((one) => one.name === name)
  return edge?.pairs.flatMap(({ from, to }) => [from, to]) ?? []
}
