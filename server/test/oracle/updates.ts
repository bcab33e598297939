/** Statements of ACCUM and POST-ACCUM, and updates of accumulators anywhere. */

import type { BoundAccumTarget, BoundFold } from '#query/ir/bound.ts'
import type { BoundExpression } from '#query/ir/bound-expression.ts'
import type { BoundDmlStatement } from '#query/ir/bound-select.ts'
import { runChange } from './changes.ts'
import { BagState, ListState, SetState } from './collection-states.ts'
import { runForeach, runIf, runWhile } from './control.ts'
import { appliesTo, evaluate, type Scope } from './expressions.ts'
import { runPrintln } from './files.ts'
import type { Flow, Message, Run } from './run.ts'
import { type Folded, isState, type State } from './state.ts'
import { ArrayState, GroupState, HeapState, MapState, PercentileState } from './table-states.ts'
import { Unsupported, type Value, type Vertex } from './values.ts'

interface Place {
  readonly name: string
  readonly isAtOnce: boolean
  readonly state: () => State
}

export function runClause(run: Run, statements: readonly BoundDmlStatement[], scope: Scope): Flow {
  for (const statement of statements) {
    run.step()
    const flow = runInClause(run, statement, scope)
    if (flow !== 'next') return flow
  }
  return 'next'
}

export function runInClause(run: Run, statement: BoundDmlStatement, scope: Scope): Flow {
  if ('applies' in statement && !appliesTo(scope, statement.applies)) return 'next'
  const body = (inner: readonly BoundDmlStatement[]): Flow => runClause(run, inner, scope)
  switch (statement.kind) {
    case 'updateAccum': {
      const { target, assign } = statement
      const place = placeOf(run, target, scope)
      const value = folded(run, statement.value, scope)
      if (place === null) return 'next'
      defer(run, place, assign && value.kind !== 'at' ? 'assign' : 'fold', () => {
        const state = place.state()
        if (assign && value.kind !== 'at') state.assign(value)
        else state.fold(value)
      })
      return 'next'
    }
    case 'mutate': {
      const place = placeOf(run, statement.target, scope)
      const given = statement.arguments.map((argument) => evaluate(run, argument, scope))
      if (place !== null) {
        defer(run, place, 'mutate', () => mutate(place.state(), statement.method, given))
      }
      return 'next'
    }
    case 'setLocal':
      setLocal(run, statement, scope)
      return 'next'
    case 'setVariable': {
      const value = evaluate(run, statement.value, scope)
      const { slot } = statement
      const set = (): void => {
        run.variables[slot] = value
      }
      if (run.messages === null) set()
      else run.messages.push({ kind: 'fold', target: `variable ${slot}`, row: run.row, apply: set })
      return 'next'
    }
    case 'if':
      return runIf(run, statement, scope, body)
    case 'while':
      return runWhile(run, statement, scope, body)
    case 'foreach':
      return runForeach(run, statement, scope, scope.locals, body)
    case 'break':
    case 'continue':
      return statement.kind
    case 'callStatement':
      evaluate(run, statement.call, scope)
      return 'next'
    case 'setAttribute':
    case 'insertVertex':
    case 'insertEdge':
    case 'deleteElement':
      runChange(run, statement, scope)
      return 'next'
    case 'println':
      runPrintln(run, statement, scope)
      return 'next'
    case 'log':
      if (evaluate(run, statement.condition, scope) === true) {
        for (const value of statement.values) evaluate(run, value, scope)
      }
      return 'next'
    default:
      throw new Unsupported((statement as BoundDmlStatement).kind)
  }
}

export function setLocal(
  run: Run,
  { slot, value }: Extract<BoundDmlStatement, { kind: 'setLocal' }>,
  scope: Scope,
): void {
  const current = scope.locals[slot]!
  const accum = isState(current) && !isCollection(current)
  if (isState(current) && value.kind === 'default') {
    current.clear()
    return
  }
  const next = evaluate(run, value, scope)
  if (accum) {
    current.clear()
    current.fold({ kind: 'scalar', value: next })
  } else scope.locals[slot] = isState(next) ? next.clone() : next
}

