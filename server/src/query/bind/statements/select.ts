/** SELECT blocks. */

import type { BoundExpression } from '#query/ir/bound-expression.ts'
import type { BoundAccumClause, BoundOrderKey, BoundSelect } from '#query/ir/bound-select.ts'
import { diagnosticCodes } from '#query/ir/diagnostic-codes.ts'
import { INT } from '#query/ir/types.ts'
import type { Expression } from '#query/syntax/ast.ts'
import type { SelectSyntax } from '#query/syntax/ast-statement.ts'
import { suggest } from '#query/syntax/suggest.ts'
import type { Binder } from '../core/binder.ts'
import { type ClauseKind, ClauseState, type SelectState } from '../core/clause-state.ts'
import { bindCondition } from '../core/conditions.ts'
import { failPer } from '../core/names.ts'
import { attemptOr } from '../core/run-failures.ts'
import { bindPatterns } from '../patterns/patterns.ts'
import { bindSample } from '../patterns/sample.ts'
import { bindInt } from './control.ts'
import { bindDml } from './dml.ts'
import { bindPostAccum } from './post-accum.ts'

/** A SELECT without its destination, and the types its result can have. */
export interface SelectedSet {
  readonly select: Omit<BoundSelect, 'resultSlot'>
  readonly typeIds: readonly number[]
}

export function bindSelect(binder: Binder, node: SelectSyntax): SelectedSet {
  const pattern = bindPatterns(binder, node.patterns)
  const resultPosition = positionOf(binder, node, pattern)
  const { per, perHops } = bindPer(binder, node.per, pattern.aliases)
  if (per !== null && !per.includes(resultPosition)) failPer(binder, node.alias)
  const state: SelectState = { ...pattern, resultPosition, per, perHops, previous: new Set() }
  const sample = bindSample(binder, node.sample, state)
  const where = bindWhere(binder, state, [
    ...(node.where === null ? [] : [node.where]),
    ...pattern.conditions,
  ])
  const accum = node.accum === null ? null : bindAccum(binder, node.accum.body, state)
  const postAccum = node.postAccum.flatMap(
    (clause) => binder.attempt(() => bindPostAccum(binder, clause, state)) ?? [],
  )
  const result = bindResult(binder, node, state)
  const select = {
    kind: 'select',
    resultPosition,
    positions: pattern.positions,
    hops: pattern.hops,
    sample,
    where,
    per,
    perHops,
    accum,
    postAccum,
    previousVertexAccums: [...state.previous].sort((a, b) => a - b),
    ...result,
    place: binder.place(node.range),
  } as const
  return { select, typeIds: pattern.positions[resultPosition]!.typeIds }
}

/** What FROM and WHERE say, for statements that are no SELECT of vertices. */
export interface Match {
  readonly state: SelectState
  readonly select: Pick<BoundSelect, 'positions' | 'hops' | 'where' | 'per' | 'perHops'>
}

export function bindMatch(binder: Binder, node: Pick<SelectSyntax, 'patterns' | 'where'>): Match {
  const pattern = bindPatterns(binder, node.patterns)
  const all = { per: null, perHops: [] }
  const state: SelectState = { ...pattern, resultPosition: 0, ...all, previous: new Set() }
  const conditions = [...(node.where === null ? [] : [node.where]), ...pattern.conditions]
  const where = bindWhere(binder, state, conditions)
  return { state, select: { positions: pattern.positions, hops: pattern.hops, where, ...all } }
}

/** What `PER (a, b)` lists, each once. */
function bindPer(
  binder: Binder,
  per: SelectSyntax['per'],
  aliases: SelectState['aliases'],
): Pick<SelectState, 'per' | 'perHops'> {
  if (per === null) return { per: null, perHops: [] }
  const positions = new Set<number>()
  const hops = new Set<number>()
  for (const alias of per) {
    const target = aliases.get(alias.name)
    if (target?.kind === 'vertex') positions.add(target.position)
    else if (target?.kind === 'edge') hops.add(target.hop)
    else {
      const message = `"${alias.name}" is not an alias of this FROM clause`
      binder.fail(diagnosticCodes.undeclared, alias.range, message)
    }
  }
  return { per: [...positions], perHops: [...hops] }
}

