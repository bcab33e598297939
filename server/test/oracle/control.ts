/** IF, WHILE and FOREACH, of bodies and of clauses. */

import type { BoundBranch, BoundForeach } from '#query/ir/bound.ts'
import type { BoundExpression } from '#query/ir/bound-expression.ts'
import { evaluate, type Scope } from './expressions.ts'
import type { Flow, Run } from './run.ts'
import { isState } from './state.ts'
import { MapState } from './table-states.ts'
import { fail, Unsupported, type Value } from './values.ts'

export function runIf<S>(
  run: Run,
  statement: { readonly branches: readonly BoundBranch<S>[]; readonly otherwise: readonly S[] },
  scope: Scope,
  body: (statements: readonly S[]) => Flow,
): Flow {
  const branch = statement.branches.find(
    ({ condition }) => evaluate(run, condition, scope) === true,
  )
  return body(branch?.body ?? statement.otherwise)
}

export function runWhile<S>(
  run: Run,
  statement: {
    readonly condition: BoundExpression
    readonly limit: BoundExpression | null
    readonly body: readonly S[]
  },
  scope: Scope,
  body: (statements: readonly S[]) => Flow,
): Flow {
  const { condition, limit } = statement
  const most = limit === null ? null : (evaluate(run, limit, scope) as bigint)
  for (let round = 0n; most === null || round < most; round++) {
    run.step()
    if (evaluate(run, condition, scope) !== true) break
    const flow = body(statement.body)
    if (flow === 'return') return flow
    if (flow === 'break') break
  }
  return 'next'
}

export function runForeach<S>(
  run: Run,
  statement: BoundForeach<S>,
  scope: Scope,
  variables: Value[],
  body: (statements: readonly S[]) => Flow,
): Flow {
  for (const values of roundsOf(run, statement, scope)) {
    run.step()
    statement.slots.forEach((slot, i) => {
      variables[slot] = values[i]!
    })
    const flow = body(statement.body)
    if (flow === 'return') return flow
    if (flow === 'break') break
  }
  return 'next'
}

/** The values of the loop variables, round by round. */
export function roundsOf<S>(
  run: Run,
  { over, slots }: BoundForeach<S>,
  scope: Scope,
): Iterable<readonly Value[]> {
  if (over.kind === 'vertexSet') return (run.sets[over.slot] ?? []).map((vertex) => [vertex])
  if (over.kind === 'range') {
    const [from, to] = [over.from, over.to].map((bound) => evaluate(run, bound, scope) as bigint)
    const step = over.step === null ? 1n : (evaluate(run, over.step, scope) as bigint)
    if (step === 0n) fail('GSQL-1002', 'the step of RANGE is zero.')
    return range(from!, to!, step)
  }
  const collection = evaluate(run, over.value, scope)
  if (!isState(collection)) throw new Unsupported('FOREACH over no collection')
  if (collection instanceof MapState && slots.length === 2) {
    return collection.entries().map(({ key, value }) => [key, value.read()])
  }
  const rows = collection.elements()
  if (slots.length === 1) return rows.map((row) => [row])
  return rows as readonly (readonly Value[])[]
}

function* range(from: bigint, to: bigint, step: bigint): Generator<readonly Value[]> {
  for (let at = from; step > 0n ? at <= to : at >= to; at += step) yield [at]
}