/** Where an update goes; null: nowhere, the vertex is unknown. */
export function placeOf(run: Run, target: BoundAccumTarget, scope: Scope): Place | null {
  if (target.kind === 'local') {
    return { name: '', isAtOnce: true, state: () => scope.locals[target.slot] as State }
  }
  if (target.kind === 'globalAccum') {
    const { slot } = target
    const isAtOnce = run.messages === null
    return { name: `global ${slot}`, isAtOnce, state: () => run.globals[slot]! }
  }
  const vertex = evaluate(run, target.of, scope) as Vertex | null
  if (vertex === null) return null
  const { slot, of } = target
  const isOwn = run.own === vertex && of.kind === 'vertexAlias'
  return {
    name: `vertex ${slot} ${vertex.number}`,
    isAtOnce: run.messages === null || isOwn,
    state: () => stateAt(run, slot, vertex),
  }
}

export function stateAt(run: Run, slot: number, vertex: Vertex): State {
  const states = run.vertexAccums[slot]!
  const known = states.get(vertex)
  if (known !== undefined) return known
  const state = run.initials[slot]!.clone()
  states.set(vertex, state)
  return state
}

export function defer(run: Run, place: Place, kind: Message['kind'], apply: () => void): void {
  if (place.isAtOnce) apply()
  else run.messages!.push({ kind, target: place.name, row: run.row, apply })
}

export function folded(run: Run, fold: BoundFold, scope: Scope): Folded {
  const value = (node: BoundExpression): Value => evaluate(run, node, scope)
  switch (fold.kind) {
    case 'scalar':
    case 'element':
    case 'elements':
    case 'merge':
      return { kind: fold.kind, value: value(fold.value) }
    case 'pair':
      return {
        kind: 'pair',
        key: value(fold.key),
        value: folded(run, fold.value, scope),
        assign: fold.assign === true,
      }
    case 'at':
      return {
        kind: 'at',
        indexes: fold.indexes.map(value),
        assign: fold.assign,
        value: folded(run, fold.value, scope),
      }
    case 'group':
      return {
        kind: 'group',
        keys: fold.keys.map(value),
        values: fold.values.map((one) => (one === null ? null : folded(run, one, scope))),
      }
  }
}

export function popOf(run: Run, target: BoundAccumTarget, scope: Scope): Value {
  const place = placeOf(run, target, scope)
  if (place === null) throw new Unsupported('pop of the unknown vertex')
  if (place.isAtOnce) return (place.state() as HeapState).pop()
  const top = (place.state() as HeapState).top()
  defer(run, place, 'mutate', () => void (place.state() as HeapState).pop())
  return top
}

export function updateElementOf(
  run: Run,
  node: Extract<BoundExpression, { kind: 'updateElement' }>,
  scope: Scope,
): boolean {
  const place = placeOf(run, node.target, scope)
  const index = evaluate(run, node.index, scope) as bigint
  const value = evaluate(run, node.value, scope)
  if (place === null) return false
  const list = place.state() as ListState
  if (place.isAtOnce) return list.update(index, value)
  defer(run, place, 'mutate', () => void (place.state() as ListState).update(index, value))
  return index >= 0n && index < BigInt(list.size)
}

function mutate(state: State, method: string, given: readonly Value[]): void {
  if (method === 'clear') state.clear()
  else if (state instanceof PercentileState) state.setPercent(Number(given[0]))
  else if (state instanceof ListState) mutateList(state, method, given)
  else if (state instanceof SetState) state.remove(given[0]!)
  else if (state instanceof BagState) state.remove(given[0]!, method === 'removeAll')
  else if (state instanceof ArrayState) state.reallocate(given.map(Number))
  else if (state instanceof HeapState && method === 'resize') state.setLimit(Number(given[0]))
  else if (state instanceof HeapState) state.pop()
  else if (state instanceof MapState) state.remove(given[0]!)
  else if (state instanceof GroupState) state.remove(given)
  else throw new Unsupported(`mutator ${method}`)
}

function mutateList(list: ListState, method: string, given: readonly Value[]): void {
  if (method === 'update') list.update(given[0] as bigint, given[1]!)
  else if (method === 'remove') list.removeAt(Number(given[0]))
  else if (method === 'removeOne') list.removeFirst(given[0]!)
  else list.removeAll(given[0]!)
}

export function isCollection(state: State): boolean {
  return (
    state instanceof ListState ||
    state instanceof SetState ||
    state instanceof BagState ||
    state instanceof MapState ||
    state instanceof HeapState ||
    state instanceof ArrayState ||
    state instanceof GroupState
  )
}
