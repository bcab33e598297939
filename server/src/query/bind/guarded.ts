/**
 * Files as library queries use them: named by a parameter that is usually empty, and guarded by
 * `IF file_path != ""`. Such a parameter specialises the query like a type name: with an empty
 * argument the statements are left out, with a real one the run is refused.
 */
import type { CallSyntax, Expression } from '#query/syntax/ast.ts'
import type { Statement } from '#query/syntax/ast-statement.ts'
import type { Binder } from './binder.ts'
import { diagnosticCodes } from './diagnostic-codes.ts'
import { suggest } from './suggest.ts'
import { isTypeParameter, typeArgument } from './type-parameters.ts'

export function declareFiles(
  binder: Binder,
  node: Extract<Statement, { kind: 'fileDeclaration' }>,
): void {
  for (const { name, path } of node.files) {
    binder.files.add(name.name)
    if (!isEmptyText(binder, path)) binder.notSupported(node.range, 'writing files')
  }
}

/** True for `f.println(…)`, which leaves no statement behind. */
export function isGuardedCall(binder: Binder, call: CallSyntax): boolean {
  const name = call.name.name.toLowerCase()
  if (name === 'println') checkPrintln(binder, call)
  else return false
  return true
}

function checkPrintln(binder: Binder, call: CallSyntax): void {
  const file = call.of?.kind === 'name' ? call.of.name : ''
  if (!binder.files.has(file)) {
    const hint = suggest(file, binder.files)
    binder.fail(diagnosticCodes.undeclared, call.range, `"${file}" is not a declared FILE${hint}`)
  }
  for (const argument of call.arguments) binder.expression(argument)
}

/** An empty literal, or a parameter whose argument is empty or not known yet. */
function isEmptyText(binder: Binder, node: Expression): boolean {
  if (node.kind === 'string') return node.value === ''
  if (node.kind !== 'name' || !isTypeParameter(binder, node.name)) return false
  return (typeArgument(binder, node.name) ?? []).length === 0
}
