/** Names of statements that could not be bound: their uses are no mistakes of their own. */
import type { Statement } from '#query/syntax/ast-statement.ts'
import type { Binder } from './binder.ts'
import { silentFailure } from './reports.ts'

/** As `attempt`; what the statement would have declared is known to be broken when it fails. */
export function attemptStatement<T>(binder: Binder, statement: Statement, bind: () => T): T | null {
  const bound = binder.attempt(bind)
  if (bound === null) for (const name of namesMadeBy(statement)) binder.brokenNames.add(name)
  return bound
}

/** @throws BindFailure without a word, for a name that would have been declared */
export function passOverBroken(binder: Binder, name: string): void {
  if (binder.brokenNames.has(name)) throw silentFailure()
}

function namesMadeBy(statement: Statement): readonly string[] {
  if (statement.kind === 'variableDeclaration') return statement.items.map(({ name }) => name.name)
  if (statement.kind === 'projectVertices') return statement.columns.map(({ into }) => into.name)
  return 'into' in statement && statement.into !== null ? [statement.into.name] : []
}