function positionOf(
  binder: Binder,
  { alias }: SelectSyntax,
  { aliases }: Pick<SelectState, 'aliases'>,
): number {
  const target = aliases.get(alias.name)
  if (target?.kind === 'vertex') return target.position
  const known = [...aliases].filter(([, { kind }]) => kind === 'vertex').map(([name]) => name)
  const message = `"${alias.name}" is not a vertex alias of this FROM clause${suggest(alias.name, known)}`
  return binder.fail(diagnosticCodes.undeclared, alias.range, message)
}

function inClause<T>(binder: Binder, state: ClauseState, bind: () => T): T {
  binder.clause = state
  try {
    return bind()
  } finally {
    binder.clause = null
  }
}

function bindWhere(
  binder: Binder,
  select: SelectState,
  conditions: readonly Expression[],
): BoundExpression | null {
  const [first, ...rest] = conditions
  if (first === undefined) return null
  const condition = rest.reduce<Expression>(
    (left, right) => ({ kind: 'binary', operator: 'AND', left, right, range: right.range }),
    first,
  )
  const bind = () => bindCondition(binder, condition)
  const whole = () => inClause(binder, new ClauseState('where', select), bind)
  return attemptOr<BoundExpression>(binder, whole, (failure) => failure)
}

function bindAccum(
  binder: Binder,
  body: Parameters<typeof bindDml>[1],
  select: SelectState,
): BoundAccumClause {
  const state = new ClauseState('accum', select)
  const bound = inClause(binder, state, () => binder.scoped(() => bindDml(binder, body)))
  return {
    locals: state.locals,
    body: bound,
    effects: state.effects(),
    snapshotGlobals: state.snapshotGlobals(),
    snapshotVertexAccums: state.snapshotVertexAccums(),
  }
}

type Failing = Extract<BoundExpression, { kind: 'failure' }>

function bindResult(binder: Binder, node: SelectSyntax, select: SelectState) {
  const kind: ClauseKind = 'result'
  const attempt = <T>(bind: (state: ClauseState) => T, raising: (value: Failing) => T) => {
    const state = new ClauseState(kind, select)
    const bound = () => inClause(binder, state, () => bind(state))
    return attemptOr(binder, bound, (failure) => raising({ ...failure, type: INT }))
  }
  const attemptInt = (node: Expression) =>
    attempt<BoundExpression>(
      () => bindInt(binder, node),
      (value) => value,
    )
  const { having, limit } = node
  if (limit?.offset && node.orderBy.length === 0) {
    binder.report(diagnosticCodes.offsetWithoutOrder, limit.range, 'OFFSET needs ORDER BY')
  }
  return {
    having:
      having === null
        ? null
        : attempt<BoundExpression>(
            () => bindCondition(binder, having),
            (value) => value,
          ),
    orderBy: node.orderBy.flatMap(
      (key) =>
        attempt<BoundOrderKey>(
          (state) => bindOrderKey(binder, state, key),
          (value) => ({ value, descending: key.descending, applies: null }),
        ) ?? [],
    ),
    limit: limit === null ? null : attemptInt(limit.count),
    offset: limit?.offset ? attemptInt(limit.offset) : null,
  }
}

function bindOrderKey(
  binder: Binder,
  state: ClauseState,
  key: SelectSyntax['orderBy'][number],
): BoundOrderKey {
  const { value, applies } = state.collectNeeds(() => binder.expression(key.value))
  if (!ORDERED.has(value.type.kind)) {
    const message = `cannot order by ${value.type.kind}`
    binder.fail(diagnosticCodes.notComparable, key.value.range, message)
  }
  return { value, descending: key.descending, applies }
}

const ORDERED = new Set([
  'INT',
  'UINT',
  'FLOAT',
  'DOUBLE',
  'BOOL',
  'STRING',
  'DATETIME',
  'VERTEX',
  'TUPLE',
])
