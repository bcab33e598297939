/**
 * An error that a run raises where it reaches a node that could not be bound.
 *
 * `contractCode` is the code of the answer (`GSQL-1002`); null: the one that `code` has.
 */
export interface RunFailure {
  readonly code: 'QUERY_RUNTIME' | 'QUERY_INVALID'
  readonly message: string
  readonly contractCode: string | null
}
