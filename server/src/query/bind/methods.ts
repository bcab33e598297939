/** Methods used for their value: collections, vertices, heaps. Mutators as statements: `mutate.ts`. */
import type { CallSyntax, Expression } from '#query/syntax/ast.ts'
import type { Binder } from './binder.ts'
import { bindBitwiseAccessor } from './bitwise.ts'
import type { AccessorName, BoundExpression } from './bound-expression.ts'
import { convertTo } from './convert.ts'
import { diagnosticCodes } from './diagnostic-codes.ts'
import { bindJsonMethod, isJson } from './json.ts'
import { bindPopTarget } from './mutate.ts'
import { stepsFrom } from './named-edges.ts'
import { bindNamedAttribute } from './names.ts'
import { bindNeighbors, isNeighborMethod } from './neighbors.ts'
import { suggest } from './suggest.ts'
import { isTypeParameter, typeArgument } from './type-parameters.ts'
import { BOOL, DATETIME, DOUBLE, FLOAT, INT, STRING, UINT, type ValueType } from './types.ts'
import { isCollection, typeText } from './value-types.ts'
import { looksLikeVertexSet } from './vertex-set-shape.ts'

export function bindMethod(binder: Binder, node: CallSyntax, of: Expression): BoundExpression {
  const name = node.name.name
  if (name === 'size' && looksLikeVertexSet(binder, of)) {
    return { kind: 'vertexSetSize', type: INT, set: binder.rules.vertexSet(binder, of).set }
  }
  if (name === 'pop') return bindPop(binder, node, of)
  const bits = bindBitwiseAccessor(binder, node, of)
  if (bits !== null) return bits
  const receiver = binder.expression(of)
  binder.probe(name, () => ({ kind: 'member', type: receiver.type, accum: null }))
  if (receiver.type.kind === 'VERTEX' || receiver.type.kind === 'EDGE') {
    return bindElementMethod(binder, node, receiver)
  }
  if (isJson(receiver.type)) return bindJsonMethod(binder, node, receiver)
  const signature = accessorsOf(receiver.type).get(name)
  if (signature === undefined) return failMethod(binder, node, receiver.type)
  if (signature.parameters.length !== node.arguments.length) {
    const message = `${name} takes ${signature.parameters.length} argument(s)`
    binder.fail(diagnosticCodes.argumentCount, node.range, message)
  }
  const args = node.arguments.map((argument, index) =>
    convertTo(binder, binder.expression(argument), signature.parameters[index]!, argument.range),
  )
  return {
    kind: 'method',
    type: signature.result,
    method: name as AccessorName,
    of: receiver,
    arguments: args,
  }
}

interface Accessor {
  readonly parameters: readonly ValueType[]
  readonly result: ValueType
}

/** The reading methods of a type (gsql.md 9.3). */
export function accessorsOf(type: ValueType): ReadonlyMap<string, Accessor> {
  const size: [string, Accessor] = ['size', { parameters: [], result: INT }]
  switch (type.kind) {
    case 'LIST':
    case 'SET':
    case 'BAG': {
      const contains: [string, Accessor] = [
        'contains',
        { parameters: [type.element], result: BOOL },
      ]
      const get: [string, Accessor] = ['get', { parameters: [INT], result: type.element }]
      return new Map(type.kind === 'LIST' ? [size, contains, get] : [size, contains])
    }
    case 'MAP':
      return new Map([
        size,
        ['get', { parameters: [type.key], result: type.value }],
        ['containsKey', { parameters: [type.key], result: BOOL }],
      ])
    case 'HEAP':
      return new Map([size, ['top', { parameters: [], result: type.element }]])
    case 'GROUPS': {
      const keys = type.row.fields.slice(0, type.keyCount).map((field) => field.type)
      return new Map([
        size,
        ['get', { parameters: keys, result: type.row }],
        ['containsKey', { parameters: keys, result: BOOL }],
      ])
    }
    default:
      return new Map()
  }
}

