/** Written types to value types and accumulator types. */
import { BITWISE_LENGTH_BITS_MAX } from '#kernel/limits.ts'
import { diagnosticCodes } from '#query/ir/diagnostic-codes.ts'
import {
  type AccumElement,
  type AccumType,
  ANY_EDGE,
  ANY_VERTEX,
  BOOL,
  DATETIME,
  DOUBLE,
  FLOAT,
  INT,
  JSON_ARRAY,
  JSON_OBJECT,
  STRING,
  type TupleValueField,
  type TupleValueType,
  UINT,
  type ValueType,
} from '#query/ir/types.ts'
import { isNumeric } from '#query/ir/value-types.ts'
import type { AccumTypeSyntax, FieldSyntax, TypeSyntax } from '#query/syntax/ast.ts'
import { statementWords } from '#query/syntax/parse/parse-statement.ts'
import type { SourceRange } from '#query/syntax/source.ts'
import { suggest } from '#query/syntax/suggest.ts'
import type { Binder, DeclaredAccum } from '../core/binder.ts'
import { accumTypedefSyntax } from './accum-typedef.ts'

const NAMED = new Map<string, ValueType>([
  ['INT', INT],
  ['UINT', UINT],
  ['FLOAT', FLOAT],
  ['DOUBLE', DOUBLE],
  ['BOOL', BOOL],
  ['BOOLEAN', BOOL],
  ['STRING', STRING],
  ['DATETIME', DATETIME],
  ['JSONOBJECT', JSON_OBJECT],
  ['JSONARRAY', JSON_ARRAY],
  // The path; only a calling query passes one on.
  ['FILE', STRING],
])

/** What other languages call them. */
const ELSEWHERE = new Map([
  ...['INTEGER', 'BIGINT', 'LONG'].map((name) => [name, 'INT'] as const),
  ...['REAL', 'DECIMAL', 'NUMBER'].map((name) => [name, 'DOUBLE'] as const),
  ...['TEXT', 'VARCHAR', 'CHAR'].map((name) => [name, 'STRING'] as const),
  ...['DATE', 'TIMESTAMP'].map((name) => [name, 'DATETIME'] as const),
])

export function bindType(binder: Binder, node: TypeSyntax): ValueType {
  switch (node.kind) {
    case 'namedType':
      return bindNamedType(binder, node.name, node.range)
    case 'elementType':
      return bindElementType(binder, node)
    case 'containerType':
      return bindContainerType(binder, node)
    case 'tupleType':
      return bindTupleType(binder, '', node.fields)
    case 'accumType':
      return binder.fail(
        diagnosticCodes.misplaced,
        node.range,
        `${node.accum} is an accumulator type, not a value type`,
      )
  }
}

function bindNamedType(binder: Binder, name: string, range: SourceRange): ValueType {
  const known = NAMED.get(name.toUpperCase()) ?? binder.tuples.get(name)
  if (known !== undefined) return known
  if (findAccumTypedef(binder, name) !== undefined) {
    const message = `${name} is an accumulator type, not a value type`
    return binder.fail(diagnosticCodes.misplaced, range, message)
  }
  // `PRNT S;` reads as a declaration of S.
  const other = ELSEWHERE.get(name.toUpperCase())
  const hint =
    other === undefined
      ? suggest(name, [...NAMED.keys(), ...binder.tuples.keys(), ...statementWords])
      : `; did you mean "${other}"?`
  return binder.fail(diagnosticCodes.undefinedFunction, range, `no type "${name}"${hint}`)
}

function bindElementType(
  binder: Binder,
  { element, target }: Extract<TypeSyntax, { kind: 'elementType' }>,
): ValueType {
  if (target === null) return element === 'VERTEX' ? ANY_VERTEX : ANY_EDGE
  const type =
    element === 'VERTEX'
      ? binder.schema.vertexType(target.name)
      : binder.schema.edge(target.name)?.type
  if (type !== undefined) {
    const used = element === 'VERTEX' ? binder.vertexTypesUsed : binder.edgeTypesUsed
    used.add(type.id)
    return { kind: element, typeIds: [type.id] }
  }
  const vertex = element === 'VERTEX'
  const names = vertex ? binder.schema.vertexNames() : binder.schema.edgeNames()
  const code = vertex ? diagnosticCodes.unknownVertexType : diagnosticCodes.unknownEdgeType
  const message = `no ${element.toLowerCase()} type "${target.name}"${binder.schema.hintOf(target.name, names)}`
  return binder.fail(code, target.range, message)
}

