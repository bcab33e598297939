/**
 * Descriptions of types and attributes, a word of Quiver's own (docs/decisions/0042):
 * `a INT DESCRIPTION "…"`, and the steps `SET DESCRIPTION "…"` and `SET ATTRIBUTE a DESCRIPTION "…"`.
 */
import type { Cursor } from '../cursor.ts'

/** A change of what is said of a type, or of one of its attributes. An empty text takes it away. */
export interface DescribeStep {
  readonly kind: 'describe'
  readonly element: 'VERTEX' | 'EDGE'
  readonly name: string
  /** Null: the type itself. */
  readonly attribute: string | null
  readonly text: string
}

/** Behind `ALTER VERTEX name`, at the word SET. */
export function parseDescribeStep(
  cursor: Cursor,
  element: DescribeStep['element'],
  name: string,
): DescribeStep {
  cursor.expectWord('SET')
  const attribute = cursor.acceptWord('ATTRIBUTE') ? cursor.expectKind('name').text : null
  cursor.expectWord('DESCRIPTION')
  return { kind: 'describe', element, name, attribute, text: cursor.expectKind('string').text }
}