function failMethod(binder: Binder, node: CallSyntax, type: ValueType): never {
  const known = [...accessorsOf(type).keys()]
  const text = typeText(type, (id) => binder.schema.nameOf(id))
  const message = `${text} has no method "${node.name.name}"${suggest(node.name.name, known)}`
  return binder.fail(diagnosticCodes.noSuchMethod, node.name.range, message)
}

function bindPop(binder: Binder, node: CallSyntax, of: Expression): BoundExpression {
  const { target, type } = bindPopTarget(binder, of)
  if (type.kind !== 'HEAP') return failMethod(binder, node, type)
  return { kind: 'pop', type: type.element, target }
}

function bindElementMethod(
  binder: Binder,
  node: CallSyntax,
  receiver: BoundExpression,
): BoundExpression {
  const name = node.name.name.toLowerCase()
  if (name === 'getattr') return bindGetAttr(binder, node, receiver)
  if (name === 'outdegree' && receiver.type.kind === 'VERTEX') {
    return {
      kind: 'outdegree',
      type: INT,
      of: receiver,
      steps: stepsFrom(binder, node.arguments, receiver),
    }
  }
  if (receiver.type.kind === 'VERTEX' && isNeighborMethod(name)) {
    return bindNeighbors(binder, node, receiver)
  }
  if (name === 'isdirected' && receiver.type.kind === 'EDGE') {
    return { kind: 'edgeDirected', type: BOOL, of: receiver }
  }
  return failMethod(binder, node, receiver.type)
}

const ATTRIBUTE_TYPES = new Map<string, ValueType>([
  ['INT', INT],
  ['UINT', UINT],
  ['FLOAT', FLOAT],
  ['DOUBLE', DOUBLE],
  ['BOOL', BOOL],
  ['STRING', STRING],
  ['DATETIME', DATETIME],
])

/** `v.getAttr(name, "TYPE")`: both literals or parameters, resolved like type names. */
function bindGetAttr(binder: Binder, node: CallSyntax, of: BoundExpression): BoundExpression {
  const [nameNode, typeNode] = node.arguments
  if (nameNode === undefined || typeNode === undefined) {
    return binder.fail(diagnosticCodes.argumentCount, node.range, 'getAttr takes a name and a type')
  }
  const typeName = textOf(binder, typeNode)
  const type = attributeTypeNamed((typeName ?? 'DOUBLE').toUpperCase())
  if (type === undefined) binder.notSupported(typeNode.range, `getAttr of type ${typeName}`)
  const name = textOf(binder, nameNode)
  // An empty name is what queries guard by IF: the read is compiled, never reached.
  if (name === null || name === '') return unknownYet(type)
  const given = { name, range: nameNode.range, isArgument: nameNode.kind === 'name' }
  const attribute = bindNamedAttribute(binder, of, given)
  return convertTo(binder, attribute, type, node.range)
}

/** `INT`, `SET<STRING>`: the types that getAttr names. */
function attributeTypeNamed(name: string): ValueType | undefined {
  const [, kind, elementName = ''] = /^\s*(LIST|SET)\s*<\s*(\w+)\s*>\s*$/.exec(name) ?? []
  if (kind !== 'LIST' && kind !== 'SET') return ATTRIBUTE_TYPES.get(name)
  const element = ATTRIBUTE_TYPES.get(elementName)
  return element === undefined ? undefined : { kind, element }
}

/** A value of `type` that stands in until type arguments are known. */
function unknownYet(type: ValueType): BoundExpression {
  if (isCollection(type)) return { kind: 'default', type }
  if (type.kind === 'STRING') return { kind: 'literal', type, value: '' }
  return { kind: 'literal', type, value: type.kind === 'BOOL' ? false : 0 }
}

/** A literal's text, or the argument of a STRING parameter; null: not given yet. */
function textOf(binder: Binder, node: Expression): string | null {
  if (node.kind === 'string') return node.value
  if (node.kind === 'name' && isTypeParameter(binder, node.name)) {
    const given = typeArgument(binder, node.name)
    return given === null ? null : (given[0] ?? '')
  }
  return binder.notSupported(node.range, 'attribute names computed at run time')
}
