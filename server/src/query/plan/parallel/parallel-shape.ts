/**
 * Which SELECTs may run on several threads, and how they are divided, so that the answer is the one
 * that a single thread gives, bit for bit.
 *
 * *Sources*: rows are divided by the vertex they start from; a repeated hop is a search from each.
 * Each thread folds into accumulators of its own sources, and into cells of the segment for global
 * ones; what it would fold into the other ends of one hop it sends, and the run folds it
 * afterwards. *Targets*: the one hop is turned round. Each thread gathers, for its own targets,
 * over the edges that lead to them: in the order of their sources, which is the order of the rows.
 * *Vertices*: a POST-ACCUM clause over vertices that touches only their own accumulators.
 *
 * What has effects, makes collections or strings that outlive the row, or lets the last row win is
 * left to one thread.
 */
import type { BoundAccum, BoundQuery, BoundStatement } from '#query/ir/bound.ts'
import type { BoundExpression } from '#query/ir/bound-expression.ts'
import type {
  BoundDmlStatement,
  BoundPostAccumClause,
  BoundSelect,
  BoundStep,
} from '#query/ir/bound-select.ts'
import { type AccumType, isWideBits, type ValueType } from '#query/ir/types.ts'
import { deadResults } from '../rewrites/drop-dead-results.ts'
import { splitChains } from '../rewrites/split-chains.ts'
import { assignedAndAdded, usesEdge } from '../select/clause-reads.ts'
import { childrenOf, randomFunctions } from '../select/references.ts'
import { isChained, markedPerSource, planSelect, type SelectPlan } from '../select/select-plan.ts'
import { collectedFolds } from './collected-folds.ts'
import { isPartialFold, valuesOf } from './partial-folds.ts'
import { sentFolds } from './sent-folds.ts'
import { finishedCounts, sharedSets } from './shared-sets.ts'

export type ParallelShape = 'sources' | 'targets'

export function parallelShape(plan: SelectPlan, query: BoundQuery): ParallelShape | null {
  const { select, filters } = plan
  // Virtual edges lie in the memory of the thread that made them.
  if (query.virtualEdges.length > 0) return null
  if (select.sample !== null) return null
  const marksPer = select.per === null || markedPerSource(plan) !== null
  if (!marksPer) return null
  if (!filters.flat().every((filter) => isPure(filter, query))) return null
  const { accum } = select
  if (accum === null) return 'sources'
  const collected = new Set(collectedFolds(plan, query).values())
  if (!isPlainClause(accum, query, collected)) return null
  const { globals, columns } = assignedAndAdded(accum.body)
  if (globals.size + columns.size > 0) return null
  const updates = updatesIn(accum.body)
  if (updates.some(({ assign }) => assign) && select.hops.length > 0) return null
  return shapeByOwners(plan, query, updates)
}

/** By the positions whose vertices are folded into. */
function shapeByOwners(
  plan: SelectPlan,
  query: BoundQuery,
  updates: readonly Update[],
): ParallelShape | null {
  const owners = new Set(updates.flatMap(({ owner }) => (owner === null ? [] : [owner])))
  owners.delete(plan.start)
  if (owners.size === 0) return 'sources'
  if (plan.select.per !== null || countsInSets(plan, query)) return null
  if (isGathered(plan, query, updates)) return 'targets'
  return owners.size === 1 && sentFolds(plan, query).size > 0 ? 'sources' : null
}

export function isParallelPostAccum(clause: BoundPostAccumClause, query: BoundQuery): boolean {
  if (query.virtualEdges.length > 0 || !isPlainClause(clause, query)) return false
  const { vertexAccumsWritten } = clause.effects
  return (
    updatesIn(clause.body).every(({ assign, owner }) =>
      owner === null ? !assign : owner === clause.position,
    ) && !readsOthers(clause.body, new Set(vertexAccumsWritten))
  )
}

/** Whether lending a thread to the query may be of use. */
export function hasParallelSelects(query: BoundQuery): boolean {
  const split = splitChains(query)
  const dead = deadResults(split.body)
  return selectsIn(split.body).some((select) => {
    const wanted = dead.has(select) ? { ...select, resultSlot: null } : select
    return (
      parallelShape(planSelect(wanted), split) !== null ||
      select.postAccum.some((clause) => isParallelPostAccum(clause, split))
    )
  })
}

