/**
 * FROM clauses: vertex positions, hops between them, and the concrete ways to take each hop.
 *
 * Paths are joined on the aliases they share; a concatenation `(A>.B>)` is as many hops over
 * unnamed vertices. The types at a position are cut down to those that some way reaches, over the
 * whole pattern, until nothing changes.
 */

import type { BoundHop, BoundPosition } from '#query/ir/bound-select.ts'
import { diagnosticCodes } from '#query/ir/diagnostic-codes.ts'
import { sortedIds } from '#query/ir/value-types.ts'
import type { Expression, Identifier } from '#query/syntax/ast.ts'
import type {
  EdgeSyntax,
  NodeSyntax,
  PathSyntax,
  TypeRefSyntax,
} from '#query/syntax/ast-pattern.ts'
import type { Binder, BoundSet } from '../core/binder.ts'
import type { AliasTarget } from '../core/clause-state.ts'
import { failureOfSet } from '../core/run-failures.ts'
import { type DraftHop, type DraftPosition, draftHops } from './pattern-hops.ts'
import { settleTypes } from './pattern-types.ts'

export interface BoundPattern {
  readonly positions: readonly BoundPosition[]
  readonly hops: readonly BoundHop[]
  readonly aliases: ReadonlyMap<string, AliasTarget>
  /** Conditions written inside the pattern (V3), to be joined to WHERE. */
  readonly conditions: readonly Expression[]
}

interface Draft {
  readonly positions: DraftPosition[]
  readonly hops: DraftHop[]
  readonly aliases: Map<string, AliasTarget>
  readonly conditions: Expression[]
}

export function bindPatterns(binder: Binder, paths: readonly PathSyntax[]): BoundPattern {
  const draft: Draft = { positions: [], hops: [], aliases: new Map(), conditions: [] }
  const alone = paths.length === 1 && paths[0]!.edges.length === 1
  for (const path of paths) addPath(binder, path, { draft, alone })
  const { aliases, conditions } = draft
  checkConnected(binder, draft, paths)
  return { ...settleTypes(binder, draft), aliases, conditions }
}

interface PathContext {
  readonly draft: Draft
  readonly alone: boolean
}

function addPath(binder: Binder, path: PathSyntax, { draft, alone }: PathContext): void {
  const ends = path.nodes.map((node) => addNode(binder, node, draft))
  path.edges.forEach((edge, index) => {
    const [from, to] = [ends[index]!, ends[index + 1]!]
    const hops = draftHops(binder, edge, { from, to, positions: draft.positions, alone })
    if (hops.length === 1 && hops[0]!.isSingle) addEdgeAlias(binder, edge, draft)
    else refuseEdgeAlias(binder, edge)
    draft.hops.push(...hops)
  })
}

function refuseEdgeAlias(binder: Binder, { alias, where, properties, range }: EdgeSyntax): void {
  if (alias === null && where === null && properties.length === 0) return
  const message = 'an edge that is repeated or concatenated has no alias and no conditions'
  binder.fail(diagnosticCodes.misplaced, alias?.range ?? range, message)
}

/** Unnamed edges get a name that no user can write. */
function addEdgeAlias(binder: Binder, edge: EdgeSyntax, draft: Draft): void {
  const hop = draft.hops.length
  const name = edge.alias?.name ?? `#e${hop}`
  if (draft.aliases.has(name)) {
    const message = `alias "${name}" is already used in this FROM clause`
    binder.fail(diagnosticCodes.duplicate, edge.alias?.range ?? edge.range, message)
  }
  draft.aliases.set(name, { kind: 'edge', hop })
  draft.conditions.push(...partConditions(edge, name))
}

