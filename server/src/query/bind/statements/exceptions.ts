/** EXCEPTION, RAISE and TRY (docs/reference/gsql/statements.md#exceptions). */

import type { BoundStatement } from '#query/ir/bound.ts'
import { diagnosticCodes } from '#query/ir/diagnostic-codes.ts'
import { STRING } from '#query/ir/types.ts'
import type { Statement } from '#query/syntax/ast-statement.ts'
import { suggest } from '#query/syntax/suggest.ts'
import type { Binder } from '../core/binder.ts'
import { convertTo } from '../core/convert.ts'

/** Lower codes are the engine's own. */
const CODE_MIN = 40_001

type Node<K extends Statement['kind']> = Extract<Statement, { kind: K }>

export function declareException(
  binder: Binder,
  { name, code, range }: Node<'exceptionDeclaration'>,
): void {
  const number = Number(code)
  if (!Number.isSafeInteger(number) || number < CODE_MIN) {
    binder.fail(diagnosticCodes.badLiteral, range, 'the code of an exception is above 40000')
  }
  if (binder.exceptions.has(name.name)) {
    const message = `exception "${name.name}" is already declared`
    binder.report(diagnosticCodes.duplicate, name.range, message)
  }
  binder.exceptions.set(name.name, number)
}

function codeOf(binder: Binder, { name, range }: Node<'raise'>['name']): number {
  const code = binder.exceptions.get(name)
  if (code !== undefined) return code
  const hint = suggest(name, binder.exceptions.keys())
  const message = `exception "${name}" is not declared${hint}`
  return binder.fail(diagnosticCodes.undeclared, range, message)
}

export function bindRaise(binder: Binder, node: Node<'raise'>): BoundStatement {
  const message =
    node.message === null
      ? null
      : convertTo(binder, binder.expression(node.message), STRING, node.message.range)
  return {
    kind: 'raise',
    name: node.name.name,
    code: codeOf(binder, node.name),
    message,
    place: binder.place(node.range),
  }
}

type BindBlock = (statements: readonly Statement[]) => readonly BoundStatement[]

export function bindTry(binder: Binder, node: Node<'try'>, block: BindBlock): BoundStatement {
  const scoped = (statements: readonly Statement[]) => binder.scoped(() => block(statements))
  return {
    kind: 'try',
    body: scoped(node.body),
    handlers: node.handlers.map(({ name, body }) => ({
      code: codeOf(binder, name),
      body: scoped(body),
    })),
    otherwise: node.otherwise.length === 0 ? null : scoped(node.otherwise),
    place: binder.place(node.range),
  }
}
