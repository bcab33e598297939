/** Paths of MATCH: their names, which of them hang together, and their parts rewritten. */
import type { Expression } from '#query/syntax/ast.ts'
import type { EdgeSyntax, NodeSyntax, PathSyntax } from '#query/syntax/ast-pattern.ts'
import type { SourceRange } from '#query/syntax/source.ts'
import { replaced } from '../expressions/aggregates.ts'
import { join, not } from './logic.ts'
import type { NullRewriter } from './nulls.ts'

export function vertexAliasesOf({ nodes }: PathSyntax): string[] {
  return nodes.flatMap(({ alias }) => alias?.name ?? [])
}

/** An edge that is repeated has none. */
export function edgeAliasesOf({ edges }: PathSyntax): string[] {
  return edges.flatMap(({ alias, type }) =>
    alias === null || type?.kind === 'repeat' ? [] : alias.name,
  )
}

export function aliasesOf(path: PathSyntax): string[] {
  return [...vertexAliasesOf(path), ...edgeAliasesOf(path)]
}

/** The path with one of its names changed, also in the conditions that speak of it. */
export function withAliasRenamed(path: PathSyntax, name: string, next: string): PathSyntax {
  const withParts = <P extends NodeSyntax | EdgeSyntax>(part: P): P => ({
    ...part,
    properties: part.properties.map((property) => ({
      ...property,
      value: renamed(property.value, name, next),
    })),
    where: part.where === null ? null : renamed(part.where, name, next),
  })
  const aliasOf = ({ alias }: NodeSyntax | EdgeSyntax) =>
    alias?.name === name ? { ...alias, name: next } : alias
  return {
    ...path,
    nodes: path.nodes.map((node) => withParts({ ...node, alias: aliasOf(node) })),
    edges: path.edges.map((edge) => withParts({ ...edge, alias: aliasOf(edge) })),
  }
}

export function renamed(node: Expression, name: string, next: string): Expression {
  return replaced(node, (part) =>
    part.kind === 'name' && part.name === name ? { ...part, name: next } : null,
  )
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

/** What is null equals no property. */
function rewrittenPart({ properties, where }: NodeSyntax | EdgeSyntax, rewriter: NullRewriter) {
  const present = properties.flatMap(({ value }) => {
    const isNull = rewriter.isNull(value)
    return isNull === null ? [] : [not(isNull)]
  })
  const conditions = where === null ? present : [...present, rewriter.whenTrue(where)]
  return {
    properties: properties.flatMap(({ name, value }) =>
      value.kind === 'null' ? [] : [{ name, value: rewriter.value(value) }],
    ),
    where:
      conditions.length === 0 ? null : conditions.reduce((one, next) => join('AND', one, next)),
  }
}