/** @returns the position of the node: that of its alias, when the pattern has met it before */
function addNode(binder: Binder, node: NodeSyntax, draft: Draft): number {
  const { types, within, failure } = bindNode(binder, node, draft.positions.length === 0)
  const alias = node.alias ?? ownName(node, draft)
  const known = alias === null ? undefined : draft.aliases.get(alias.name)
  if (known?.kind === 'edge') {
    const message = `alias "${alias!.name}" is an edge of this FROM clause`
    binder.fail(diagnosticCodes.duplicate, alias!.range, message)
  }
  const position = known?.position ?? draft.positions.length
  const name = alias?.name ?? `#${position}`
  if (known === undefined) {
    draft.positions.push({ alias: name, typeIds: types, within, failure })
    draft.aliases.set(name, { kind: 'vertex', position })
  } else {
    const before = draft.positions[position]!
    before.typeIds = before.typeIds.filter((id) => types.includes(id))
    before.within = both(before.within, within)
    before.failure ??= failure
  }
  draft.conditions.push(...partConditions(node, name))
  return position
}

function both(left: DraftPosition['within'], right: DraftPosition['within']) {
  if (left === null || right === null) return left ?? right
  return { kind: 'intersect', left, right } as const
}

/** `FROM Start` without an alias: the set's name is the alias, where it stands first. */
function ownName(node: NodeSyntax, { aliases }: Draft): Identifier | null {
  const [only, second] = node.types
  if (only === undefined || second !== undefined || only.kind !== 'name') return null
  return aliases.has(only.name) ? null : { name: only.name, range: only.range }
}

interface NodeTypes {
  readonly types: readonly number[]
  readonly within: BoundPosition['within']
  readonly failure: BoundHop['failure']
}

/** The set of the first node is made when the statement begins, others when a row comes there. */
function bindNode(binder: Binder, node: NodeSyntax, isFirst: boolean): NodeTypes {
  const bound = setOfNode(binder, node)
  const failure = isFirst || bound.within === null ? null : failureOfSet(bound.within)
  return failure === null ? { ...bound, failure } : { types: [], within: null, failure }
}

function setOfNode(binder: Binder, node: NodeSyntax): Omit<NodeTypes, 'failure'> {
  if (node.types.length === 0) return { types: binder.schema.allVertexTypeIds(), within: null }
  const sets = node.types.map((ref) => bindVertexRef(binder, ref))
  const types = sortedIds(sets.flatMap((set) => set.typeIds))
  if (sets.every(({ set }) => set.kind === 'allOfTypes')) return { types, within: null }
  const within = sets
    .map(({ set }) => set)
    .reduce((left, right) => ({ kind: 'union', left, right }))
  return { types, within }
}

/** A type, set, parameter or accumulator at a vertex position, as the set it stands for. */
function bindVertexRef(binder: Binder, ref: TypeRefSyntax): BoundSet {
  if (ref.kind === 'globalAccum') {
    const node = { kind: 'globalAccum', name: ref.name, previous: false, range: ref.range } as const
    return binder.rules.vertexSet(binder, node)
  }
  return binder.rules.vertexSet(binder, { kind: 'name', name: ref.name, range: ref.range })
}

/** Every position is reached from the first one. */
function checkConnected(
  binder: Binder,
  { positions, hops }: Draft,
  paths: readonly PathSyntax[],
): void {
  const reached = new Set([0])
  for (let before = 0; before !== reached.size; ) {
    before = reached.size
    for (const { from, to } of hops) {
      if (reached.has(from) || reached.has(to)) reached.add(from).add(to)
    }
  }
  if (reached.size === positions.length) return
  const message = 'the patterns of this FROM clause share no vertex alias: they cannot be joined'
  binder.fail(diagnosticCodes.misplaced, paths.at(-1)!.range, message)
}

/** V3's `{prop: v}` and WHERE inside nodes and edges, as conditions. */
function partConditions(part: NodeSyntax | EdgeSyntax, alias: string): Expression[] {
  const equalities = part.properties.map(({ name, value }): Expression => {
    const of: Expression = { kind: 'name', name: alias, range: name.range }
    const member: Expression = { kind: 'member', of, name, range: name.range }
    return { kind: 'binary', operator: '==', left: member, right: value, range: name.range }
  })
  return part.where === null ? equalities : [...equalities, part.where]
}
