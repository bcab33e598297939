/**
 * Filters through secondary indexes: of the conditions that an index covers, the one that leaves
 * the fewest rows. The index proposes rows, the whole filter still decides on each.
 */
import type { AttributeValue } from '#catalog/types.ts'
import type { Condition } from '../read/filter.ts'
import type { IndexLookup } from '../vertices/vertex-find.ts'
import type { IndexUsage } from './index-usage.ts'

/** What look-ups need of the engine; null: no index there, or not now. */
export interface IndexEngine {
  lookupEqual(
    typeId: number,
    attributeId: number,
    values: readonly AttributeValue[],
    countMax?: number,
  ): Uint32Array | null
  lookupRange(
    typeId: number,
    attributeId: number,
    range: { readonly low?: number | bigint; readonly high?: number | bigint },
    countMax?: number,
  ): Uint32Array | null
}

export interface IndexChoice {
  /** Of the attribute that the index covers. */
  readonly attributeId: number
  /** Ascending. */
  readonly rows: Uint32Array
}

export function indexLookup(engine: IndexEngine, usage: IndexUsage): IndexLookup {
  return ({ typeId }, conditions) => {
    const choice = chooseIndex(engine, typeId, conditions)
    countRead(usage, { typeId, conditions, choice })
    return choice?.rows ?? null
  }
}

/** Null: no index covers any of the conditions. */
export function chooseIndex(
  engine: IndexEngine,
  typeId: number,
  conditions: readonly Condition[],
): IndexChoice | null {
  let best: IndexChoice | null = null
  for (const condition of conditions) {
    const rows = rowsOf(engine, typeId, condition)
    if (rows === null || (best !== null && rows.length >= best.rows.length)) continue
    best = { attributeId: condition.attribute.attributeId, rows }
  }
  return best
}

interface FilteredRead {
  readonly typeId: number
  readonly conditions: readonly Condition[]
  readonly choice: IndexChoice | null
}

/** Keeps what a read with a filter went by, or which attributes it had to look at row by row. */
export function countRead(usage: IndexUsage, { typeId, conditions, choice }: FilteredRead): void {
  if (choice === null) usage.scan(conditions.filter(isServable).map((one) => placeOf(typeId, one)))
  else usage.read([{ typeId, attributeId: choice.attributeId }])
}

const placeOf = (typeId: number, { attribute }: Condition) => ({
  typeId,
  attributeId: attribute.attributeId,
})

/** Whether an index on its attribute would answer the condition. */
export function isServable({ attribute, operator, value }: Condition): boolean {
  if (attribute.column === null || operator === '!=') return false
  return operator === '=' || (typeof value !== 'string' && typeof value !== 'boolean')
}

function rowsOf(
  engine: IndexEngine,
  typeId: number,
  { attribute, operator, value }: Condition,
): Uint32Array | null {
  const { attributeId } = attribute
  if (attribute.column === null) return null
  if (operator === '=') return engine.lookupEqual(typeId, attributeId, [value])
  if (typeof value === 'string' || typeof value === 'boolean') return null
  switch (operator) {
    case '>':
    case '>=':
      return engine.lookupRange(typeId, attributeId, { low: value })
    case '<':
    case '<=':
      return engine.lookupRange(typeId, attributeId, { high: value })
    default:
      return null
  }
}
