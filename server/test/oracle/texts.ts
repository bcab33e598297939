/** Values as texts. */

import { formatDatetime } from '#kernel/datetime.ts'
import type { ValueType } from '#query/ir/types.ts'
import { generalText } from '#query/runtime/output/number-text.ts'
import { numberOf, Unsupported, type Value, type Vertex } from './values.ts'

/** `to_string`. */
export function textOf(value: Value, type: ValueType): string {
  switch (type.kind) {
    case 'STRING':
      return value as string
    case 'DATETIME':
      return formatDatetime(value as number)
    case 'FLOAT':
    case 'DOUBLE':
      return realText(value as number, 6)
    case 'BOOL':
    case 'INT':
    case 'UINT':
      return String(value)
    case 'VERTEX':
      return String(numberOf(value as Vertex | null))
    default:
      throw new Unsupported(`to_string of ${type.kind}`)
  }
}

export function realText(value: number, digits: number): string {
  if (Number.isFinite(value)) return generalText(value, digits)
  return Number.isNaN(value) ? 'nan' : value > 0 ? 'inf' : '-inf'
}
