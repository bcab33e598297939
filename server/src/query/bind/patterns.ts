/** FROM clauses: vertex positions, hops, and the concrete ways to take them. */
import type { Expression, Identifier } from '#query/syntax/ast.ts'
import type {
  EdgeDirection,
  EdgeSyntax,
  EdgeTypeSyntax,
  NodeSyntax,
  PathSyntax,
  TypeRefSyntax,
} from '#query/syntax/ast-pattern.ts'
import type { SourceRange } from '#query/syntax/source.ts'
import type { Binder, BoundSet } from './binder.ts'
import type { BoundHop, BoundPosition, BoundStep } from './bound-select.ts'
import type { AliasTarget } from './clause-state.ts'
import { diagnosticCodes } from './diagnostic-codes.ts'
import { edgeSteps, type HopEnds } from './edge-steps.ts'
import type { EdgeName } from './schema.ts'
import { suggest } from './suggest.ts'
import { dynamicEdges, isTypeParameter } from './type-parameters.ts'
import { sortedIds } from './value-types.ts'

export interface BoundPattern {
  readonly positions: readonly BoundPosition[]
  readonly hops: readonly BoundHop[]
  readonly aliases: ReadonlyMap<string, AliasTarget>
  /** Conditions written inside the pattern (V3), to be joined to WHERE. */
  readonly conditions: readonly Expression[]
}

export function bindPatterns(binder: Binder, paths: readonly PathSyntax[]): BoundPattern {
  const [path, second] = paths
  if (path === undefined) throw new Error('a FROM clause without a pattern')
  if (second !== undefined) binder.notSupported(second.range, 'several patterns in one FROM')
  if (path.edges.length > 1) binder.notSupported(path.range, 'patterns of several hops')
  const ends = path.nodes.map((node) => bindNode(binder, node))
  const edges = path.edges.map((edge, index) =>
    bindEdge(binder, edge, { from: ends[index]!.typeIds, to: ends[index + 1]!.typeIds }),
  )
  const aliases = collectAliases(binder, path)
  const positions = path.nodes.map((node, index) => positionOf(node, index, { ends, edges }))
  return { positions, hops: edges, aliases, conditions: conditionsOf(path) }
}

/** Alias names to positions and hops; unnamed vertices are reached by a set's own name. */
function collectAliases(binder: Binder, path: PathSyntax): Map<string, AliasTarget> {
  const aliases = new Map<string, AliasTarget>()
  const add = (alias: Identifier, target: AliasTarget): void => {
    if (aliases.has(alias.name)) {
      binder.notSupported(alias.range, `alias "${alias.name}" twice in one pattern`)
    }
    aliases.set(alias.name, target)
  }
  path.nodes.forEach((node, position) => {
    add(nodeAlias(node, position), { kind: 'vertex', position })
  })
  path.edges.forEach((edge, hop) => {
    add(edgeAlias(edge, hop), { kind: 'edge', hop })
  })
  return aliases
}

/** Unnamed parts get names that no user can write. */
function nodeAlias(node: NodeSyntax, position: number): Identifier {
  return node.alias ?? ownName(node) ?? { name: `#${position}`, range: node.range }
}

function edgeAlias(edge: EdgeSyntax, hop: number): Identifier {
  return edge.alias ?? { name: `#e${hop}`, range: edge.range }
}

/** `FROM Start` without an alias: the set's name is the alias. */
function ownName(node: NodeSyntax): Identifier | null {
  const [only, second] = node.types
  if (only === undefined || second !== undefined || only.kind !== 'name') return null
  return { name: only.name, range: only.range }
}

/** Types at the ends are cut to those that some step reaches. */
function positionOf(
  node: NodeSyntax,
  index: number,
  { ends, edges }: { ends: readonly NodeTypes[]; edges: readonly BoundHop[] },
): BoundPosition {
  const { typeIds, within } = ends[index]!
  const before = edges[index - 1]?.steps.map(({ toTypeId }) => toTypeId)
  const after = edges[index]?.steps.map(({ fromTypeId }) => fromTypeId)
  const reached = typeIds.filter(
    (id) => (before?.includes(id) ?? true) && (after?.includes(id) ?? true),
  )
  const alias = nodeAlias(node, index).name
  return { alias, typeIds: sortedIds(reached), within }
}

interface NodeTypes {
  readonly typeIds: readonly number[]
  readonly within: BoundPosition['within']
}

function bindNode(binder: Binder, node: NodeSyntax): NodeTypes {
  if (node.types.length === 0) return { typeIds: binder.schema.allVertexTypeIds(), within: null }
  const sets = node.types.map((ref) => bindVertexRef(binder, ref))
  const typeIds = sortedIds(sets.flatMap((set) => set.typeIds))
  if (sets.every(({ set }) => set.kind === 'allOfTypes')) return { typeIds, within: null }
  const within = sets
    .map(({ set }) => set)
    .reduce((left, right) => ({ kind: 'union', left, right }))
  return { typeIds, within }
}

/** A type, set, parameter or accumulator at a vertex position, as the set it stands for. */
function bindVertexRef(binder: Binder, ref: TypeRefSyntax): BoundSet {
  if (ref.kind === 'globalAccum') {
    const node = { kind: 'globalAccum', name: ref.name, previous: false, range: ref.range } as const
    return binder.rules.vertexSet(binder, node)
  }
  return binder.rules.vertexSet(binder, { kind: 'name', name: ref.name, range: ref.range })
}