function bindContainerType(
  binder: Binder,
  node: Extract<TypeSyntax, { kind: 'containerType' }>,
): ValueType {
  const types = node.arguments.map((argument) => bindType(binder, argument))
  const [first, second] = types
  if (node.container === 'MAP') {
    if (first !== undefined && second !== undefined)
      return { kind: 'MAP', key: first, value: second }
    return binder.fail(diagnosticCodes.argumentCount, node.range, 'MAP takes two types')
  }
  if (first !== undefined && second === undefined) return { kind: node.container, element: first }
  return binder.fail(diagnosticCodes.argumentCount, node.range, `${node.container} takes one type`)
}

export function bindTupleType(
  binder: Binder,
  name: string,
  fields: readonly FieldSyntax[],
): TupleValueType {
  const bound = fields.map((field, index) => {
    const before = fields.slice(0, index).some((other) => other.name === field.name)
    if (before && field.name !== '') {
      const message = `the field "${field.name}" is there twice`
      binder.fail(diagnosticCodes.duplicate, field.range, message)
    }
    // Fields of TUPLE<INT, STRING> are told apart by their places.
    return { name: field.name || `f${index}`, type: bindType(binder, field.type) }
  })
  return { kind: 'TUPLE', name, fields: bound }
}

export function bindAccumType(binder: Binder, node: TypeSyntax): DeclaredAccum {
  if (node.kind === 'accumType') return bindAccum(binder, node)
  if (node.kind === 'namedType') {
    const typedef = findAccumTypedef(binder, node.name)
    if (typedef !== undefined) return typedef
    if (binder.tuples.has(node.name)) {
      const message = `${node.name} is a tuple, not an accumulator type`
      return binder.fail(diagnosticCodes.misplaced, node.range, message)
    }
    const global = binder.schema.accums.map(({ name }) => name)
    const hint = suggest(node.name, [...binder.accumTypedefs.keys(), ...global])
    const message = `no accumulator type "${node.name}"${hint}`
    return binder.fail(diagnosticCodes.undefinedFunction, node.range, message)
  }
  return binder.fail(diagnosticCodes.misplaced, node.range, 'expected an accumulator type')
}

/** Of the query, or else of the catalogue, which is bound where a query first names it. */
export function findAccumTypedef(binder: Binder, name: string): DeclaredAccum | undefined {
  const known = binder.accumTypedefs.get(name)
  if (known !== undefined || binder.typedefNames.has(name)) return known
  const global = binder.schema.accums.find((accum) => accum.name === name)
  if (global === undefined) return undefined
  const bound = bindAccumType(binder, accumTypedefSyntax(global.text).type)
  binder.accumTypedefs.set(name, bound)
  return bound
}

function bindAccum(binder: Binder, node: AccumTypeSyntax): DeclaredAccum {
  switch (node.accum) {
    case 'HeapAccum':
      return bindHeap(binder, node)
    case 'GroupByAccum':
      return { type: bindGroupBy(binder, node), capacity: null }
    case 'ArrayAccum':
      return { type: bindArray(binder, node), capacity: null }
    case 'PercentileContAccum':
      return { type: { kind: node.accum, percent: node.size ?? 50 }, capacity: null }
    case 'BitwiseAndAccum':
    case 'BitwiseOrAccum': {
      const lengthBits = node.size ?? 64
      if (lengthBits < 1 || lengthBits > BITWISE_LENGTH_BITS_MAX) {
        const message = `${node.accum} has 1 to ${BITWISE_LENGTH_BITS_MAX} bits`
        binder.fail(diagnosticCodes.badLiteral, node.range, message)
      }
      return { type: { kind: node.accum, lengthBits }, capacity: null }
    }
    case 'AvgAccum':
    case 'OrAccum':
    case 'AndAccum':
      return { type: { kind: node.accum }, capacity: null }
    case 'SumAccum':
      return { type: { kind: 'SumAccum', value: bindSummed(binder, node) }, capacity: null }
    case 'MinAccum':
    case 'MaxAccum': {
      const value = bindType(binder, argumentOf(binder, node, 0))
      return { type: { kind: node.accum, value }, capacity: null }
    }
    case 'ListAccum':
    case 'SetAccum':
    case 'BagAccum': {
      const element = bindElement(binder, argumentOf(binder, node, 0))
      return { type: { kind: node.accum, element }, capacity: null }
    }
    case 'MapAccum': {
      const key = bindType(binder, argumentOf(binder, node, 0))
      const value = bindElement(binder, argumentOf(binder, node, 1))
      return { type: { kind: 'MapAccum', key, value }, capacity: null }
    }
  }
}

