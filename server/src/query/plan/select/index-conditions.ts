/**
 * Conditions of a WHERE that a secondary index may answer before the run: an equality, an IN or a
 * range on an attribute of the start position, against literals and parameters. An index only
 * proposes the rows to begin with; the WHERE is still tested on each of them.
 *
 * The thread that owns the indexes looks them up when the run begins, and the rows travel with it
 * under the condition's key, which both sides find in the same bound tree.
 */
import type { BoundQuery } from '#query/ir/bound.ts'
import type { BoundExpression } from '#query/ir/bound-expression.ts'
import type { BoundSelect } from '#query/ir/bound-select.ts'
import { referencesOf } from './references.ts'
import { planSelect, type SelectPlan } from './select-plan.ts'

export type IndexOperand =
  | { readonly kind: 'literal'; readonly value: number | bigint | string | boolean }
  | { readonly kind: 'parameter'; readonly slot: number }

export interface IndexCondition {
  /** Equal for equal conditions of a query. */
  readonly key: string
  readonly typeId: number
  readonly attributeId: number
  /** Of the attribute and of the operands: nothing was converted. */
  readonly valueKind: string
  readonly test: IndexTest
}

export type IndexTest =
  | { readonly kind: 'any'; readonly of: readonly IndexOperand[] }
  /** The elements of a LIST, SET or BAG parameter. */
  | { readonly kind: 'element'; readonly slot: number }
  /** Bounds that the rows lie within or upon; null: open. */
  | {
      readonly kind: 'range'
      readonly low: IndexOperand | null
      readonly high: IndexOperand | null
    }

/** Rows that a secondary index proposes for a condition, by its key; ascending. */
export interface IndexRows {
  readonly key: string
  readonly rows: Uint32Array
}

/** FLOAT is left out: its values are not those of the literals they are compared with. */
const kinds: ReadonlySet<string> = new Set(['INT', 'UINT', 'DOUBLE', 'DATETIME', 'BOOL', 'STRING'])

/** Of every SELECT of the body, each once. */
export function indexConditionsOf(query: BoundQuery): readonly IndexCondition[] {
  const found = new Map<string, IndexCondition>()
  for (const select of selectsIn(query.body)) {
    const plan = planSelect(select)
    for (const typeId of select.positions[plan.start]!.typeIds) {
      for (const condition of startConditions(plan, typeId)) found.set(condition.key, condition)
    }
  }
  return [...found.values()]
}

/**
 * Of one SELECT, for its start vertices of one type. Rows that they leave out are not tested at
 * all, so what may fail or has an effect must not stand in front of them.
 */
export function startConditions(plan: SelectPlan, typeId: number): readonly IndexCondition[] {
  const conditions: IndexCondition[] = []
  for (const conjunct of plan.filters[0]!) {
    const condition = conditionOf(conjunct, plan.start, typeId)
    if (condition !== null) {
      conditions.push(condition)
      continue
    }
    const { throws, fixed } = referencesOf(conjunct)
    if (throws || fixed) break
  }
  return conditions
}

function conditionOf(node: BoundExpression, start: number, typeId: number): IndexCondition | null {
  if (node.kind === 'guard') {
    const { positions, hops } = node.applies
    const applies = hops.length === 0 && positions.every((one) => one.typeIds.includes(typeId))
    return applies ? conditionOf(node.value, start, typeId) : null
  }
  const tested = testOf(node)
  if (tested === null || tested.attribute.kind !== 'attribute') return null
  const { of, type, byType } = tested.attribute
  if (of.kind !== 'vertexAlias' || of.position !== start || !kinds.has(type.kind)) return null
  if (tested.test.kind === 'range' && type.kind === 'STRING') return null
  const attributeId = byType.find((one) => one.typeId === typeId)?.attributeId ?? -1
  if (attributeId < 0) return null
  const key = `${typeId}.${attributeId} ${JSON.stringify(tested.test, withBigints)}`
  return { key, typeId, attributeId, valueKind: type.kind, test: tested.test }
}

interface Tested {
  readonly attribute: BoundExpression
  readonly test: IndexTest
}

function testOf(node: BoundExpression): Tested | null {
  switch (node.kind) {
    case 'compare':
      return comparison(node)
    case 'between': {
      const [low, high] = [operandOf(node.low), operandOf(node.high)]
      if (low === null || high === null) return null
      return { attribute: node.value, test: { kind: 'range', low, high } }
    }
    case 'in':
      return membership(node)
    default:
      return null
  }
}

const turned = { '==': '==', '!=': '!=', '<': '>', '<=': '>=', '>': '<', '>=': '<=' } as const

function comparison(node: Extract<BoundExpression, { kind: 'compare' }>): Tested | null {
  const isTurned = node.left.kind !== 'attribute'
  const attribute = isTurned ? node.right : node.left
  const operand = operandOf(isTurned ? node.left : node.right)
  if (operand === null) return null
  switch (isTurned ? turned[node.operator] : node.operator) {
    case '==':
      return { attribute, test: { kind: 'any', of: [operand] } }
    case '<':
    case '<=':
      return { attribute, test: { kind: 'range', low: null, high: operand } }
    case '>':
    case '>=':
      return { attribute, test: { kind: 'range', low: operand, high: null } }
    default:
      return null
  }
}

function membership({ value, container }: Extract<BoundExpression, { kind: 'in' }>): Tested | null {
  if (container.kind === 'parameter' && container.type.kind !== 'MAP') {
    return { attribute: value, test: { kind: 'element', slot: container.slot } }
  }
  if (container.kind !== 'collection') return null
  const operands = container.elements.map(operandOf)
  const of = operands.filter((operand) => operand !== null)
  return of.length < operands.length ? null : { attribute: value, test: { kind: 'any', of } }
}

/** What is known when the run begins. */
function operandOf(node: BoundExpression): IndexOperand | null {
  if (node.kind === 'literal') return { kind: 'literal', value: node.value }
  return node.kind === 'parameter' ? { kind: 'parameter', slot: node.slot } : null
}

/** Every SELECT of a body, nested ones too. */
export function selectsIn(node: unknown): readonly BoundSelect[] {
  if (Array.isArray(node)) return node.flatMap(selectsIn)
  if (typeof node !== 'object' || node === null) return []
  if ((node as { readonly kind?: unknown }).kind === 'select') return [node as BoundSelect]
  return Object.values(node).flatMap(selectsIn)
}

function withBigints(_name: string, value: unknown): unknown {
  return typeof value === 'bigint' ? `${value}n` : value
}
