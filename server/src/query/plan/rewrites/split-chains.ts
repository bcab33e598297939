/**
 * Chains without ACCUM: `SELECT t FROM S:s -(A>)- :m -(B>)- :t` wants the vertices at the end, not
 * the ways to them, and there may be very many ways. Such a SELECT becomes one for each hop, each
 * starting from the set that the one before has found: no vertex is looked at twice.
 *
 * Allowed where every condition speaks of one hop and its two ends, and only the last position is
 * wanted.
 */
import type { BoundQuery, BoundStatement } from '#query/ir/bound.ts'
import type { BoundExpression } from '#query/ir/bound-expression.ts'
import type { BoundHop, BoundPosition, BoundSelect } from '#query/ir/bound-select.ts'
import { referencesOf } from '../select/references.ts'
import { planSelect, type SelectPlan, type Walk } from '../select/select-plan.ts'

export function splitChains(query: BoundQuery): BoundQuery {
  const vertexSets = [...query.vertexSets]
  const addSet = (position: BoundPosition): number =>
    vertexSets.push({ name: `#${vertexSets.length}`, typeIds: position.typeIds }) - 1
  const body = splitAll(query.body, addSet)
  return { ...query, body, vertexSets }
}

type AddSet = (position: BoundPosition) => number

function splitAll(body: readonly BoundStatement[], addSet: AddSet): readonly BoundStatement[] {
  return body.flatMap((statement): readonly BoundStatement[] => {
    switch (statement.kind) {
      case 'select':
        return splitSelect(statement, addSet)
      case 'while':
      case 'foreach':
        return [{ ...statement, body: splitAll(statement.body, addSet) }]
      case 'if': {
        const branches = statement.branches.map((branch) => ({
          ...branch,
          body: splitAll(branch.body, addSet),
        }))
        return [{ ...statement, branches, otherwise: splitAll(statement.otherwise, addSet) }]
      }
      default:
        return [statement]
    }
  })
}

function splitSelect(select: BoundSelect, addSet: AddSet): readonly BoundSelect[] {
  if (select.accum !== null || select.hops.length < 2 || select.resultSlot === null) return [select]
  const plan = planSelect(select)
  if (!isChain(plan)) return [select]
  let before: number | null = null
  return plan.walks.map((walk, index) => {
    const last = index === plan.walks.length - 1
    const slot = last ? select.resultSlot! : addSet(select.positions[walk.to]!)
    const stage = stageOf(plan, { walk, index, before, slot })
    before = slot
    return last ? withResult(stage, select, walk) : stage
  })
}

function isChain(plan: SelectPlan): boolean {
  const { walks, marked, start } = plan
  if (marked.length !== 1 || marked[0] !== walks.at(-1)!.to) return false
  return walks.every((walk, index) => {
    const from = index === 0 ? start : walks[index - 1]!.to
    return walk.from === from && !walk.joins && plan.filters[index + 1]!.every(isOf(walk))
  })
}

/** A condition on one hop and its ends. */
function isOf(walk: Walk): (filter: BoundExpression) => boolean {
  return (filter) => {
    const { positions, hops, fixed } = referencesOf(filter)
    const near = [...positions].every((position) => position === walk.from || position === walk.to)
    return near && !fixed && [...hops].every((hop) => hop === walk.hop)
  }
}

interface Stage {
  readonly walk: Walk
  readonly index: number
  /** The set that the stage before has made; null: the first one. */
  readonly before: number | null
  readonly slot: number
}

function stageOf(plan: SelectPlan, { walk, index, before, slot }: Stage): BoundSelect {
  const { select, filters } = plan
  const source = select.positions[walk.from]!
  const from: BoundPosition =
    before === null ? source : { ...source, within: { kind: 'variable', slot: before } }
  const hop: BoundHop = { ...select.hops[walk.hop]!, from: 0, to: 1, steps: walk.steps }
  // The plan of the stage has the failures of its own hop.
  const failures = new Set<BoundExpression | null>(plan.walks.map(({ failure }) => failure))
  const conditions = [...(index === 0 ? filters[0]! : []), ...filters[index + 1]!].filter(
    (condition) => !failures.has(condition),
  )
  return {
    ...select,
    resultSlot: slot,
    resultPosition: 1,
    positions: [from, select.positions[walk.to]!],
    hops: [hop],
    where: renumber(conjunction(conditions), walk),
    postAccum: [],
    previousVertexAccums: [],
    having: null,
    orderBy: [],
    limit: null,
    offset: null,
  }
}

function withResult(stage: BoundSelect, select: BoundSelect, walk: Walk): BoundSelect {
  return {
    ...stage,
    postAccum: renumber(select.postAccum, walk),
    previousVertexAccums: select.previousVertexAccums,
    having: renumber(select.having, walk),
    orderBy: renumber(select.orderBy, walk),
    limit: select.limit,
    offset: select.offset,
  }
}

function conjunction(conditions: readonly BoundExpression[]): BoundExpression | null {
  const [first, ...rest] = conditions
  if (first === undefined) return null
  return rest.reduce<BoundExpression>(
    (left, right) => ({ kind: 'and', type: { kind: 'BOOL' }, left, right }),
    first,
  )
}

/** The ends of the walk as positions 0 and 1, its edge as hop 0, wherever they are spoken of. */
function renumber<T>(node: T, walk: Walk): T {
  if (Array.isArray(node)) return node.map((child: unknown) => renumber(child, walk)) as T
  if (typeof node !== 'object' || node === null) return node
  const entries = Object.entries(node).map(([name, value]: [string, unknown]) => {
    if (name === 'position') return [name, value === walk.to ? 1 : 0]
    if (name === 'hop') return [name, 0]
    return [name, renumber(value, walk)]
  })
  return Object.fromEntries(entries) as T
}
