/** Names of statements that could not be bound: their uses are no mistakes of their own. */
import type { Statement } from '#query/syntax/ast-statement.ts'
import type { Binder } from './binder.ts'
import { BindFailure, silentFailure } from './reports.ts'
import { attemptOr, type FailureStatement, failureStatement } from './run-failures.ts'

/**
 * As `attempt`; what the statement would have declared is known to be broken when it fails. Bound
 * for a run, a statement that fails is one that ends the run.
 */
export function attemptStatement<S>(
  binder: Binder,
  statement: Statement,
  bind: () => readonly S[],
): readonly (S | FailureStatement)[] {
  let isWhole = false
  const bound = attemptOr<readonly (S | FailureStatement)[]>(
    binder,
    () => {
      const statements = bind()
      isWhole = true
      return statements
    },
    (failure) => [failureStatement(failure, binder.place(statement.range))],
  )
  if (!isWhole && !(binder.isResolved && declaresAlone(binder, statement, bind))) {
    for (const name of namesMadeBy(statement)) binder.brokenNames.add(name)
  }
  return bound ?? []
}

/**
 * What is declared for the rest of the query, a table, has the type that it has before the arguments
 * are known: it is empty where the statement is not reached, and after it nothing is.
 */
function declaresAlone(binder: Binder, statement: Statement, bind: () => unknown): boolean {
  if (!('into' in statement) || statement.kind === 'insert') return false
  try {
    binder.withoutArguments(() => void bind())
    return true
  } catch (failure) {
    if (failure instanceof BindFailure) return false
    throw failure
  }
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
