/**
 * Rows that stand for several: a repeated hop gives one row for each of its walks, and there may be
 * more walks than anybody can enumerate. Statements whose effect does not depend on how often they
 * run are run once; sums are multiplied; only what keeps every single element is run that often.
 */
import type { BoundFold } from '#query/ir/bound.ts'
import type { BoundDmlStatement } from '#query/ir/bound-select.ts'
import type { AccumElement, AccumType } from '#query/ir/types.ts'

export type Repetition =
  /** Once is as good as often. */
  | 'once'
  /** A number that is added: multiplied by the count. */
  | 'multiplied'
  | 'each'

/** How an update behaves when its row comes several times. */
export function repetitionOf(type: AccumType, fold: BoundFold, assign: boolean): Repetition {
  switch (type.kind) {
    case 'MinAccum':
    case 'MaxAccum':
    case 'OrAccum':
    case 'AndAccum':
    case 'BitwiseOrAccum':
    case 'BitwiseAndAccum':
    case 'SetAccum':
      return 'once'
    case 'SumAccum':
      if (assign) return 'once'
      return type.value.kind === 'STRING' ? 'each' : 'multiplied'
    case 'MapAccum':
      if (assign) return 'once'
      return fold.kind === 'pair' ? elementRepetition(type.value, fold.value) : 'each'
    default:
      return assign ? 'once' : 'each'
  }
}

function elementRepetition(element: AccumElement, fold: BoundFold): Repetition {
  if (element.kind === 'accum') return repetitionOf(element.accum, fold, false)
  const { kind } = element.type
  if (kind === 'INT' || kind === 'UINT' || kind === 'FLOAT' || kind === 'DOUBLE') {
    return 'multiplied'
  }
  return kind === 'STRING' ? 'each' : 'once'
}

/** Whether anything in a clause depends on how often a row comes. */
export function countsRows(body: readonly BoundDmlStatement[]): boolean {
  return body.some((statement) => {
    switch (statement.kind) {
      case 'updateAccum':
        return statement.target.kind !== 'local'
      case 'mutate':
        return statement.target.kind !== 'local' && statement.method !== 'clear'
      case 'if':
        return (
          statement.branches.some((branch) => countsRows(branch.body)) ||
          countsRows(statement.otherwise)
        )
      case 'while':
      case 'foreach':
        return countsRows(statement.body)
      default:
        return false
    }
  })
}
