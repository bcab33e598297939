/** SELECT … INTO a table (docs/reference/gsql/select.md#tables): the rows of a match, grouped or not, as a table. */

import type { BoundStatement } from '#query/ir/bound.ts'
import { diagnosticCodes } from '#query/ir/diagnostic-codes.ts'
import { nullFlagOf } from '#query/ir/row-names.ts'
import type { Expression } from '#query/syntax/ast.ts'
import type { SqlSelectSyntax } from '#query/syntax/ast-statement.ts'
import type { Binder } from '../core/binder.ts'
import { NullRewriter } from '../cypher/nulls.ts'
import { replaced } from '../expressions/aggregates.ts'
import { bindMatch } from '../statements/select.ts'
import { columnNames } from './column-names.ts'
import { checkDistinctOrder } from './distinct-order.ts'
import { matchSource } from './match-source.ts'
import { aggregatesIn, bindTable, type Outputs } from './tables.ts'

export function bindSelectInto(binder: Binder, node: SqlSelectSyntax): BoundStatement[] {
  const { into, distinct, limit, range } = node
  if (into === null) {
    const message = 'a SELECT of columns needs INTO and the name of a table'
    return binder.fail(diagnosticCodes.misplaced, range, message)
  }
  const match = bindMatch(binder, node)
  const aliases = new Set(match.state.aliases.keys())
  const source = matchSource(binder, match, range)
  const groupBy = groupedOf(node) ? groupKeys(node) : null
  const outputs = outputsOf(binder, node, aliases)
  if (distinct) {
    const values = node.columns.map(({ value }) => value)
    const names = new Set(node.columns.flatMap(({ as }) => as?.name ?? []))
    const ofRow = (name: string) => aliases.has(name)
    checkDistinctOrder(binder, node.orderBy, { values, names, ofRow })
  }
  return bindTable(binder, {
    source,
    outputs: groupBy?.length === 0 ? ofTotals(outputs) : outputs,
    groupBy,
    distinct,
    limit,
    into,
    range,
  })
}

/**
 * HAVING and ORDER BY may name a column by its alias. What a name is read of, `s.age`, is the alias
 * of FROM, also where a column has its name.
 */
function outputsOf(binder: Binder, node: SqlSelectSyntax, aliases: ReadonlySet<string>): Outputs {
  const names = columnNames(binder, node.columns)
  const columns = node.columns.map(({ value }, index) => ({ name: names[index]!, value }))
  const named = new Map(node.columns.flatMap(({ as, value }) => (as ? [[as.name, value]] : [])))
  const isOfAlias = (of: Expression | null) => of?.kind === 'name' && aliases.has(of.name)
  const resolve = (expression: Expression): Expression =>
    replaced(expression, (part) => {
      if (part.kind === 'name') return named.get(part.name) ?? null
      if (part.kind === 'call' && isOfAlias(part.of)) {
        return { ...part, arguments: part.arguments.map(resolve) }
      }
      const isRead = part.kind === 'member' || part.kind === 'vertexAccum'
      return isRead && isOfAlias(part.of) ? part : null
    })
  const keys = node.orderBy.map(({ value, descending }) => ({ value: resolve(value), descending }))
  return { columns, keys, having: node.having === null ? null : resolve(node.having) }
}

/**
 * Of no rows at all there is no smallest, largest or mean value: such columns are null, as those of
 * a LEFT JOIN are (docs/decisions/0031). A group has a row, so its values are never null.
 */
function ofTotals({ columns, keys, having }: Outputs): Outputs {
  const rewriter = new NullRewriter(new Set(), 'gsql')
  rewriter.mayBeEmpty = true
  return {
    columns: columns.flatMap(({ name, value }) => {
      const isNull = rewriter.isNull(value)
      const own = { name, value: rewriter.value(value) }
      return isNull === null ? [own] : [own, { name: nullFlagOf(name), value: isNull }]
    }),
    // One row: its order is none.
    keys,
    having: having === null ? null : rewriter.whenTrue(having),
  }
}

function groupedOf(node: SqlSelectSyntax): boolean {
  const written = [...node.columns.map(({ value }) => value), ...(node.having ? [node.having] : [])]
  return node.groupBy.length > 0 || written.some((value) => aggregatesIn(value).length > 0)
}

/** Grouped by what GROUP BY says, else by every column without an aggregate. */
function groupKeys(node: SqlSelectSyntax): readonly Expression[] {
  const named = new Map(node.columns.flatMap(({ as, value }) => (as ? [[as.name, value]] : [])))
  if (node.groupBy.length > 0) {
    return node.groupBy.map((key) => (key.kind === 'name' ? (named.get(key.name) ?? key) : key))
  }
  return node.columns.map(({ value }) => value).filter((value) => aggregatesIn(value).length === 0)
}