function bindEdge(binder: Binder, edge: EdgeSyntax, ends: HopEnds): BoundHop {
  const steps = edge.type === null ? anyEdge(binder, ends) : edgeTypeSteps(binder, edge.type, ends)
  const distinct = [...new Map(steps.map((step) => [JSON.stringify(step), step])).values()]
  if (distinct.length === 0 && binder.typeParameters.size === 0) {
    const message = 'this pattern can never match: no edge type of it connects these vertex types'
    binder.warn(diagnosticCodes.neverMatches, edge.range, message)
  }
  for (const step of distinct) binder.edgeTypesUsed.add(step.edgeTypeId)
  return { alias: edge.alias?.name ?? null, from: 0, to: 1, steps: distinct, repeat: null }
}

/** `()` and `(:e)`: forwards in V1, in any direction in V2. */
function anyEdge(binder: Binder, ends: HopEnds): BoundStep[] {
  return wildcardSteps(binder, binder.options.syntax === 'v1' ? 'none' : 'any', ends)
}

function edgeTypeSteps(binder: Binder, type: EdgeTypeSyntax, ends: HopEnds): BoundStep[] {
  switch (type.kind) {
    case 'alternatives':
      return type.items.flatMap((item) => edgeTypeSteps(binder, item, ends))
    case 'sequence':
      return binder.notSupported(type.range, 'concatenated edges')
    case 'repeat':
      return binder.notSupported(type.range, 'repeated edges')
    case 'atom':
      return atomSteps(binder, type.type, { direction: type.direction, ends })
  }
}

interface AtomContext {
  readonly direction: EdgeDirection
  readonly ends: HopEnds
}

function atomSteps(
  binder: Binder,
  ref: TypeRefSyntax,
  { direction, ends }: AtomContext,
): BoundStep[] {
  if (ref.kind === 'globalAccum') binder.notSupported(ref.range, 'edge types from an accumulator')
  if (ref.kind === 'any') {
    const unmarked = direction === 'none' && binder.options.syntax !== 'v1'
    return wildcardSteps(binder, unmarked ? 'undirected' : direction, ends)
  }
  if (isTypeParameter(binder, ref.name)) {
    const edges = dynamicEdges(binder, ref.name, ref.range)
    if (edges === null) return wildcardSteps(binder, direction, ends)
    return edges.flatMap((edge) => edgeSteps(edge, direction, ends))
  }
  binder.probe(ref.name, () => ({ kind: 'edge', edges: edgesBetween(binder, ends) }))
  const edge = binder.schema.edge(ref.name)
  if (edge === undefined) return failEdge(binder, ref)
  if (direction === 'undirected' && edge.type.directed) failUndirected(binder, ref.name, ref.range)
  return edgeSteps(edge, direction, ends)
}

function edgesBetween(binder: Binder, ends: HopEnds): string[] {
  return binder.schema
    .edgeNames()
    .filter((name) => edgeSteps(binder.schema.edge(name)!, 'any', ends).length > 0)
}

function failEdge(binder: Binder, ref: TypeRefSyntax): never {
  const hint = suggest(ref.name, binder.schema.edgeNames())
  return binder.fail(
    diagnosticCodes.unknownEdgeType,
    ref.range,
    `no edge type "${ref.name}"${hint}`,
  )
}

function failUndirected(binder: Binder, name: string, range: SourceRange): never {
  const message = `edge type "${name}" is directed, the pattern wants an undirected one`
  return binder.fail(diagnosticCodes.noUndirectedEdge, range, message)
}

/**
 * Every edge type. A directed type with a reverse name is met under that name when walked
 * backwards by `any`, so that no edge is met twice.
 */
function wildcardSteps(binder: Binder, direction: EdgeDirection, ends: HopEnds): BoundStep[] {
  return binder.schema.edgeTypes.flatMap((type) => {
    const edge: EdgeName = { type, reversed: false }
    const reverse: EdgeName = { type, reversed: true }
    if (type.reverseName === null) return edgeSteps(edge, direction, ends)
    const both = direction === 'any' || direction === 'both'
    const each: EdgeDirection = both ? 'right' : direction
    return [...edgeSteps(edge, each, ends), ...edgeSteps(reverse, each, ends)]
  })
}

/** V3's `{prop: v}` and WHERE inside nodes and edges, as conditions. */
function conditionsOf(path: PathSyntax): Expression[] {
  const nodes = path.nodes.flatMap((node, index) =>
    partConditions(node, nodeAlias(node, index).name),
  )
  const edges = path.edges.flatMap((edge, index) =>
    partConditions(edge, edgeAlias(edge, index).name),
  )
  return [...nodes, ...edges]
}

function partConditions(part: NodeSyntax | EdgeSyntax, alias: string): Expression[] {
  const equalities = part.properties.map(({ name, value }): Expression => {
    const of: Expression = { kind: 'name', name: alias, range: name.range }
    const member: Expression = { kind: 'member', of, name, range: name.range }
    return { kind: 'binary', operator: '==', left: member, right: value, range: name.range }
  })
  return part.where === null ? equalities : [...equalities, part.where]
}