function selectsIn(body: readonly BoundStatement[]): readonly BoundSelect[] {
  return body.flatMap((statement): readonly BoundSelect[] => {
    switch (statement.kind) {
      case 'select':
        return [statement]
      case 'while':
      case 'foreach':
        return selectsIn(statement.body)
      case 'if':
        return [
          ...statement.branches.flatMap((branch) => selectsIn(branch.body)),
          ...selectsIn(statement.otherwise),
        ]
      case 'try':
        return selectsIn(statement.body)
      default:
        return []
    }
  })
}

/** They are counted where the sources are met. */
function countsInSets({ select }: SelectPlan, query: BoundQuery): boolean {
  const { where, accum } = select
  return finishedCounts([where, accum?.body], nothingWritten, query).size > 0
}

const nothingWritten = { globalsWritten: [], vertexAccumsWritten: [] }

/** An accumulator that a clause folds into; `owner`: the position it is attached to. */
interface Update {
  readonly type: 'globalAccum' | 'vertexAccum'
  readonly slot: number
  readonly assign: boolean
  readonly owner: number | null
}

function updatesIn(body: readonly BoundDmlStatement[]): readonly Update[] {
  return body.flatMap((statement): readonly Update[] => {
    if (statement.kind === 'if') {
      const { branches, otherwise } = statement
      return [...branches.flatMap((branch) => updatesIn(branch.body)), ...updatesIn(otherwise)]
    }
    if (statement.kind !== 'updateAccum' || statement.target.kind === 'local') return []
    const { target, assign } = statement
    const { kind: type, slot } = target
    if (target.kind === 'globalAccum') return [{ type, slot, assign, owner: null }]
    // Another vertex than that of an alias is nobody's own.
    return [
      { type, slot, assign, owner: target.of.kind === 'vertexAlias' ? target.of.position : -1 },
    ]
  })
}

/**
 * One hop, wanted from its other end. Attributes of its edges lie in the order of the sources: read
 * from the targets they cost more than a second thread brings (measured, shortest paths: 1.5 times
 * the time of one thread that pushes). What depends on the order of its rows (real numbers) needs
 * one way only between two types: several would be met in another order.
 */
function isGathered(plan: SelectPlan, query: BoundQuery, updates: readonly Update[]): boolean {
  const [walk] = plan.walks
  if (walk === undefined || plan.walks.length > 1 || walk.joins || isChained(walk)) return false
  if (walk.repeat !== null) return false
  if (plan.select.hops[walk.hop]!.names !== null) return false
  if (plan.filters[0]!.length > 0 || plan.marked.includes(plan.start)) return false
  if (usesEdge(plan.select, walk.hop)) return false
  if (!updates.every(({ owner }) => owner === null || owner === walk.to)) return false
  const ordered = (list: readonly BoundAccum[], { slot }: Update) => isOrdered(list[slot]!.type)
  const globals = updates.filter(({ type }) => type === 'globalAccum')
  // Keys stand in the order of the rows.
  if (globals.some(({ slot }) => !isNumber(query.globalAccums[slot]!.type))) return false
  if (globals.some((update) => ordered(query.globalAccums, update))) return false
  const columns = updates.filter(({ type }) => type === 'vertexAccum')
  return !columns.some((update) => ordered(query.vertexAccums, update)) || isOneWay(walk.steps)
}

function isOneWay(steps: readonly BoundStep[]): boolean {
  const pairs = steps.map(({ fromTypeId, toTypeId }) => `${fromTypeId} ${toTypeId}`)
  return (
    new Set(pairs).size === steps.length && steps.every(({ direction }) => direction !== 'both')
  )
}

/** Whether folding the same values in another order could give other bits. */
export function isOrdered(type: AccumType): boolean {
  switch (type.kind) {
    case 'SumAccum':
    case 'MinAccum':
    case 'MaxAccum':
      return type.value.kind === 'DOUBLE' || type.value.kind === 'FLOAT'
    default:
      return type.kind === 'AvgAccum'
  }
}

interface Clause {
  readonly locals: BoundPostAccumClause['locals']
  readonly body: readonly BoundDmlStatement[]
  readonly effects: BoundPostAccumClause['effects']
}

function isPlainClause(
  { locals, body, effects }: Clause,
  query: BoundQuery,
  collected: ReadonlySet<BoundDmlStatement> = new Set(),
): boolean {
  if (effects.variablesWritten.length > 0) return false
  const isPlainLocal = ({ type, accum }: Clause['locals'][number]): boolean =>
    isScalar(type) && (accum === undefined || isNumber(accum))
  return (
    locals.every(isPlainLocal) &&
    body.every((statement) => collected.has(statement) || isPlain(statement, query))
  )
}

