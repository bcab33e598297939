/** Edge types of patterns, as written, to the concrete ways over them. */

import type { BoundExpression } from '#query/ir/bound-expression.ts'
import type { BoundStep } from '#query/ir/bound-select.ts'
import { diagnosticCodes } from '#query/ir/diagnostic-codes.ts'
import { isCollection } from '#query/ir/value-types.ts'
import type {
  EdgeAtomSyntax,
  EdgeDirection,
  EdgeTypeSyntax,
  TypeRefSyntax,
} from '#query/syntax/ast-pattern.ts'
import type { SourceRange } from '#query/syntax/source.ts'
import type { Binder } from '../core/binder.ts'
import type { EdgeName } from '../core/schema.ts'
import { dynamicEdges, isTypeParameter } from '../core/type-parameters.ts'
import { edgeSteps, type HopEnds } from './edge-steps.ts'

export interface EdgeContext {
  readonly ends: HopEnds
  /** The only hop of its FROM: a directed type without a mark is then followed forwards. */
  readonly alone: boolean
}

/** An edge type without sequences and repetitions. */
export function stepsOf(
  binder: Binder,
  type: EdgeTypeSyntax | null,
  context: EdgeContext,
): BoundStep[] {
  const steps = type === null ? anyEdge(binder, context.ends) : typeSteps(binder, type, context)
  return withLoopsOnce([...new Map(steps.map((step) => [JSON.stringify(step), step])).values()])
}

/**
 * Directed edges that are walked both ways, as one step: an edge from a vertex to itself satisfies
 * both alternatives, and matches once.
 */
function withLoopsOnce(steps: readonly BoundStep[]): BoundStep[] {
  const wayOf = ({ direction: _, ...way }: BoundStep) => JSON.stringify(way)
  const isTwoWay = (step: BoundStep) =>
    step.fromTypeId === step.toTypeId &&
    steps.filter((other) => wayOf(other) === wayOf(step)).length > 1
  return steps.flatMap((step): BoundStep[] => {
    if (!isTwoWay(step)) return [step]
    return step.direction === 'out' ? [{ ...step, direction: 'both' }] : []
  })
}

/** `()` and `(:e)`: forwards in V1, in any direction in V2. */
function anyEdge(binder: Binder, ends: HopEnds): BoundStep[] {
  return wildcardSteps(binder, binder.options.syntax === 'v1' ? 'none' : 'any', ends)
}

function typeSteps(binder: Binder, type: EdgeTypeSyntax, context: EdgeContext): BoundStep[] {
  switch (type.kind) {
    case 'alternatives':
      return type.items.flatMap((item) => typeSteps(binder, item, context))
    case 'sequence':
      return binder.notSupported(type.range, 'a repetition of concatenated edges without one count')
    case 'repeat':
      return binder.notSupported(
        type.range,
        'repeated edges inside an alternative without one count',
      )
    case 'atom':
      return atomSteps(binder, type, context)
  }
}

function atomSteps(
  binder: Binder,
  { type: ref, direction }: EdgeAtomSyntax,
  { ends, alone }: EdgeContext,
): BoundStep[] {
  // Which types the accumulator names is known when the query runs: `edgeNamesOf`.
  if (ref.kind === 'globalAccum') return wildcardSteps(binder, direction, ends)
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
  const unmarked = direction === 'none' && !alone && binder.options.syntax !== 'v1'
  if (edge.type.directed && (unmarked || direction === 'undirected')) {
    failUndirected(binder, ref.name, ref.range)
  }
  return edgeSteps(edge, direction, ends)
}

function edgesBetween(binder: Binder, ends: HopEnds): string[] {
  return binder.schema
    .edgeNames()
    .filter((name) => edgeSteps(binder.schema.edge(name)!, 'any', ends).length > 0)
}

function failEdge(binder: Binder, ref: TypeRefSyntax): never {
  const hint = binder.schema.hintOf(ref.name, binder.schema.edgeNames())
  return binder.fail(
    diagnosticCodes.unknownEdgeType,
    ref.range,
    `no edge type "${ref.name}"${hint}`,
  )
}

function failUndirected(binder: Binder, name: string, range: SourceRange): never {
  const message = `edge type "${name}" is directed, the pattern wants an undirected one: write ${name}> or <${name}`
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

/** `-(@@types>:e)-`: the collection whose names limit the hop when it runs; null: none does. */
export function edgeNamesOf(binder: Binder, type: EdgeTypeSyntax | null): BoundExpression | null {
  if (type === null) return null
  if (type.kind === 'atom') {
    if (type.type.kind !== 'globalAccum') return null
    const { name, range } = type.type
    const value = binder.expression({ kind: 'globalAccum', name, previous: false, range })
    if (isCollection(value.type) && value.type.element.kind === 'STRING') return value
    const message = `"@@${name}" holds no names of edge types`
    return binder.fail(diagnosticCodes.typeMismatch, range, message)
  }
  const items = type.kind === 'repeat' ? [type.item] : type.items
  const found = items.map((item) => edgeNamesOf(binder, item))
  if (found.every((names) => names === null)) return null
  if (items.length === 1) return found[0]!
  return binder.notSupported(type.range, 'edge types from an accumulator beside others')
}
