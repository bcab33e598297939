/**
 * Where a MATCH means something else elsewhere: openCypher gives different relationships of one MATCH
 * different edges, a name that is bound stands for what it is bound to, and a repeated relationship
 * matches every walk without a repeated edge; TigerGraph does none of it, and neither does this engine
 * (docs/decisions/0106). A text is warned once of each.
 */

import type { EdgeType } from '#catalog/types.ts'
import { type DiagnosticCode, diagnosticCodes } from '#query/ir/diagnostic-codes.ts'
import type { Expression } from '#query/syntax/ast.ts'
import type {
  EdgeAtomSyntax,
  EdgeSyntax,
  NodeSyntax,
  PathSyntax,
} from '#query/syntax/ast-pattern.ts'
import type { CypherClause, MatchClause } from '#query/syntax/cypher/ast-cypher.ts'
import type { SourceRange } from '#query/syntax/source.ts'
import type { Binder } from '../core/binder.ts'
import { mentionedNames } from '../core/mentions.ts'
import type { EdgeName } from '../core/schema.ts'
import { aggregateAt, sameText } from '../expressions/aggregates.ts'

/** A relationship that is one edge, with the nodes at its ends as it is written. */
interface Hop {
  readonly edge: EdgeSyntax
  readonly atoms: readonly EdgeAtomSyntax[]
  readonly left: End
  readonly right: End
}

interface End {
  /** The alias, or one of the node's own. */
  readonly name: string
  readonly node: NodeSyntax
}

/** The ends that one edge would have in two relationships. */
interface Meeting {
  readonly from: readonly [End, End]
  readonly to: readonly [End, End]
  /** Names of the relationships; empty where their values differ by the direction they are walked in. */
  readonly edges: readonly string[]
}

interface Around {
  /** Names bound by earlier clauses. */
  readonly known: ReadonlySet<string>
  /** The clauses behind this one. */
  readonly later: readonly CypherClause[]
}

export function warnOfRelationships(
  binder: Binder,
  { patterns, where }: MatchClause,
  { known, later }: Around,
): void {
  const edges = patterns.flatMap((path) => path.edges)
  const repeated = edges.find((edge) => {
    const isSet = edges.length === 1 && (isTwoArrows(edge) || (isReach(edge) && isDistinct(later)))
    return isLong(edge) && !isSet
  })
  if (repeated !== undefined) {
    const message = `${textOf(repeated)} matches the shortest walks here, as in TigerGraph; elsewhere all walks within its bounds that use no edge twice`
    warnOnce(binder, diagnosticCodes.shortestWalks, { range: repeated.range, message })
  }
  const hops = patterns.flatMap(hopsOf)
  const again = hops.find(({ edge }) => edge.alias !== null && known.has(edge.alias.name))
  if (again !== undefined) {
    const { name, range } = again.edge.alias!
    const message = `"${name}" is bound already: here it is another relationship, as in TigerGraph; elsewhere it is the same one`
    warnOnce(binder, diagnosticCodes.relationshipAgain, { range, message })
  }
  for (const [index, second] of hops.entries()) {
    for (const first of hops.slice(0, index)) {
      const meeting = meetingOf(binder, first, second)
      if (meeting === null || isExcluded(meeting, where)) continue
      const message = messageOf(first, second, meeting)
      warnOnce(binder, diagnosticCodes.sameRelationship, { range: second.edge.range, message })
      return
    }
  }
}

function warnOnce(
  binder: Binder,
  code: DiagnosticCode,
  { range, message }: { readonly range: SourceRange; readonly message: string },
): void {
  if (binder.diagnostics.some((said) => said.code === code)) return
  binder.warn(code, range, message)
}

function hopsOf(path: PathSyntax, at: number): Hop[] {
  const endOf = (index: number): End => {
    const node = path.nodes[index]!
    return { name: node.alias?.name ?? `#${at}.${index}`, node }
  }
  return path.edges.flatMap((edge, index) => {
    const atoms = atomsOf(edge)
    return atoms === null ? [] : [{ edge, atoms, left: endOf(index), right: endOf(index + 1) }]
  })
}

