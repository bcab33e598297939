/** Lines of files and of the server's log: FILE objects, PRINT … TO_CSV, LOG. */
import type { BoundFilePrint, BoundPrint, BoundPrintItem } from '#query/ir/bound.ts'
import type { BoundExpression } from '#query/ir/bound-expression.ts'
import { STRING } from '#query/ir/types.ts'
import { appliesTo } from '../expressions/expression.ts'
import type { Scope } from '../text/scope.ts'
import type { Unit } from '../text/unit.ts'

export function emitPrintln(unit: Unit, statement: BoundFilePrint, scope: Scope): void {
  const path = unit.expression(statement.path, scope)
  unit.line(`if(${path}!==0){${lineCall(unit, path, { values: statement.values, scope })};}`)
}

/** `LOG(condition, …)`: a line of what the run says to the server's log. */
export function emitLog(
  unit: Unit,
  statement: { readonly condition: BoundExpression; readonly values: readonly BoundExpression[] },
  scope: Scope,
): void {
  const types = statement.values.map(({ type }) => type)
  const format = unit.bind(`line ${JSON.stringify(types)}`, () => types)
  unit.line(`if(${unit.expression(statement.condition, scope)}){`)
  const codes = statement.values.map((value) => unit.expression(value, scope))
  unit.line(`${unit.call('logLine', format, `[${codes.join(',')}]`)};}`)
}

export function lineCall(
  unit: Unit,
  path: string,
  { values, scope }: { readonly values: readonly BoundExpression[]; readonly scope: Scope },
): string {
  const types = values.map(({ type }) => type)
  const format = unit.bind(`line ${JSON.stringify(types)}`, () => types)
  const codes = values.map((value) => unit.expression(value, scope))
  return unit.call('fileLine', path, format, `[${codes.join(',')}]`)
}

type VertexItem = Exclude<BoundPrintItem, { kind: 'value' }>
type ValueItem = Extract<BoundPrintItem, { kind: 'value' }>

/** Items beside each other that share their lines. */
type CsvLines =
  | { readonly kind: 'values'; readonly items: readonly ValueItem[] }
  /** Of one set, with one condition. */
  | { readonly kind: 'vertices'; readonly items: readonly [VertexItem, ...VertexItem[]] }

/**
 * Values beside each other make one line; items of one vertex set beside each other are the columns
 * of a line per vertex, written by `emitVertices`.
 */
export function emitCsv(
  unit: Unit,
  print: BoundPrint,
  {
    scope,
    emitVertices,
  }: {
    readonly scope: Scope
    readonly emitVertices: (item: VertexItem, line: (scope: Scope) => void) => void
  },
): void {
  const path = unit.name('w')
  unit.line(`{const ${path}=${unit.expression(print.toCsv!, scope)};if(${path}!==0){`)
  for (const lines of linesOf(print.items)) {
    if (lines.kind === 'values') {
      const { items } = lines
      const { where } = items[0]!
      if (where !== null) unit.line(`if(${unit.expression(where, scope)}){`)
      unit.line(`${lineCall(unit, path, { values: items.map(({ value }) => value), scope })};`)
      if (where !== null) unit.line('}')
      continue
    }
    emitVertices(lines.items[0], (inner) => {
      const values = lines.items.flatMap((item) => columnsOf(item, inner))
      unit.line(`${lineCall(unit, path, { values, scope: inner })};`)
    })
  }
  unit.line('}}')
}

function linesOf(items: readonly BoundPrintItem[]): readonly CsvLines[] {
  const all: CsvLines[] = []
  for (const item of items) {
    const last = all.at(-1)
    if (item.kind === 'value') {
      if (last?.kind === 'values') all.splice(-1, 1, { ...last, items: [...last.items, item] })
      else all.push({ kind: 'values', items: [item] })
    } else if (last?.kind === 'vertices' && isSameSet(last.items[0], item)) {
      all.splice(-1, 1, { ...last, items: [...last.items, item] })
    } else all.push({ kind: 'vertices', items: [item] })
  }
  return all
}

function isSameSet({ set: a }: VertexItem, { set: b }: VertexItem): boolean {
  return a.kind === 'variable' && b.kind === 'variable' && a.slot === b.slot
}

const empty: BoundExpression = { kind: 'literal', type: STRING, value: '' }

/** What a line says of a vertex: its id, or its columns; empty where its type has none. */
function columnsOf(item: VertexItem, scope: Scope): readonly BoundExpression[] {
  if (item.kind === 'vertexSet') {
    return [{ kind: 'vertexAlias', type: { kind: 'VERTEX', typeIds: null }, position: 0 }]
  }
  return item.columns.map(({ value, applies }) => (appliesTo(scope, applies) ? value : empty))
}
