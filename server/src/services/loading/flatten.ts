/** Rows of a temporary table: one per element of a flattened column (docs/reference/gsql/loading.md). */
import type { ValueSyntax } from '#query/syntax/script/ast-script.ts'
import type { Evaluator } from './evaluate.ts'
import { JsonRow, type Row, tokenOf, walk } from './row.ts'

type Call = Extract<ValueSyntax, { kind: 'call' }>

/** @returns the rows that one line makes, in the order of the values */
export function tableRows(
  values: readonly ValueSyntax[],
  row: Row,
  evaluator: Evaluator,
): string[][] {
  let rows: string[][] = [[]]
  for (const value of values) {
    if (isFlatten(value)) {
      const groups = groupsOf(value, row, evaluator)
      rows = rows.flatMap((before) => groups.map((group) => [...before, ...group]))
    } else {
      const text = evaluator.text(value, row)
      rows = rows.map((before) => [...before, text])
    }
  }
  return rows
}

export function isFlatten(value: ValueSyntax): value is Call {
  return value.kind === 'call' && /^flatten(_json_array)?$/i.test(value.name)
}

function groupsOf(call: Call, row: Row, evaluator: Evaluator): string[][] {
  if (call.name.toLowerCase() === 'flatten_json_array') return arrayGroups(call, row)
  const [column, ...rest] = call.arguments.map((one) => evaluator.text(one, row))
  if (column === undefined || column === '') return []
  if (rest.length < 3) return column.split(rest[0] || ',').map((element) => [element])
  const [groupSeparator = '|', fieldSeparator = ',', count = '1'] = rest
  const width = Math.max(1, Math.min(1_000, Number(count) || 1))
  return column.split(groupSeparator).map((group) => {
    const fields = group.split(fieldSeparator)
    return Array.from({ length: width }, (_, index) => fields[index] ?? '')
  })
}

/** `flatten_json_array($"arr")` for plain values, with sub-fields for objects. */
function arrayGroups(call: Call, row: Row): string[][] {
  const [array, ...fields] = call.arguments
  if (array?.kind !== 'column' || !(row instanceof JsonRow)) return []
  const items = row.json(array.path)
  if (!Array.isArray(items)) return []
  const paths = fields.map((field) => (field.kind === 'column' ? field.path : []))
  return items.map((item) => {
    const parts = paths.length === 0 ? [item] : paths.map((path) => walk(item, path))
    return parts.map((part) => {
      const token = tokenOf(part)
      return typeof token === 'string' ? token : token === null ? '' : JSON.stringify(part)
    })
  })
}
