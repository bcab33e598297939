/** The text of a whole query: one function over the bindings `B` and the runtime `R`. */

import type { GraphView } from '#graph/view.ts'
import type { BoundQuery } from '#query/ir/bound.ts'
import { deadResults } from '#query/plan/rewrites/drop-dead-results.ts'
import { splitChains } from '#query/plan/rewrites/split-chains.ts'
import { Physical } from '#query/runtime/graph/physical.ts'
import { compileExpression } from '../expressions/expression.ts'
import { compileVertexSet } from '../expressions/vertex-sets.ts'
import { checkText } from '../text/check.ts'
import { bodyScope } from '../text/scope.ts'
import { stateText } from '../text/state-text.ts'
import { type Resolver, Unit } from '../text/unit.ts'
import { emitBody } from './body.ts'
import { callQuery } from './callees.ts'

export interface GeneratedQuery {
  readonly text: string
  /** What `B` holds, in order; resolved for every run. */
  readonly resolvers: readonly Resolver[]
  readonly wide: boolean
  /** As the text was made from it, with its statements in order. */
  readonly query: BoundQuery
  readonly statements: Unit['statements']
}

/**
 * @param counted for a profile: how many rows conditions keep is counted as well
 * @throws NeedsWideIntegers when `wide` is false and a constant of the query needs 64 bits
 */
export function generateQuery(
  bound: BoundQuery,
  view: GraphView,
  wide: boolean,
  counted = false,
): GeneratedQuery {
  const query = splitChains(bound)
  const compilers = {
    expression: compileExpression,
    vertexSet: compileVertexSet,
    queryCall: callQuery,
  }
  const dead = deadResults(query.body)
  const options = { wide, counted, compilers, deadResults: dead }
  const unit = new Unit(query, new Physical(view), options)
  const body = unit.capture(() => emitBody(unit, query.body, bodyScope))
  const state = stateText(unit)
  const main = `function q(){let ec=0,rc=0;\n${body}\n}`
  const { calleeTexts } = unit.shared
  const { partNames } = unit
  const begin =
    partNames.length === 0 ? 'q();' : `${unit.call('beginRun', 'q', `[${partNames.join(',')}]`)};`
  const rehearsal = `if(${unit.call('isRehearsal', 'q')})return;`
  const parts = [unit.prologue(), ...calleeTexts, rehearsal, state, ...unit.functions, main, begin]
  const text = parts.join('\n')
  checkText(text)
  const { resolvers } = unit.shared
  return { text, resolvers, wide, query, statements: unit.statements }
}
