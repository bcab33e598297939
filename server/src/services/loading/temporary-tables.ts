/** Temporary tables of a loading job: their columns, and which is filled before which (docs/reference/gsql/loading.md). */
import { DbError } from '#kernel/errors.ts'
import type { LoadSyntax, LoadTarget, ValueSyntax } from '#query/syntax/script/ast-script.ts'
import { suggest } from '#query/syntax/suggest.ts'
import { isFlatten } from './flatten.ts'
import { columnsIn, valuesOf } from './load-values.ts'

type TableTarget = Extract<LoadTarget, { kind: 'table' }>

/** @throws DbError SCHEMA_RULE where values, columns and names do not go together */
export function checkTables(loads: readonly LoadSyntax[]): void {
  const tables = new Map<string, readonly string[]>()
  for (const { name, columns, values } of loads.flatMap(tablesOf)) {
    const width = values.map(widthOf).reduce((sum, one) => sum + one, 0)
    if (width !== columns.length) {
      throw rule(`the temporary table ${name} has ${columns.length} columns, its VALUES ${width}.`)
    }
    const known = tables.get(name) ?? columns
    if (known.join() !== columns.join()) {
      throw rule(`the temporary table ${name} is filled with different columns.`)
    }
    tables.set(name, columns)
  }
  for (const { source, targets } of loads) {
    const columns = source.kind === 'table' ? tables.get(source.name) : undefined
    if (columns === undefined || source.kind !== 'table') continue
    const used = targets.flatMap(valuesOf).flatMap(columnsIn)
    const wrong = used.find((name) => !columns.includes(name))
    if (wrong === undefined) continue
    const hint = suggest(wrong, columns)
    throw rule(`the temporary table ${source.name} has no column ${wrong}${hint}`)
  }
}

function tablesOf({ targets }: LoadSyntax): TableTarget[] {
  return targets.filter((target) => target.kind === 'table')
}

/** How many columns a value fills; a number of fields that is not written out is taken as one. */
function widthOf(value: ValueSyntax): number {
  if (!isFlatten(value)) return 1
  const { name, arguments: given } = value
  if (name.toLowerCase() === 'flatten_json_array') return Math.max(1, given.length - 1)
  const [, , , fields] = given
  return fields?.kind === 'constant' ? Math.max(1, Number(fields.text) || 1) : 1
}

/**
 * The statements that read files as they stand; behind them those that read tables, each when all that
 * fill its table are done.
 * @throws DbError SCHEMA_RULE for tables that fill each other
 */
export function inFillingOrder(loads: readonly LoadSyntax[]): readonly LoadSyntax[] {
  const ordered = loads.filter(({ source }) => source.kind !== 'table')
  let waiting = loads.filter(({ source }) => source.kind === 'table')
  while (waiting.length > 0) {
    const filled = new Set(waiting.flatMap(tablesOf).map(({ name }) => name))
    const ready = waiting.filter(
      ({ source }) => source.kind === 'table' && !filled.has(source.name),
    )
    if (ready.length === 0) {
      throw rule(`the temporary tables ${[...filled].join(', ')} fill each other.`)
    }
    ordered.push(...ready)
    waiting = waiting.filter((load) => !ready.includes(load))
  }
  return ordered
}

function rule(text: string): DbError {
  return new DbError('SCHEMA_RULE', `Semantic Check Fails: ${text}`)
}
