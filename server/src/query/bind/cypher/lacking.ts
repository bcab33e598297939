/**
 * Which properties a node or a relationship may lack: it has several types, and not all of them define the property,
 * which is null of the others (openCypher 9, "Property access"). The types are those that the patterns and the schema
 * leave; a pattern may leave fewer than are found here, and the binder has the last word (`bindLacks`).
 */
import type { BoundExpression } from '#query/ir/bound-expression.ts'
import { BOOL, STRING } from '#query/ir/types.ts'
import type { CallSyntax } from '#query/syntax/ast.ts'
import type {
  EdgeSyntax,
  EdgeTypeSyntax,
  NodeSyntax,
  PathSyntax,
} from '#query/syntax/ast-pattern.ts'
import type { Binder } from '../core/binder.ts'
import { attributesNamed, bindAttribute, possibleTypes } from '../core/names.ts'
import type { Schema } from '../core/schema.ts'
import type { Table } from './working-table.ts'

/** Whether the property may be missing of what has this name. */
export type Lacks = (name: string, property: string) => boolean

interface Known {
  readonly table: Table | null
  readonly paths: readonly PathSyntax[]
}

export function lacksIn({ schema }: Binder, known: Known): Lacks {
  const found = new Map<string, readonly number[]>()
  return (name, property) => {
    if (property === 'type') return false
    const types = found.get(name) ?? typesOf(schema, known, name)
    found.set(name, types)
    return types.some((id) => schema.attribute(id, property) === undefined)
  }
}

/** Ids of types; none: it is no node and no relationship. */
function typesOf(schema: Schema, { table, paths }: Known, name: string): readonly number[] {
  const type = table?.row.fields.find((field) => field.name === name)?.type
  let types: readonly number[] | null = null
  if (type?.kind === 'VERTEX') types = type.typeIds ?? schema.allVertexTypeIds()
  if (type?.kind === 'EDGE') types = type.typeIds ?? schema.allEdgeTypeIds()
  const isNamed = ({ alias }: NodeSyntax | EdgeSyntax) => alias?.name === name
  // A relationship that is named again is a new one, of any type that its own pattern leaves.
  if (paths.some((path) => path.edges.some(isNamed))) types = null
  const uses = paths.flatMap((path) => [
    ...path.nodes.flatMap((node, place) => (isNamed(node) ? [typesAt(schema, path, place)] : [])),
    ...path.edges.filter(isNamed).map((edge) => edgeTypesOf(schema, edge.type)),
  ])
  return uses.reduce(common, types) ?? []
}

function common(
  types: readonly number[] | null,
  more: ReadonlySet<number>,
): readonly number[] | null {
  return types === null ? [...more] : types.filter((id) => more.has(id))
}

function typesAt(schema: Schema, { nodes, edges }: PathSyntax, place: number): ReadonlySet<number> {
  const named = nodes[place]!.types.map(({ name }) => schema.vertexType(name)?.id)
  const isOpen = named.length === 0 || named.includes(undefined)
  const all = schema.allVertexTypeIds()
  const own = isOpen ? all : named.filter((id) => id !== undefined)
  const sides = [
    endsOf(schema, edges[place], 'left'),
    endsOf(schema, edges[place - 1], 'right'),
  ].filter((ends) => ends !== null)
  return new Set(own.filter((id) => sides.every((ends) => ends.has(id))))
}

/** Types of the nodes at a side of a relationship; null: any. */
function endsOf(
  schema: Schema,
  edge: EdgeSyntax | undefined,
  side: 'left' | 'right',
): ReadonlySet<number> | null {
  const atoms = edge === undefined ? null : atomsOf(edge.type)
  const ends = atoms?.map(({ type, direction }) => {
    const known = schema.edge(type.name)
    if (known === undefined) return null
    const { pairs } = known.type
    const isFrom = ((direction === 'right') === (side === 'left')) !== known.reversed
    const isOneWay = direction === 'right' || direction === 'left'
    if (!isOneWay || !known.type.directed)
      return pairs.flatMap((pair) => [pair.fromTypeId, pair.toTypeId])
    return pairs.map((pair) => (isFrom ? pair.fromTypeId : pair.toTypeId))
  })
  if (ends === undefined || ends.length === 0) return null
  const complete = ends.filter((ids) => ids !== null)
  return complete.length < ends.length ? null : new Set(complete.flat())
}

type Atom = Extract<EdgeTypeSyntax, { kind: 'atom' }>

/** The alternatives of one hop; none: it has no type, or is more than one hop. */
function atomsOf(type: EdgeTypeSyntax | null): readonly Atom[] {
  if (type?.kind === 'atom') return [type]
  return type?.kind === 'alternatives' ? type.items.flatMap(atomsOf) : []
}

function edgeTypesOf(schema: Schema, type: EdgeTypeSyntax | null): ReadonlySet<number> {
  const known = atomsOf(type).map((atom) => schema.edge(atom.type.name)?.type.id)
  const isOpen = known.length === 0 || known.includes(undefined)
  return new Set(isOpen ? schema.allEdgeTypeIds() : known.filter((id) => id !== undefined))
}

/** The call that says of a property whether it is lacking; no user can write it. */
export const LACKS = '#lacks'

/** @throws BindFailure TYP-158 where no type has the property */
export function bindLacks(binder: Binder, { arguments: [member] }: CallSyntax): BoundExpression {
  if (member?.kind !== 'member') throw new Error('a property that is none')
  const of = binder.expression(member.of)
  const types = possibleTypes(binder, of)
  const having = attributesNamed(binder, types, member.name.name).map(({ typeId }) => typeId)
  if (having.length === 0) bindAttribute(binder, of, member.name)
  return types
    .filter((id) => !having.includes(id))
    .flatMap((id) => namesOf(binder.schema, id))
    .map((value): BoundExpression => {
      const left: BoundExpression = { kind: 'typeName', type: STRING, of }
      const right: BoundExpression = { kind: 'literal', type: STRING, value }
      return { kind: 'compare', type: BOOL, operator: '==', left, right }
    })
    .reduce<BoundExpression>(
      (left, right) => (left.kind === 'literal' ? right : { kind: 'or', type: BOOL, left, right }),
      { kind: 'literal', type: BOOL, value: false },
    )
}

/** An edge that is walked backwards has the name of its reverse type. */
function namesOf(schema: Schema, typeId: number): readonly string[] {
  const reverse = schema.edgeTypes.find(({ id }) => id === typeId)?.reverseName ?? null
  const name = schema.nameOf(typeId)
  return reverse === null ? [name] : [name, reverse]
}