/** Null: it may be several edges. */
function atomsOf(edge: EdgeSyntax): readonly EdgeAtomSyntax[] | null {
  return isLong(edge) ? null : stepOf(edge)
}

/** Of one edge of a relationship, repeated or not. */
function stepOf({ type }: EdgeSyntax): readonly EdgeAtomSyntax[] | null {
  const step = type?.kind === 'repeat' ? type.item : type
  if (step === null || step.kind === 'repeat' || step.kind === 'sequence') return null
  const items = step.kind === 'atom' ? [step] : step.items
  const atoms = items.filter((item) => item.kind === 'atom')
  return atoms.length === items.length ? atoms : null
}

/** Whether it may be more than one edge. */
function isLong({ type }: EdgeSyntax): boolean {
  return type?.kind === 'repeat' && (type.max === null || type.max > 1)
}

/** Along arrows, each of two edges is another one unless it is a loop. */
function isTwoArrows(edge: EdgeSyntax): boolean {
  const { type } = edge
  return type?.kind === 'repeat' && type.min === 2 && type.max === 2 && isOneWay(edge)
}

/** Who can be reached along arrows by any walk is reached by one that uses no edge twice. */
function isReach(edge: EdgeSyntax): boolean {
  return edge.type?.kind === 'repeat' && edge.type.min <= 1 && isOneWay(edge)
}

function isOneWay(edge: EdgeSyntax): boolean {
  const directions = new Set(stepOf(edge)?.map(({ direction }) => direction))
  return directions.size === 1 && (directions.has('left') || directions.has('right'))
}

/** Whether it makes no difference to what follows how often a row is there. */
function isDistinct(later: readonly CypherClause[]): boolean {
  const end = later.find(({ kind }) => kind !== 'match' && kind !== 'unwind')
  if (end === undefined || !('distinct' in end) || !end.distinct) return false
  return !end.items.some(({ value }) => hasAggregate(value))
}

function hasAggregate(node: unknown): boolean {
  if (typeof node !== 'object' || node === null) return false
  if ('kind' in node && aggregateAt(node as Expression) !== null) return true
  return Object.values(node).some(hasAggregate)
}

/** How one edge, which is no loop, can be in both; null: it cannot. */
function meetingOf(binder: Binder, first: Hop, second: Hop): Meeting | null {
  if (first.edge.alias !== null && first.edge.alias.name === second.edge.alias?.name) return null
  for (const [type, ways] of waysOf(binder, first)) {
    const others = waysOf(binder, second).get(type) ?? []
    for (const way of ways) {
      for (const other of others) {
        const meeting = {
          from: [way.from, other.from],
          to: [way.to, other.to],
          edges: edgeNames(binder, type, [first.edge, second.edge]),
        } as const
        if (!isLoop(meeting) && canBeOne(...meeting.from) && canBeOne(...meeting.to)) return meeting
      }
    }
  }
  return null
}

function edgeNames(
  { schema }: Binder,
  typeId: number,
  edges: readonly EdgeSyntax[],
): readonly string[] {
  const isDirected = schema.edgeTypes.some(({ id, directed }) => id === typeId && directed)
  return isDirected ? edges.flatMap(({ alias }) => alias?.name ?? []) : []
}

interface Way {
  readonly from: End
  readonly to: End
}

/** By edge type: from which end to which a hop follows its edges. */
function waysOf(binder: Binder, { atoms, left, right }: Hop): ReadonlyMap<number, readonly Way[]> {
  const ways = new Map<number, Way[]>()
  for (const atom of atoms) {
    const { direction } = atom
    const isReversed = namedEdge(binder, atom)?.reversed === true
    const isTurned = direction === 'left' || direction === 'leftOrUndirected'
    const way = isTurned === isReversed ? { from: left, to: right } : { from: right, to: left }
    const isOneWay = (directed: boolean) => directed && !['any', 'both'].includes(direction)
    for (const { id, directed } of typesOf(binder, atom)) {
      const own = isOneWay(directed) ? [way] : [way, { from: way.to, to: way.from }]
      ways.set(id, [...(ways.get(id) ?? []), ...own])
    }
  }
  return ways
}

