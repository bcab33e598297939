/**
 * Filters through secondary indexes: of the conditions that an index covers, the one that leaves
 * the fewest rows. The index proposes rows, the whole filter still decides on each.
 */
import type { AttributeValue } from '#catalog/types.ts'
import type { Condition } from './filter.ts'
import type { IndexUsage } from './index-usage.ts'
import type { IndexLookup } from './vertex-find.ts'

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

export function indexLookup(engine: IndexEngine, usage: IndexUsage): IndexLookup {
  return ({ typeId }, conditions) => {
    let best: Uint32Array | null = null
    let bestAttributeId = 0
    for (const condition of conditions) {
      const rows = rowsOf(engine, typeId, condition)
      if (rows === null || (best !== null && rows.length >= best.length)) continue
      best = rows
      bestAttributeId = condition.attribute.attributeId
    }
    usage.read(best === null ? [] : [{ typeId, attributeId: bestAttributeId }])
    return best
  }
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
