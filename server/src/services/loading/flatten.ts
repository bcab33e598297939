/** Rows of a temporary table: one per element of a flattened column (docs/reference/gsql/loading.md). */
import type { ValueSyntax } from '#query/syntax/script/ast-script.ts'
import type { Evaluator } from './evaluate.ts'
import { piecesOf } from './line-limits.ts'
import type { TableTarget } from './load-plan.ts'
import { JsonRow, type Row, tokenOf, walk } from './row.ts'

type Call = Extract<ValueSyntax, { kind: 'call' }>

/**
 * One after the other: whoever takes them counts what they hold, so that a line which makes more than
 * may be held is ended in time.
 * @returns the rows that one line makes, as many cells each as the table has columns
 */
export function* tableRows(
  { values, columns }: Pick<TableTarget, 'values' | 'columns'>,
  row: Row,
  evaluator: Evaluator,
): Generator<string[]> {
  const at = values.findIndex(isFlatten)
  const texts = values.map((value, index) => (index === at ? '' : evaluator.text(value, row)))
  const flattened = values[at]
  if (flattened === undefined) {
    yield texts
    return
  }
  const before = texts.slice(0, at)
  const behind = texts.slice(at + 1)
  const widthMax = columns.length - before.length - behind.length
  for (const group of groupsOf(flattened as Call, row, { evaluator, widthMax })) {
    yield [...before, ...group, ...behind]
  }
}

export function isFlatten(value: ValueSyntax): value is Call {
  return value.kind === 'call' && /^flatten(_json_array)?$/i.test(value.name)
}

interface Flattening {
  readonly evaluator: Evaluator
  /** Columns of the table that there are for the fields of a group. */
  readonly widthMax: number
}

function* groupsOf(call: Call, row: Row, { evaluator, widthMax }: Flattening): Generator<string[]> {
  if (call.name.toLowerCase() === 'flatten_json_array') {
    yield* arrayGroups(call, row)
    return
  }
  const [column, ...rest] = call.arguments.map((one) => evaluator.text(one, row))
  if (column === undefined || column === '') return
  if (rest.length < 3) {
    for (const element of piecesOf(column, rest[0] || ',')) yield [element]
    return
  }
  const [groupSeparator = '|', fieldSeparator = ',', count = '1'] = rest
  const width = Math.max(1, Math.min(widthMax, Number(count) || 1))
  for (const group of piecesOf(column, groupSeparator)) yield fieldsOf(group, fieldSeparator, width)
}

/** The first fields of a group; those that it lacks are empty. */
function fieldsOf(group: string, separator: string, width: number): string[] {
  const fields: string[] = []
  for (const field of piecesOf(group, separator)) {
    if (fields.length === width) break
    fields.push(field)
  }
  while (fields.length < width) fields.push('')
  return fields
}

/** `flatten_json_array($"arr")` for plain values, with sub-fields for objects. */
function* arrayGroups(call: Call, row: Row): Generator<string[]> {
  const [array, ...fields] = call.arguments
  if (array?.kind !== 'column' || !(row instanceof JsonRow)) return
  const items = row.json(array.path)
  if (!Array.isArray(items)) return
  const paths = fields.map((field) => (field.kind === 'column' ? field.path : []))
  for (const item of items) {
    const parts = paths.length === 0 ? [item] : paths.map((path) => walk(item, path))
    yield parts.map((part) => {
      const token = tokenOf(part)
      return typeof token === 'string' ? token : token === null ? '' : JSON.stringify(part)
    })
  }
}
