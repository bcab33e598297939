/** INSERT INTO: values by position or by column, for vertices and edges. */
import type { EdgeType, VertexType } from '#catalog/types.ts'
import type {
  BoundEdgeEnd,
  BoundFieldValue,
  BoundInsertEdge,
  BoundInsertVertex,
} from '#query/ir/bound-changes.ts'
import type { BoundExpression } from '#query/ir/bound-expression.ts'
import { diagnosticCodes } from '#query/ir/diagnostic-codes.ts'
import { STRING } from '#query/ir/types.ts'
import type { Expression, Identifier } from '#query/syntax/ast.ts'
import type { InsertSyntax, InsertValueSyntax } from '#query/syntax/ast-statement.ts'
import type { SourceRange } from '#query/syntax/source.ts'
import { suggest } from '#query/syntax/suggest.ts'
import type { Binder } from '../core/binder.ts'
import { convertTo } from '../core/convert.ts'
import type { EdgeName } from '../core/schema.ts'
import { isTypeParameter, typeArgument } from '../core/type-parameters.ts'
import { storedValue } from './changes.ts'

/** Null: the type is named by a parameter that has no value yet. */
export function bindInsert(
  binder: Binder,
  node: InsertSyntax,
): BoundInsertVertex | BoundInsertEdge | null {
  const name = typeNameOf(binder, node.into)
  if (name === null || name === '') {
    for (const { value } of node.values) if (value !== null) binder.expression(value)
    return null
  }
  const vertex = node.element === 'EDGE' ? undefined : binder.schema.vertexType(name)
  if (vertex !== undefined) return insertVertex(binder, node, vertex)
  const edge = node.element === 'VERTEX' ? undefined : binder.schema.edge(name)
  if (edge !== undefined) return insertEdge(binder, node, edge)
  return failType(binder, node, name)
}

function typeNameOf(binder: Binder, into: Identifier): string | null {
  const { schema } = binder
  const isType = schema.vertexType(into.name) ?? schema.edge(into.name)
  if (isType !== undefined || !isTypeParameter(binder, into.name)) return into.name
  const given = typeArgument(binder, into.name)
  return given === null ? null : (given[0] ?? '')
}

function failType(binder: Binder, { into, element }: InsertSyntax, name: string): never {
  const { schema } = binder
  if (name !== into.name) {
    const isEdge = element === 'EDGE'
    const kind = isEdge ? 'edge' : 'vertex'
    const code = isEdge
      ? diagnosticCodes.badEdgeTypeArgument
      : diagnosticCodes.badVertexTypeArgument
    binder.fail(code, into.range, `Runtime Error: "${name}" is not a valid ${kind} type.`)
  }
  const hint = schema.hintOf(name, [...schema.vertexNames(), ...schema.edgeNames()])
  const code = diagnosticCodes.unknownVertexType
  return binder.fail(code, into.range, `no vertex or edge type "${name}"${hint}`)
}

/** What was written for each column, by name; `_` is left out. */
type Given = ReadonlyMap<string, InsertValueSyntax>

function insertVertex(binder: Binder, node: InsertSyntax, type: VertexType): BoundInsertVertex {
  const { syntax, names } = type.primaryId
  const ownKey = syntax === 'PRIMARY_ID'
  const attributes = type.attributes.map(({ name }) => name)
  if (ownKey) refuseKeyByName(binder, node, type)
  const given = givenValues(binder, node, ownKey ? ['PRIMARY_ID', ...attributes] : attributes)
  const keys = ownKey ? ['PRIMARY_ID'] : names
  binder.vertexTypesUsed.add(type.id)
  return {
    kind: 'insertVertex',
    typeId: type.id,
    key: keys.map((name) => keyValue(binder, node, given.get(name)?.value ?? null)),
    fields: fieldsOf(binder, type, given, (name) => !ownKey && names.includes(name)),
    applies: null,
    place: binder.place(node.range),
  }
}

/** A key that is no attribute has a name in the schema only. */
function refuseKeyByName(binder: Binder, node: InsertSyntax, type: VertexType): void {
  const [key] = type.primaryId.names
  const isAttribute = type.attributes.some(({ name }) => name === key)
  const column = node.columns?.find(({ name }) => name.name === key)
  if (isAttribute || column === undefined) return
  const message = `the primary id of ${type.name} is written PRIMARY_ID here, not "${key}"`
  binder.fail(diagnosticCodes.noSuchAttribute, column.name.range, message)
}

function keyValue(binder: Binder, node: InsertSyntax, value: Expression | null): BoundExpression {
  if (value === null) {
    return binder.fail(diagnosticCodes.argumentCount, node.range, 'INSERT needs the primary id')
  }
  return binder.expression(value)
}

