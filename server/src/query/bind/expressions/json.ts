/** JSON values (docs/reference/gsql/functions.md#json-values): parsed from texts, read member by member. */

import type { BoundExpression } from '#query/ir/bound-expression.ts'
import { diagnosticCodes } from '#query/ir/diagnostic-codes.ts'
import {
  BOOL,
  DOUBLE,
  INT,
  JSON_ARRAY,
  JSON_OBJECT,
  STRING,
  type ValueType,
} from '#query/ir/types.ts'
import type { CallSyntax } from '#query/syntax/ast.ts'
import { suggest } from '#query/syntax/suggest.ts'
import type { Binder } from '../core/binder.ts'
import { convertTo } from '../core/convert.ts'

const PARSERS = new Map<string, ValueType>([
  ['parse_json_object', JSON_OBJECT],
  ['parse_json_array', JSON_ARRAY],
])

export const JSON_GETTERS = new Map<string, ValueType>([
  ['getInt', INT],
  ['getDouble', DOUBLE],
  ['getString', STRING],
  ['getBool', BOOL],
  ['getJsonObject', JSON_OBJECT],
  ['getJsonArray', JSON_ARRAY],
])

/** Null: `name` parses nothing. */
export function bindJsonParser(
  binder: Binder,
  node: CallSyntax,
  name: string,
): BoundExpression | null {
  const type = PARSERS.get(name)
  if (type === undefined) return null
  const [text, more] = node.arguments
  if (text === undefined || more !== undefined) {
    return binder.fail(diagnosticCodes.argumentCount, node.range, `${node.name.name} takes a text`)
  }
  const value = convertTo(binder, binder.expression(text), STRING, text.range)
  return { kind: 'parseJson', type, value }
}

export function isJson(type: ValueType): boolean {
  return type.kind === 'JSONOBJECT' || type.kind === 'JSONARRAY'
}

export function bindJsonMethod(
  binder: Binder,
  node: CallSyntax,
  of: BoundExpression,
): BoundExpression {
  const isArray = of.type.kind === 'JSONARRAY'
  const known = [...JSON_GETTERS.keys(), isArray ? 'size' : 'containsKey']
  const name = known.find((method) => method.toLowerCase() === node.name.name.toLowerCase())
  if (name === undefined) {
    const hint = suggest(node.name.name, known)
    const message = `${of.type.kind} has no method "${node.name.name}"${hint}`
    return binder.fail(diagnosticCodes.noSuchMethod, node.name.range, message)
  }
  const [key, more] = node.arguments
  if ((key === undefined) !== (name === 'size') || more !== undefined) {
    const message = `${name} takes ${name === 'size' ? 0 : 1} argument(s)`
    return binder.fail(diagnosticCodes.argumentCount, node.range, message)
  }
  const place =
    key === undefined
      ? null
      : convertTo(binder, binder.expression(key), isArray ? INT : STRING, key.range)
  const type = JSON_GETTERS.get(name) ?? (name === 'size' ? INT : BOOL)
  return { kind: 'jsonMethod', type, of, method: name, key: place }
}
