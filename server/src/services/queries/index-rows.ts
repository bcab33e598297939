/**
 * The rows that secondary indexes propose to a query, looked up on the engine's thread at the moment
 * at which the run's version of the graph is pinned.
 */
import type { AttributeValue, Catalog } from '#catalog/types.ts'
import type { BoundExpression } from '#query/ir/bound-expression.ts'
import type {
  IndexCondition,
  IndexOperand,
  IndexRows,
} from '#query/plan/select/index-conditions.ts'
import type { Argument } from '#query/runtime/arguments.ts'
import type { IndexEngine } from '../indexes/index-lookup.ts'
import type { IndexPlace, IndexUsage } from '../indexes/index-usage.ts'
import type { CompiledQuery } from './compile-text.ts'

/** More rows than these, or this share of a table, are found as fast by a scan in the worker. */
const ROW_COUNT_MAX = 65_536
const ROW_SHARE = 4
const SMALL_TABLE_ROWS = 1_024
/** An IN of more values is tested row by row. */
const VALUE_COUNT_MAX = 128

export interface QueryIndexEngine extends IndexEngine {
  readonly catalog: Catalog
  readonly tables: { vertexTable(typeId: number): { readonly rowCount: number } | undefined }
}

type IndexedQuery = Pick<CompiledQuery, 'indexConditions' | 'parameters'>
type Arguments = readonly (Argument | undefined)[]
type Plain = number | bigint | string | boolean

export class QueryIndexes {
  readonly #engine: QueryIndexEngine
  readonly #usage: IndexUsage

  constructor(engine: QueryIndexEngine, usage: IndexUsage) {
    this.#engine = engine
    this.#usage = usage
  }

  /** One list per condition that an index answers with few rows. */
  rowsFor(query: IndexedQuery, values: Arguments): readonly IndexRows[] {
    const { indexConditions: conditions } = query
    if (conditions.length === 0) return []
    const used: IndexPlace[] = []
    const found = conditions.flatMap((condition): IndexRows[] => {
      const rows = this.#isIndexed(condition) ? this.#lookUp(condition, query, values) : null
      if (rows === null) return []
      used.push(condition)
      return [{ key: condition.key, rows }]
    })
    if (used.length > 0) this.#usage.read(used)
    else this.#usage.scan(conditions)
    return found
  }

  #isIndexed({ typeId, attributeId, valueKind }: IndexCondition): boolean {
    const type = this.#engine.catalog.vertexTypes.find((one) => one.id === typeId)
    const attribute = type?.attributes.find((one) => one.id === attributeId)
    const isCovered = type?.indexes.some((index) => index.attributeId === attributeId)
    return isCovered === true && attribute?.type.kind === valueKind
  }

  #lookUp(condition: IndexCondition, query: IndexedQuery, values: Arguments): Uint32Array | null {
    const { typeId, attributeId, test } = condition
    const value = (operand: IndexOperand) => operandValue(operand, query, values)
    const rowCount = this.#engine.tables.vertexTable(typeId)?.rowCount ?? 0
    const countMax = Math.min(ROW_COUNT_MAX, Math.max(SMALL_TABLE_ROWS, rowCount / ROW_SHARE))
    if (test.kind === 'range') {
      const low = test.low === null ? undefined : value(test.low)
      const high = test.high === null ? undefined : value(test.high)
      if (low === null || high === null) return null
      return this.#engine.lookupRange(typeId, attributeId, bounds(low, high), countMax)
    }
    const wanted = test.kind === 'any' ? test.of.map(value) : elementsOf(values[test.slot])
    if (wanted === null || wanted.length > VALUE_COUNT_MAX) return null
    if (wanted.includes(null)) return null
    return this.#engine.lookupEqual(typeId, attributeId, wanted as AttributeValue[], countMax)
  }
}

function bounds(low: Plain | undefined, high: Plain | undefined) {
  return {
    ...(low !== undefined && { low: low as number | bigint }),
    ...(high !== undefined && { high: high as number | bigint }),
  }
}

/** Null: not known here, as of a default that is computed. */
function operandValue(operand: IndexOperand, query: IndexedQuery, values: Arguments): Plain | null {
  if (operand.kind === 'literal') return operand.value
  const given = values[operand.slot]
  if (given !== undefined) return plainOf(given)
  return literalOf(query.parameters[operand.slot]?.defaultValue ?? null)
}

function literalOf(node: BoundExpression | null): Plain | null {
  return node?.kind === 'literal' ? node.value : null
}

function elementsOf(argument: Argument | undefined): readonly (Plain | null)[] | null {
  return Array.isArray(argument) ? argument.map(plainOf) : null
}

function plainOf(argument: Argument): Plain | null {
  return typeof argument === 'object' ? null : argument
}