function fieldsOf(
  binder: Binder,
  type: VertexType | EdgeType,
  given: Given,
  isKey: (name: string) => boolean,
): BoundFieldValue[] {
  return type.attributes.flatMap(({ id, name }): BoundFieldValue[] => {
    const value = given.get(name)?.value ?? null
    if (value === null || isKey(name)) return []
    const info = binder.schema.attribute(type.id, name)!
    binder.useAttribute(type.id, id)
    return [{ attributeId: id, value: storedValue(binder, value, info.type) }]
  })
}

function insertEdge(binder: Binder, node: InsertSyntax, edge: EdgeName): BoundInsertEdge {
  const { type, reversed } = edge
  const names = type.attributes.map(({ name }) => name)
  const given = givenValues(binder, node, ['FROM', 'TO', ...names])
  binder.edgeTypesUsed.add(type.id)
  const discriminators = type.attributes.slice(0, type.discriminatorCount)
  const missing = discriminators.filter(({ name }) => (given.get(name)?.value ?? null) === null)
  const zeros = missing.map(({ id, name }): BoundFieldValue => {
    const info = binder.schema.attribute(type.id, name)!
    return { attributeId: id, value: { kind: 'default', type: info.type } }
  })
  const fields = [...zeros, ...fieldsOf(binder, type, given, () => false)]
  const order = (field: BoundFieldValue) =>
    type.attributes.findIndex(({ id }) => id === field.attributeId)
  return {
    kind: 'insertEdge',
    edgeTypeId: type.id,
    reversed,
    from: endOf(binder, node, given.get('FROM')),
    to: endOf(binder, node, given.get('TO')),
    fields: fields.sort((left, right) => order(left) - order(right)),
    applies: null,
    place: binder.place(node.range),
  }
}

function endOf(
  binder: Binder,
  node: InsertSyntax,
  given: InsertValueSyntax | undefined,
): BoundEdgeEnd {
  if (given === undefined || given.value === null) {
    return binder.fail(
      diagnosticCodes.argumentCount,
      node.range,
      'INSERT of an edge needs FROM and TO',
    )
  }
  const value = binder.expression(given.value)
  const typeName = given.type === null ? null : typeNameValue(binder, given.type)
  return { value, typeName }
}

/** A type's own name, a STRING parameter, or `v.type`. */
function typeNameValue(binder: Binder, node: Expression): BoundExpression {
  if (node.kind === 'name' && binder.schema.vertexType(node.name) !== undefined) {
    return { kind: 'literal', type: STRING, value: node.name }
  }
  if (
    node.kind === 'name' &&
    binder.lookup(node.name) === undefined &&
    !isParameter(binder, node.name)
  ) {
    const hint = binder.schema.hintOf(node.name, binder.schema.vertexNames())
    const code = diagnosticCodes.unknownVertexType
    return binder.fail(code, node.range, `no vertex type "${node.name}"${hint}`)
  }
  return convertTo(binder, binder.expression(node), STRING, node.range)
}

function isParameter(binder: Binder, name: string): boolean {
  return binder.parameters.some((parameter) => parameter.name === name)
}

function givenValues(binder: Binder, node: InsertSyntax, all: readonly string[]): Given {
  const columns = node.columns === null ? all : namedColumns(binder, node, all)
  const { values } = node
  const fits =
    node.columns === null ? values.length <= columns.length : values.length === columns.length
  if (!fits) {
    const message = `${values.length} value(s) for ${columns.length} column(s)`
    binder.fail(diagnosticCodes.argumentCount, node.range, message)
  }
  return new Map(values.map((value, index) => [columns[index]!, value]))
}

function namedColumns(binder: Binder, node: InsertSyntax, all: readonly string[]): string[] {
  const names = node.columns!.flatMap(({ name, members }) =>
    members.length > 0 ? members : [name],
  )
  return names.map(({ name, range }) => columnNamed(binder, all, { name, range }))
}

function columnNamed(
  binder: Binder,
  all: readonly string[],
  { name, range }: { readonly name: string; readonly range: SourceRange },
): string {
  const upper = name.toUpperCase()
  const word = ['FROM', 'TO', 'PRIMARY_ID'].find((candidate) => candidate === upper)
  const found = all.includes(name) ? name : word
  if (found !== undefined && all.includes(found)) return found
  const message = `no attribute "${name}" to insert${suggest(name, all)}`
  return binder.fail(diagnosticCodes.noSuchAttribute, range, message)
}