function argumentOf(binder: Binder, node: AccumTypeSyntax, index: number): TypeSyntax {
  const argument = node.arguments[index]
  if (argument !== undefined) return argument.type
  const wanted = node.accum === 'MapAccum' ? 'two types' : 'a type'
  const message = `${node.accum} needs ${wanted}: ${node.accum}<…>`
  return binder.fail(diagnosticCodes.argumentCount, node.range, message)
}

function bindSummed(binder: Binder, node: AccumTypeSyntax): ValueType {
  const value = bindType(binder, argumentOf(binder, node, 0))
  if (isNumeric(value) || value.kind === 'STRING') return value
  return binder.fail(diagnosticCodes.typeMismatch, node.range, 'SumAccum adds numbers or STRING')
}

function bindElement(binder: Binder, node: TypeSyntax): AccumElement {
  const typedef = node.kind === 'namedType' ? findAccumTypedef(binder, node.name) : undefined
  if (node.kind !== 'accumType' && typedef === undefined) {
    return { kind: 'value', type: bindType(binder, node) }
  }
  return { kind: 'accum', accum: limitedType(binder, bindAccumType(binder, node)) }
}

/** A heap that no declaration gives its capacity when it is reached: a constant or a parameter. */
export function limitedType(binder: Binder, { type, capacity }: DeclaredAccum): AccumType {
  if (type.kind !== 'HeapAccum' || capacity === null) return type
  if (capacity.kind === 'int') {
    return { ...type, limit: { kind: 'constant', value: Number(capacity.text) } }
  }
  const slot =
    capacity.kind === 'name'
      ? binder.parameters.findIndex(({ name }) => name === capacity.name)
      : -1
  if (slot >= 0) return { ...type, limit: { kind: 'parameter', slot } }
  const message = 'the capacity of this HeapAccum has to be a number or a parameter'
  return binder.fail(diagnosticCodes.misplaced, capacity.range, message)
}

/** How many dimensions it has, its items say: `@@a[3][4]`. */
function bindArray(binder: Binder, node: AccumTypeSyntax): AccumType {
  const element = bindElement(binder, argumentOf(binder, node, 0))
  if (element.kind === 'accum') return { kind: 'ArrayAccum', element: element.accum, dimensions: 1 }
  const message = 'ArrayAccum holds accumulators: ArrayAccum<SumAccum<INT>>'
  return binder.fail(diagnosticCodes.typeMismatch, node.range, message)
}

function bindHeap(binder: Binder, node: AccumTypeSyntax): DeclaredAccum {
  const tuple = bindType(binder, argumentOf(binder, node, 0))
  if (tuple.kind !== 'TUPLE') {
    return binder.fail(diagnosticCodes.typeMismatch, node.range, 'HeapAccum holds tuples')
  }
  const order = (node.heap?.order ?? []).map(({ field, descending }) => {
    const index = tuple.fields.findIndex((candidate) => candidate.name === field.name)
    if (index >= 0) return { field: index, descending }
    const hint = suggest(
      field.name,
      tuple.fields.map((candidate) => candidate.name),
    )
    const message = `tuple ${tuple.name} has no field "${field.name}"${hint}`
    return binder.fail(diagnosticCodes.noSuchAttribute, field.range, message)
  })
  return {
    type: { kind: 'HeapAccum', tuple, order, limit: null },
    capacity: node.heap?.capacity ?? null,
  }
}

/** Keys first, then accumulators, each with the name its rows give it. */
function bindGroupBy(binder: Binder, node: AccumTypeSyntax): AccumType {
  const keys: TupleValueField[] = []
  const values: { name: string; accum: AccumType }[] = []
  for (const { name, type, range } of node.arguments) {
    if ([...keys, ...values].some((other) => other.name === name)) {
      binder.fail(diagnosticCodes.duplicate, range, `the field "${name}" is there twice`)
    }
    const element = bindElement(binder, type)
    if (element.kind === 'accum') values.push({ name, accum: element.accum })
    else if (values.length === 0) keys.push({ name, type: element.type })
    else {
      const message = 'the keys of a GroupByAccum stand before its accumulators'
      binder.fail(diagnosticCodes.misplaced, range, message)
    }
  }
  return { kind: 'GroupByAccum', keys, values }
}
