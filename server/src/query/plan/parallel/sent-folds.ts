/**
 * `t.@x += value` in a hop from s to t: on several threads a source *sends* what it would fold, and
 * the run folds it when the loop is over, in the order of the sources. So a sum has the bits of one
 * thread, and nobody writes what another thread reads.
 */

import type { BoundQuery } from '#query/ir/bound.ts'
import type { BoundDmlStatement } from '#query/ir/bound-select.ts'
import type { AccumType } from '#query/ir/types.ts'
import { isChained, type SelectPlan } from '../select/select-plan.ts'
import type { Update } from './collected-folds.ts'

const none: ReadonlySet<Update> = new Set()

/** Every fold into the other end of the only hop; none when one of them cannot be sent. */
export function sentFolds(plan: SelectPlan, query: BoundQuery): ReadonlySet<Update> {
  const { select, walks } = plan
  const [walk] = walks
  if (walk === undefined || walks.length > 1 || walk.joins || walk.repeat !== null) return none
  // There is room for as many values as a source has edges; a chain may lead to more.
  if (isChained(walk) || select.hops[walk.hop]!.names !== null) return none
  if (select.per !== null || select.accum === null) return none
  const all = updatesOf(select.accum.body)
  const updates = all.filter(({ target }) => isOf(target, walk.to))
  const isSent = ({ target, value, assign, applies }: Update): boolean => {
    if (assign || applies !== null || value.kind !== 'scalar') return false
    if (target.kind !== 'vertexAccum' || !isOneNumber(query.vertexAccums[target.slot]!.type)) {
      return false
    }
    // Two statements of one accumulator take turns from row to row.
    return all.filter((other) => slotOf(other) === target.slot).length === 1
  }
  return updates.every(isSent) ? new Set(updates) : none
}

function isOneNumber(type: AccumType): boolean {
  return type.kind !== 'AvgAccum' && !type.kind.startsWith('Bitwise')
}

/** Into vertices, at any depth. */
function updatesOf(body: readonly BoundDmlStatement[]): readonly Update[] {
  return body.flatMap((statement): readonly Update[] => {
    if (statement.kind === 'if') {
      const bodies = [...statement.branches.map((branch) => branch.body), statement.otherwise]
      return bodies.flatMap(updatesOf)
    }
    return statement.kind === 'updateAccum' && slotOf(statement) !== null ? [statement] : []
  })
}

function slotOf({ target }: Update): number | null {
  return target.kind === 'vertexAccum' ? target.slot : null
}

function isOf(target: Update['target'], position: number): boolean {
  if (target.kind !== 'vertexAccum') return false
  return target.of.kind === 'vertexAlias' && target.of.position === position
}
