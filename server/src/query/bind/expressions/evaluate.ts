/**
 * `evaluate("s.age + 1", "int")`: an expression that is a text of the query or an argument. It is
 * bound where it stands, over the names that are visible there, so that running it costs what the
 * expression itself would.
 */
import { EVALUATE_SIZE_CHARS_MAX } from '#kernel/limits.ts'
import type { BoundExpression } from '#query/ir/bound-expression.ts'
import { diagnosticCodes } from '#query/ir/diagnostic-codes.ts'
import { BOOL, DOUBLE, FLOAT, INT, STRING, type ValueType } from '#query/ir/types.ts'
import type { CallSyntax } from '#query/syntax/ast.ts'
import { parseExpressionText } from '#query/syntax/parse/parse.ts'
import type { SourceRange } from '#query/syntax/source.ts'
import type { Binder } from '../core/binder.ts'
import { convertTo } from '../core/convert.ts'
import { silentFailure } from '../core/reports.ts'
import { valueOrFailure } from '../core/run-failures.ts'
import { nameValue, standIn } from './named-attributes.ts'

const RESULTS = new Map<string, ValueType>([
  ['int', INT],
  ['float', FLOAT],
  ['double', DOUBLE],
  ['bool', BOOL],
  ['string', STRING],
])

export function bindEvaluate(binder: Binder, node: CallSyntax): BoundExpression {
  const [textNode, typeNode, more] = node.arguments
  if (textNode === undefined || more !== undefined) {
    const message = 'evaluate takes a text and the name of a type'
    return binder.fail(diagnosticCodes.argumentCount, node.range, message)
  }
  const wanted = typeNode === undefined ? null : resultNamed(binder, typeNode)
  const given = nameValue(binder, textNode)
  switch (given.kind) {
    case 'unknown':
      return standIn(wanted ?? DOUBLE)
    case 'computed':
      return binder.notSupported(textNode.range, 'evaluate of a text that is computed')
    case 'known':
      return valueOrFailure(binder, wanted ?? DOUBLE, () => {
        const value = evaluated(binder, given.name, node)
        return wanted === null ? value : convertTo(binder, value, wanted, node.range)
      })
  }
}

function resultNamed(binder: Binder, node: CallSyntax['arguments'][number]): ValueType {
  const type = node.kind === 'string' ? RESULTS.get(node.value.toLowerCase()) : undefined
  if (type !== undefined) return type
  const names = [...RESULTS.keys()].map((name) => `"${name}"`).join(', ')
  return binder.fail(diagnosticCodes.badLiteral, node.range, `expected one of ${names}`)
}

function evaluated(binder: Binder, text: string, { range }: CallSyntax): BoundExpression {
  checkSize(binder, text, range)
  const parsed = parseExpressionText(text)
  if ('kind' in parsed) return binder.expression(placedAt(parsed, range))
  return binder.fail(diagnosticCodes.syntax, range, `in "${text}": ${parsed.message}`)
}

/** Arguments may evaluate each other: without a limit a few of them would be work without end. */
function checkSize(binder: Binder, text: string, range: SourceRange): void {
  const isKnown = binder.evaluatedChars > EVALUATE_SIZE_CHARS_MAX
  if (isKnown && !binder.isResolved) throw silentFailure()
  binder.evaluatedChars += text.length
  if (binder.evaluatedChars <= EVALUATE_SIZE_CHARS_MAX) return
  const message = `the texts for evaluate are more than ${EVALUATE_SIZE_CHARS_MAX} characters`
  binder.fail(diagnosticCodes.badLiteral, range, message)
}

/** Places in the text are no places of the query: what is said of them is said of the call. */
function placedAt<T>(node: T, range: SourceRange): T {
  if (Array.isArray(node)) return node.map((child) => placedAt(child, range)) as T
  if (typeof node !== 'object' || node === null) return node
  const entries = Object.entries(node).map(([key, child]) => [
    key,
    key === 'range' ? range : placedAt(child, range),
  ])
  return Object.fromEntries(entries) as T
}