function isPlain(statement: BoundDmlStatement, query: BoundQuery): boolean {
  switch (statement.kind) {
    case 'updateAccum': {
      const { target, value } = statement
      if (isPartialFold(statement, query)) {
        return valuesOf(value).every((one) => isPure(one, query))
      }
      if (value.kind !== 'scalar' || !isPure(value.value, query)) return false
      if (target.kind === 'local') return true
      const list = target.kind === 'globalAccum' ? query.globalAccums : query.vertexAccums
      return isNumber(list[target.slot]!.type)
    }
    case 'setLocal':
      return isPure(statement.value, query)
    case 'if':
      return (
        statement.branches.every(
          ({ condition, body }) =>
            isPure(condition, query) && body.every((inner) => isPlain(inner, query)),
        ) && statement.otherwise.every((inner) => isPlain(inner, query))
      )
    default:
      return false
  }
}

const numbers = new Set(['INT', 'UINT', 'FLOAT', 'DOUBLE', 'BOOL', 'DATETIME', 'VERTEX', 'EDGE'])

/** Kept in one or two numbers that mean the same in every thread; codes of strings do not. */
function isNumber(type: AccumType): boolean {
  switch (type.kind) {
    case 'SumAccum':
      return numbers.has(type.value.kind)
    case 'MinAccum':
    case 'MaxAccum':
      return numbers.has(type.value.kind) && type.isOfRows !== true
    case 'AvgAccum':
    case 'OrAccum':
    case 'AndAccum':
      return true
    case 'BitwiseOrAccum':
    case 'BitwiseAndAccum':
      return !isWideBits(type)
    default:
      return false
  }
}

/** Strings as well: each thread has a table of its own, and they are compared within a row. */
function isScalar({ kind }: ValueType): boolean {
  return numbers.has(kind) || kind === 'STRING'
}

const pureKinds: ReadonlySet<BoundExpression['kind']> = new Set<BoundExpression['kind']>([
  ...(['literal', 'default', 'local', 'vertexAlias', 'edgeAlias', 'attribute'] as const),
  ...(['typeName', 'convert', 'negate', 'not', 'arithmetic', 'compare', 'and', 'or'] as const),
  ...(['guard', 'isNull', 'between', 'like', 'case', 'outdegree', 'edgeDirected'] as const),
  'failure',
])

/** Its value depends on the row, the graph, and numbers known before the clause began. */
function isPure(node: BoundExpression, query: BoundQuery): boolean {
  return (
    isScalar(node.type) &&
    isPureNode(node, query) &&
    valuesUsed(node).every((child) => isPure(child, query))
  )
}

/** What it reads besides collections that are the same for every row. */
function valuesUsed(node: BoundExpression): readonly BoundExpression[] {
  if (node.kind === 'aggregate') return []
  return node.kind === 'in' ? [node.value] : childrenOf(node)
}

function isPureNode(node: BoundExpression, query: BoundQuery): boolean {
  switch (node.kind) {
    case 'parameter': {
      const { defaultValue } = query.parameters[node.slot]!
      return defaultValue === null || isPure(defaultValue, query)
    }
    case 'variable':
      return numbers.has(node.type.kind)
    case 'globalAccum':
      return isNumber(query.globalAccums[node.slot]!.type)
    case 'vertexAccum':
      return isNumber(query.vertexAccums[node.slot]!.type)
    case 'inVertexSet':
    case 'vertexSetSize':
      return node.set.kind === 'variable'
    case 'in':
      return node.container.kind === 'parameter'
    case 'aggregate':
      return sharedSets(node, query) !== null
    case 'call':
      return !randomFunctions.has(node.name)
    default:
      return pureKinds.has(node.kind)
  }
}

/** Accumulators that the clause writes, read of a vertex that may be another thread's. */
function readsOthers(node: unknown, written: ReadonlySet<number>): boolean {
  if (Array.isArray(node)) return node.some((child) => readsOthers(child, written))
  if (typeof node !== 'object' || node === null) return false
  const { kind, slot, of } = node as { readonly [name in 'kind' | 'slot' | 'of']?: unknown }
  if (kind === 'vertexAccum' && written.has(slot as number)) {
    if ((of as { readonly kind: string }).kind !== 'vertexAlias') return true
  }
  return Object.values(node).some((child) => readsOthers(child, written))
}
