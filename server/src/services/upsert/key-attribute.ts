/**
 * Attributes that carry the primary id. A payload may name them, but only to repeat the key: the
 * key itself says what they are and never changes.
 */
import { integerId } from '#catalog/key-parts.ts'
import { parseDatetime } from '#kernel/datetime.ts'
import { DbError } from '#kernel/errors.ts'
import type { JsonBytes } from './json-bytes.ts'
import type { KeyBuffer } from './key-reader.ts'
import type { AttributePlan, VertexPlan } from './payload-plan.ts'
import { unconvertible } from './scalar-reader.ts'

/** Reads `{"value": …}` at the reader and holds it against the vertex's key. */
export function checkKeyAttribute(
  reader: JsonBytes,
  attribute: AttributePlan,
  vertex: VertexPlan,
  key: KeyBuffer,
): void {
  reader.expect(0x7b)
  for (let isFirst = true; reader.nextMember(0x7d, isFirst); isFirst = false) {
    reader.key()
    const name = reader.textOf()
    if (name === 'value') {
      checkValue(reader, attribute, key.partText(vertex.type, attribute.keyPart))
    } else if (name === 'op') {
      reader.skipValue()
    } else {
      throw new DbError('INVALID_PAYLOAD', `unknown key '${name}' beside 'value' and 'op'`)
    }
  }
}

function checkValue(reader: JsonBytes, attribute: AttributePlan, part: string): void {
  const { kind } = attribute.type
  const isText = kind === 'STRING' || kind === 'DATETIME'
  const first = reader.peek()
  if (isText !== (first === 0x22)) throw unconvertible(reader, kind)
  const text = scalarText(reader, first, kind)
  if (!isSame(text, part, kind)) {
    throw new DbError('INVALID_PAYLOAD', `the primary id is '${part}' and cannot be changed`)
  }
}

function scalarText(reader: JsonBytes, first: number, kind: string): string {
  if (first === 0x22) {
    reader.string()
    return reader.textOf()
  }
  if (kind === 'BOOL') {
    if (first !== 0x74 && first !== 0x66) throw unconvertible(reader, kind)
    return reader.word() === 0x74 ? 'true' : 'false'
  }
  if (first !== 0x2d && !(first >= 0x30 && first <= 0x39)) throw unconvertible(reader, kind)
  return reader.numberText()
}

function isSame(text: string, part: string, kind: string): boolean {
  switch (kind) {
    case 'INT':
    case 'UINT': {
      const value = integerId(text, kind === 'UINT')
      return value !== null && value === integerId(part, kind === 'UINT')
    }
    case 'FLOAT':
    case 'DOUBLE':
      return Number(text) === Number(part)
    case 'DATETIME':
      return parseDatetime(text) === parseDatetime(part)
    case 'BOOL':
      return text === part
    default:
      return text === part
  }
}
