/** SELECT: ACCUM, POST-ACCUM and the result. */

import type { BoundQuery } from '#query/ir/bound.ts'
import type { BoundExpression } from '#query/ir/bound-expression.ts'
import type { BoundPostAccumClause, BoundSelect } from '#query/ir/bound-select.ts'
import { appliesTo, evaluate, noRow, notNegative, type Row, type Scope } from './expressions.ts'
import { zeroOf } from './make-state.ts'
import { matchRows } from './patterns.ts'
import type { Message, Run } from './run.ts'
import type { State } from './state.ts'
import { runClause } from './updates.ts'
import { compare, keyOf, type Value, type Vertex } from './values.ts'
import { ascending } from './vertex-sets.ts'

export function runSelect(run: Run, select: BoundSelect): void {
  run.previous = new Map(
    select.previousVertexAccums.map((slot) => [slot, cloned(run.vertexAccums[slot]!)]),
  )
  const rows = matchRows(run, select)
  runAccum(run, select, rows)
  for (const clause of select.postAccum) runPostAccum(run, clause, rows)
  assignResult(run, select, rows)
}

export function runAccum(
  run: Run,
  { accum, per, perHops }: BoundSelect,
  rows: readonly Row[],
): void {
  if (accum === null) return
  const seen = new Set<string>()
  run.messages = []
  let previous: Row | null = null
  let copies: Message[][] = []
  for (const row of rows) {
    if (per !== null) {
      const key = keyOf([
        ...per.map((position) => row.vertices[position]!),
        ...perHops.map((hop) => row.edges[hop]!),
      ])
      if (seen.has(key)) continue
      seen.add(key)
    }
    run.row += 1
    const scope = { row, locals: newLocals(run, accum.locals) }
    const before = run.messages.length
    runClause(run, accum.body, scope)
    const own = run.messages.splice(before)
    if (row !== previous) {
      run.messages.push(...besideEachOther(copies))
      copies = []
    }
    copies.push(own)
    previous = row
  }
  run.messages.push(...besideEachOther(copies))
  applyMessages(run)
}

/** Messages of the rows of several walks between the same vertices: each as often as there are rows. */
function besideEachOther(copies: readonly (readonly Message[])[]): Message[] {
  const [first = []] = copies
  return first.flatMap((_, i) => copies.flatMap((copy) => copy[i] ?? []))
}

export function newLocals(run: Run, locals: BoundQuery['variables']): Value[] {
  return locals.map(({ type, accum }) => (accum === undefined ? zeroOf(type) : run.newState(accum)))
}

export function runPostAccum(
  run: Run,
  { position, body, locals }: BoundPostAccumClause,
  rows: readonly Row[],
): void {
  run.messages = []
  for (const vertex of ascending(rows.map(({ vertices }) => vertices[position]!))) {
    const vertices: (Vertex | undefined)[] = []
    vertices[position] = vertex
    run.own = vertex
    run.row += 1
    runClause(run, body, { row: { vertices, edges: [] }, locals: newLocals(run, locals) })
  }
  run.own = null
  applyMessages(run)
}

/**
 * Assignments first, of each accumulator those of the first row that assigns to it; then what is
 * added, then mutators.
 */
export function applyMessages(run: Run): void {
  const messages = run.messages ?? []
  run.messages = null
  const assigned = new Map<string, number>()
  for (const { kind, target, row, apply } of messages) {
    if (kind !== 'assign' || (assigned.get(target) ?? row) !== row) continue
    assigned.set(target, row)
    apply()
  }
  for (const { kind, apply } of messages) if (kind === 'fold') apply()
  for (const { kind, apply } of messages) if (kind === 'mutate') apply()
}

export function assignResult(run: Run, select: BoundSelect, rows: readonly Row[]): void {
  if (select.resultSlot === null) return
  const { resultPosition: position, having, orderBy } = select
  const scopeOf = (vertex: Vertex): Scope => {
    const vertices: (Vertex | undefined)[] = []
    vertices[position] = vertex
    return { row: { vertices, edges: [] }, locals: [] }
  }
  let members = ascending(rows.map(({ vertices }) => vertices[position]!))
  if (having !== null) {
    members = members.filter((vertex) => evaluate(run, having, scopeOf(vertex)) === true)
  }
  if (orderBy.length > 0) {
    const keyed = members.map((vertex) => {
      const scope = scopeOf(vertex)
      const keys = orderBy.map(({ value, applies }) =>
        appliesTo(scope, applies) ? evaluate(run, value, scope) : undefined,
      )
      return { vertex, keys }
    })
    keyed.sort((a, b) => compareKeys(a.keys, b.keys, orderBy))
    members = keyed.map(({ vertex }) => vertex)
  }
  const bound = (value: BoundExpression | null, otherwise: number): number =>
    value === null ? otherwise : Number(evaluate(run, value, noRow))
  const from = notNegative('OFFSET', bound(select.offset, 0))
  const limit = notNegative('LIMIT', bound(select.limit, Number.POSITIVE_INFINITY))
  run.sets[select.resultSlot] = members.slice(from, from + limit)
}

function cloned(states: ReadonlyMap<Vertex, State>): ReadonlyMap<Vertex, State> {
  return new Map([...states].map(([vertex, state]) => [vertex, state.clone()]))
}

type Keys = readonly (Value | undefined)[]

/** What has no such value goes last, whatever the direction. */
function compareKeys(
  left: Keys,
  right: Keys,
  order: readonly { readonly descending: boolean }[],
): number {
  for (let i = 0; i < order.length; i++) {
    const [a, b] = [left[i], right[i]]
    if (a === undefined || b === undefined) {
      if (a === b) continue
      return a === undefined ? 1 : -1
    }
    const difference = compare(a, b)
    if (difference !== 0) return order[i]!.descending ? -difference : difference
  }
  return 0
}
