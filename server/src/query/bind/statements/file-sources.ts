/** Files that a query reads: `SelectVertex(…)` and `{LOADACCUM(…), …}`. */

import type { BoundFileSource, BoundStatement, LoadedShape } from '#query/ir/bound.ts'
import type { BoundExpression, BoundFileColumn } from '#query/ir/bound-expression.ts'
import { diagnosticCodes } from '#query/ir/diagnostic-codes.ts'
import { type AccumElement, type AccumType, BOOL, STRING, type ValueType } from '#query/ir/types.ts'
import type { CallSyntax, Expression } from '#query/syntax/ast.ts'
import type { AssignSyntax } from '#query/syntax/ast-statement.ts'
import type { Binder } from '../core/binder.ts'
import { convertTo } from '../core/convert.ts'
import { bindRowLoad, filterOf } from './load-filter.ts'
import { groupRow, shapedRow } from './loaded-rows.ts'

export interface FileCall {
  readonly file: BoundFileSource
  readonly columns: readonly Expression[]
}

/** Path, columns (so many, or any number for null), separator, header flag. */
export function sourceOf(binder: Binder, node: CallSyntax, count: number | null): FileCall {
  const path = node.arguments[0]
  const columns = node.arguments.slice(1, -2)
  const [separator, header] = node.arguments.slice(-2)
  const enough = count === null ? columns.length > 0 : columns.length === count
  if (path === undefined || separator === undefined || header === undefined || !enough) {
    const message = `${node.name.name} takes a path, columns, a separator and whether there is a header`
    return binder.fail(diagnosticCodes.argumentCount, node.range, message)
  }
  const file: BoundFileSource = {
    path: convertTo(binder, binder.expression(path), STRING, path.range),
    separator: convertTo(binder, binder.expression(separator), STRING, separator.range),
    header: convertTo(binder, binder.expression(header), BOOL, header.range),
  }
  return { file, columns }
}

/** `$0`, or `$"name"` of a file with a header. */
export function fileColumn(binder: Binder, node: Expression): BoundFileColumn {
  if (node.kind === 'column') {
    const text = node.text.slice(1)
    if (/^\d+$/.test(text)) return Number(text)
    if (/^"[^"]*"$/.test(text)) return text.slice(1, -1)
  }
  const message = 'expected a column: $0 or $"name"'
  return binder.fail(diagnosticCodes.typeMismatch, node.range, message)
}

/** The calls of `{LOADACCUM(…), …}`; null: `value` is something else. */
function loadCalls(value: Expression): LoadCall[] | null {
  if (value.kind !== 'seed' || value.items.length === 0) return null
  const calls = value.items.flatMap(({ value: item }): LoadCall[] => {
    const found = filterOf(item)
    const call = found?.call
    const isLoad = call?.kind === 'call' && call.of === null
    if (!isLoad || call.name.name.toLowerCase() !== 'loadaccum') return []
    return [{ call, condition: found!.condition }]
  })
  return calls.length === value.items.length ? calls : null
}

interface LoadCall {
  readonly call: CallSyntax
  readonly condition: Expression | null
}

/** `@@m = {LOADACCUM(…)}`; null: it is no such assignment. */
export function bindLoadAccum(binder: Binder, node: AssignSyntax): BoundStatement | null {
  const { target, value } = node
  const calls = value.kind === 'select' ? null : loadCalls(value)
  if (calls === null) return null
  if (target.kind !== 'globalAccum' || binder.clause !== null) {
    return binder.fail(
      diagnosticCodes.misplaced,
      node.range,
      'LOADACCUM fills a global accumulator',
    )
  }
  const slot = binder.accumSlot(`@@${target.name}`, target.range)
  const accum = binder.globalAccums[slot]!.type
  const shape = rowOf(accum)
  const row = shape === null ? groupRow(accum, rowOf) : shapedRow(shape)
  if (row === null) {
    const message =
      'LOADACCUM fills a List, Set, Bag, Map, Heap or GroupBy of simple values, or a Map of such'
    return binder.fail(diagnosticCodes.typeMismatch, target.range, message)
  }
  const count = row.types.length
  const sources = calls.map(({ call, condition }) => {
    const { file, columns } = sourceOf(binder, call, count)
    return { file, columns: columns.map((column) => fileColumn(binder, column)), condition }
  })
  const place = binder.place(node.range)
  const resets = node.operator === '='
  const loadOf = (some: typeof sources): LoadStatement => {
    const plain = some.map(({ file, columns }) => ({ file, columns }))
    const loaded = shape ?? { key: [], value: [], isTuple: false, isElement: false }
    return { kind: 'loadAccum', slot, resets: false, sources: plain, shape: loaded, place }
  }
  const isPlain = shape !== null && sources.every(({ condition }) => condition === null)
  if (isPlain) return { ...loadOf(sources), resets }
  const columnOf = (column: Expression) => fileColumn(binder, column)
  const always: BoundExpression = { kind: 'literal', type: BOOL, value: true }
  // As they are written: lists, strings and what overwrites keep their order.
  const body = sources.flatMap((source) => {
    if (shape !== null && source.condition === null) return [loadOf([source])]
    return bindRowLoad(binder, { slot, ...source, node: target, columnOf, row })
  })
  const emptied = { ...loadOf([]), resets }
  return {
    kind: 'if',
    branches: [{ condition: always, body: [emptied, ...body] }],
    otherwise: [],
    place,
  }
}

type LoadStatement = Extract<BoundStatement, { kind: 'loadAccum' }>

function rowOf(accum: AccumType): LoadedShape | null {
  switch (accum.kind) {
    case 'ListAccum':
    case 'SetAccum':
    case 'BagAccum':
      return elementsOf(elementType(accum.element))
    case 'HeapAccum':
      return elementsOf(accum.tuple)
    case 'MapAccum': {
      if (!isSimple(accum.key)) return null
      const plain = elementType(accum.value)
      if (plain !== null) return shapeOf([accum.key], plain)
      const inner = accum.value.kind === 'accum' ? rowOf(accum.value.accum) : null
      return inner === null ? null : { ...inner, key: [accum.key, ...inner.key] }
    }
    default:
      return null
  }
}

function elementType(element: AccumElement): ValueType | null {
  if (element.kind === 'value') return element.type
  const { accum } = element
  const plain = accum.kind === 'SumAccum' || accum.kind === 'MinAccum' || accum.kind === 'MaxAccum'
  return plain ? accum.value : null
}

function elementsOf(value: ValueType | null): LoadedShape | null {
  const shape = shapeOf([], value)
  return shape === null ? null : { ...shape, isElement: true }
}

function shapeOf(key: readonly ValueType[], value: ValueType | null): LoadedShape | null {
  if (value === null) return null
  if (value.kind === 'TUPLE') {
    const fields = value.fields.map(({ type }) => type)
    return fields.every(isSimple) ? { key, value: fields, isTuple: true, isElement: false } : null
  }
  return isSimple(value) ? { key, value: [value], isTuple: false, isElement: false } : null
}

/** VERTEX needs its type: a column holds ids only. */
function isSimple(type: ValueType): boolean {
  if (type.kind === 'VERTEX') return type.typeIds?.length === 1
  return ['INT', 'UINT', 'FLOAT', 'DOUBLE', 'BOOL', 'STRING', 'DATETIME'].includes(type.kind)
}
