/**
 * What null means where an attribute is written: attributes are never null, so it is the attribute's
 * default, the declared one or the zero of its type (docs/decisions/0031).
 */
import type { Attribute, AttributeType } from '#catalog/types.ts'
import type { Expression } from '#query/syntax/ast.ts'
import type { SourceRange } from '#query/syntax/source.ts'

/** The declared default as it could be written; null: the zero of its type. */
export function declaredDefault(
  { type, defaultText }: Attribute,
  range: SourceRange,
): Expression | null {
  return defaultText === undefined ? null : literalOf(type, defaultText, range)
}

/** The catalogue has read the text as a value of the type before. */
function literalOf({ kind }: AttributeType, text: string, range: SourceRange): Expression | null {
  switch (kind) {
    case 'INT':
    case 'UINT':
      return numberOf('int', text, range)
    case 'FLOAT':
    case 'DOUBLE':
      return numberOf('real', text, range)
    case 'BOOL':
      return { kind: 'bool', value: /^\s*(?:true|1)\s*$/i.test(text), range }
    case 'STRING':
    case 'FIXED_BINARY':
      return { kind: 'string', value: text, range }
    case 'DATETIME':
      return dateOf(text.trim(), range)
    default:
      return null
  }
}

function numberOf(kind: 'int' | 'real', given: string, range: SourceRange): Expression {
  const text = given.trim().replace(/^\+/, '')
  if (!text.startsWith('-')) return { kind, text, range }
  return { kind: 'unary', operator: '-', operand: { kind, text: text.slice(1), range }, range }
}

function dateOf(value: string, range: SourceRange): Expression {
  return {
    kind: 'call',
    of: null,
    name: { name: 'to_datetime', range },
    distinct: false,
    star: false,
    arguments: [{ kind: 'string', value, range }],
    range,
  }
}