function namedEdge({ schema }: Binder, { type }: EdgeAtomSyntax): EdgeName | undefined {
  return type.kind === 'name' ? schema.edge(type.name) : undefined
}

/** An arrow meets directed edges only. */
function typesOf(binder: Binder, atom: EdgeAtomSyntax): readonly EdgeType[] {
  const named = namedEdge(binder, atom)
  const own = named === undefined ? [] : [named.type]
  const types = atom.type.kind === 'any' ? binder.schema.edgeTypes : own
  const isArrow = ['left', 'right', 'both'].includes(atom.direction)
  return types.filter(({ directed }) => directed || !isArrow)
}

function isLoop({ from, to }: Meeting): boolean {
  return from.some(({ name }) => to.some((end) => end.name === name))
}

/** Whether two nodes of the pattern can be one: by their labels and the properties that are written. */
function canBeOne(one: End, other: End): boolean {
  if (one.name === other.name) return true
  const labels = [one, other].map(({ node }) => node.types.map(({ name }) => name))
  const [own, theirs] = labels as [string[], string[]]
  const isShared = own.some((label) => theirs.includes(label))
  if (own.length > 0 && theirs.length > 0 && !isShared) return false
  return !one.node.properties.some(({ name, value }) => {
    const second = other.node.properties.find((property) => property.name.name === name.name)
    const areWritten = second !== undefined && isLiteral(value) && isLiteral(second.value)
    return areWritten && !sameText(value, second.value)
  })
}

function isLiteral({ kind }: Expression): boolean {
  return kind === 'string' || kind === 'int' || kind === 'bool'
}

/** `a <> b`, or of one of their properties, or an order of them. */
function isExcluded(meeting: Meeting, where: Expression | null): boolean {
  if (where === null || where.kind !== 'binary') return false
  const { operator, left, right } = where
  if (operator === 'AND') return isExcluded(meeting, left) || isExcluded(meeting, right)
  if (!['!=', '<', '>'].includes(operator)) return false
  const names = [left, right].map((side) => [...mentionedNames(side)])
  if (names.some(({ length }) => length !== 1)) return false
  const [[one], [other]] = names as [[string], [string]]
  const apart = [meeting.from, meeting.to].map(([first, second]) => [first.name, second.name])
  return [...apart, meeting.edges].some(
    (pair) => pair[0] !== pair[1] && pair.includes(one) && pair.includes(other),
  )
}

function messageOf(first: Hop, second: Hop, { from, to }: Meeting): string {
  const [one, other] = from[0].name === from[1].name ? to : from
  const isNamed = ![one.name, other.name].some((name) => name.startsWith('#'))
  const condition = isNamed
    ? `WHERE ${one.name} <> ${other.name}`
    : 'names for both nodes and WHERE a <> b'
  const instead =
    one.name === other.name ? 'exclude it by a condition on both' : `exclude it by ${condition}`
  return `${textOf(first.edge)} and ${textOf(second.edge)} may be one edge here, as in TigerGraph, but not elsewhere; ${instead}`
}

function textOf(edge: EdgeSyntax): string {
  const { alias, type } = edge
  const atoms = stepOf(edge) ?? []
  const names = atoms.flatMap(({ type: named }) => (named.kind === 'name' ? named.name : []))
  const label = names.length === 0 ? '' : `:${names.join('|')}`
  const bounds = type?.kind === 'repeat' ? boundsOf(type) : ''
  const inside = `-[${alias?.name ?? ''}${label}${bounds}]-`
  const direction = atoms[0]?.direction
  if (direction === 'left') return `<${inside}`
  return direction === 'right' ? `${inside}>` : inside
}

function boundsOf({ min, max }: { readonly min: number; readonly max: number | null }): string {
  return min === max ? `*${min}` : `*${min}..${max ?? ''}`
}
