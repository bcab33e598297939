/** Paths of MATCH: their names, which of them hang together, and their parts rewritten. */
import type { EdgeSyntax, NodeSyntax, PathSyntax } from '#query/syntax/ast-pattern.ts'
import type { SourceRange } from '#query/syntax/source.ts'
import type { NullRewriter } from './nulls.ts'

export function vertexAliasesOf({ nodes }: PathSyntax): string[] {
  return nodes.flatMap(({ alias }) => alias?.name ?? [])
}

/** Of vertices and of edges; an edge that is repeated has none. */
export function aliasesOf(path: PathSyntax): string[] {
  const edges = path.edges.flatMap(({ alias, type }) =>
    alias === null || type?.kind === 'repeat' ? [] : alias.name,
  )
  return [...vertexAliasesOf(path), ...edges]
}

/** The paths that the first one is connected with, directly or not, and the rest. */
export function firstComponent(paths: readonly PathSyntax[]): {
  readonly inside: readonly PathSyntax[]
  readonly outside: readonly PathSyntax[]
} {
  const [first] = paths
  if (first === undefined) return { inside: [], outside: [] }
  const names = new Set(vertexAliasesOf(first))
  let inside: readonly PathSyntax[] = [first]
  for (let before = 0; before !== inside.length; ) {
    before = inside.length
    inside = paths.filter(
      (path) => path === first || vertexAliasesOf(path).some((name) => names.has(name)),
    )
    for (const name of inside.flatMap(vertexAliasesOf)) names.add(name)
  }
  return { inside, outside: paths.filter((path) => !inside.includes(path)) }
}

/** `(a:a)`: the vertex that the variable `a` holds, under that name. */
export function anchored(name: string, range: SourceRange): PathSyntax {
  const node: NodeSyntax = {
    types: [{ kind: 'name', name, all: false, range }],
    alias: { name, range },
    properties: [],
    where: null,
    range,
  }
  return { style: 'v3', nodes: [node], edges: [], range }
}

export function rewrittenPath(path: PathSyntax, rewriter: NullRewriter): PathSyntax {
  return {
    ...path,
    nodes: path.nodes.map((node) => ({ ...node, ...rewrittenPart(node, rewriter) })),
    edges: path.edges.map((edge) => ({ ...edge, ...rewrittenPart(edge, rewriter) })),
  }
}

function rewrittenPart({ properties, where }: NodeSyntax | EdgeSyntax, rewriter: NullRewriter) {
  return {
    properties: properties.map(({ name, value }) => ({ name, value: rewriter.value(value) })),
    where: where === null ? null : rewriter.whenTrue(where),
  }
}
