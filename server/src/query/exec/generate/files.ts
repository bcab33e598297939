/** Lines of files and of the server's log: FILE objects, PRINT … TO_CSV, LOG. */
import type { BoundFilePrint, BoundPrint, BoundPrintItem } from '#query/bind/bound.ts'
import type { BoundExpression } from '#query/bind/bound-expression.ts'
import { appliesTo } from './expression.ts'
import type { Scope } from './scope.ts'
import type { Unit } from './unit.ts'

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

/** Values make one line; a vertex set makes one per vertex, written by `emitVertices`. */
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
  const values = print.items.flatMap((item) => (item.kind === 'value' ? [item] : []))
  const conditions = values.flatMap(({ where }) => (where === null ? [] : [where]))
  if (values.length > 0) {
    const [condition] = conditions
    if (condition !== undefined) unit.line(`if(${unit.expression(condition, scope)}){`)
    unit.line(`${lineCall(unit, path, { values: values.map(({ value }) => value), scope })};`)
    if (condition !== undefined) unit.line('}')
  }
  for (const item of print.items) {
    if (item.kind === 'value') continue
    emitVertices(item, (inner) => {
      unit.line(`${lineCall(unit, path, { values: columnsOf(item, inner), scope: inner })};`)
    })
  }
  unit.line('}}')
}

/** What a line says of a vertex: its columns, or its id. */
function columnsOf(item: VertexItem, scope: Scope): readonly BoundExpression[] {
  if (item.kind === 'vertexSet') {
    return [{ kind: 'vertexAlias', type: { kind: 'VERTEX', typeIds: null }, position: 0 }]
  }
  return item.columns.filter(({ applies }) => appliesTo(scope, applies)).map(({ value }) => value)
}
