/** The rows of a FROM clause as a source of tables. */

import type { BoundAccumUpdate, BoundBranch, Place } from '#query/ir/bound.ts'
import type { BoundSelect } from '#query/ir/bound-select.ts'
import type { SourceRange } from '#query/syntax/source.ts'
import type { Binder } from '../core/binder.ts'
import { ClauseState } from '../core/clause-state.ts'
import type { Match } from '../statements/select.ts'
import { type RowFold, type RowSource, rowValue } from './tables.ts'

export function matchSource(binder: Binder, match: Match, range: SourceRange): RowSource {
  return {
    inRow: (use) => {
      binder.clause = new ClauseState('accum', match.state)
      try {
        return use((node) => rowValue(binder, node))
      } finally {
        binder.clause = null
      }
    },
    folding: (folds) => [selectWith(binder, match, { folds, range })],
    counts: () => null,
  }
}

export function selectWith(
  binder: Binder,
  match: Match,
  { folds, range }: { readonly folds: readonly RowFold[]; readonly range: SourceRange },
): BoundSelect {
  const place = binder.place(range)
  const state = new ClauseState('accum', match.state)
  for (const { slot } of folds) state.globalsWritten.add(slot)
  return {
    ...match.select,
    kind: 'select',
    sample: null,
    resultSlot: null,
    resultPosition: 0,
    accum: {
      locals: [],
      body: folds.map((fold) => foldStatement(fold, place)),
      effects: state.effects(),
      snapshotGlobals: [],
      snapshotVertexAccums: [],
    },
    postAccum: [],
    previousVertexAccums: [],
    having: null,
    orderBy: [],
    limit: null,
    offset: null,
    place,
  }
}

/** A fold as a statement, of ACCUM or of the body. */
export function foldStatement({ slot, fold, when }: RowFold, place: Place): FoldStatement {
  const update: BoundAccumUpdate = {
    kind: 'updateAccum',
    target: { kind: 'globalAccum', slot },
    assign: false,
    value: fold,
    applies: null,
    place,
  }
  if (when === null) return update
  return { kind: 'if', branches: [{ condition: when, body: [update] }], otherwise: [], place }
}

type FoldStatement =
  | BoundAccumUpdate
  | {
      readonly kind: 'if'
      readonly branches: readonly BoundBranch<BoundAccumUpdate>[]
      readonly otherwise: readonly []
      readonly place: Place
    }
