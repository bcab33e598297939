/** PRINT: the objects of an answer. */

import type { BoundPrint, BoundPrintItem } from '#query/ir/bound.ts'
import type { BoundExpression } from '#query/ir/bound-expression.ts'
import { readTypeOf } from '#query/ir/types.ts'
import { appliesTo, evaluate, noRow, type Scope } from './expressions.ts'
import { runPrintToFile } from './files.ts'
import { type Printed, printedBits, printedText, printedValue } from './print.ts'
import type { Run } from './run.ts'
import { Unsupported, type Vertex } from './values.ts'
import { vertexSet } from './vertex-sets.ts'

export function runPrint(run: Run, print: BoundPrint): void {
  if (print.toCsv !== null) {
    runPrintToFile(run, print)
    return
  }
  const last = new Map(print.items.map((item, i) => [item.key, i]))
  const members: (readonly [string, Printed])[] = []
  print.items.forEach((item, i) => {
    if (last.get(item.key) !== i) return
    const printed = printedItem(run, item)
    if (printed !== null) members.push([item.key, printed])
  })
  if (!run.isCallee) run.answer.push(members)
}

export function printedItem(run: Run, item: BoundPrintItem): Printed | null {
  if (item.kind === 'value') {
    if (item.where !== null && evaluate(run, item.where, noRow) !== true) return null
    return printedMember(run, item.value, noRow)
  }
  const isSorted = item.set.kind === 'variable'
  const items = vertexSet(run, item.set, noRow).flatMap((vertex) => {
    if (!item.typeIds.includes(vertex.typeId)) return []
    const scope = { row: { vertices: [vertex], edges: [] }, locals: [] }
    if (item.where !== null && evaluate(run, item.where, scope) !== true) return []
    return [printedVertex(run, item, vertex, scope)]
  })
  return { kind: 'list', isOrdered: isSorted, items }
}

export function printedVertex(
  run: Run,
  item: Exclude<BoundPrintItem, { kind: 'value' }>,
  vertex: Vertex,
  scope: Scope,
): Printed {
  const attributes: [string, Printed][] = []
  if (item.kind === 'vertexSet') {
    for (const [name, json] of vertex.printed) attributes.push([name, { kind: 'raw', json }])
    for (const slot of item.vertexAccums) {
      const { name, type } = run.query.vertexAccums[slot]!
      const of = {
        kind: 'vertexAlias',
        type: { kind: 'VERTEX', typeIds: null },
        position: 0,
      } as const
      const node = {
        kind: 'vertexAccum',
        type: readTypeOf(type),
        slot,
        of,
        previous: false,
      } as const
      attributes.push([`@${name}`, printedMember(run, node, scope)])
    }
  } else {
    const last = new Map(item.columns.map((column, i) => [column.key, i]))
    item.columns.forEach(({ key, value, applies }, i) => {
      if (last.get(key) === i && appliesTo(scope, applies)) {
        attributes.push([key, printedMember(run, value, scope)])
      }
    })
  }
  return {
    kind: 'object',
    members: [
      ['v_id', printedText(vertex.id)],
      ['v_type', printedText(vertex.typeName)],
      ['attributes', { kind: 'object', members: attributes }],
      ...(item.withVectors ? [['Embeddings', printedVectors(vertex)] as const] : []),
    ],
  }
}

function printedVectors({ vectors }: Vertex): Printed {
  const members = vectors.map(([name, json]) => [name, { kind: 'raw', json }] as const)
  return { kind: 'object', members }
}

export function printedMember(run: Run, node: BoundExpression, scope: Scope): Printed {
  const accum =
    node.kind === 'globalAccum'
      ? run.query.globalAccums[node.slot]!.type
      : node.kind === 'vertexAccum'
        ? run.query.vertexAccums[node.slot]!.type
        : null
  const value = evaluate(run, node, scope)
  if (accum?.kind === 'BitwiseOrAccum' || accum?.kind === 'BitwiseAndAccum') {
    return printedBits(value as bigint, accum.lengthBits)
  }
  if (accum !== null && containsBits(accum)) throw new Unsupported('bits inside a collection')
  return printedValue(value, node.type, false)
}

function containsBits(type: unknown): boolean {
  return /"kind":"Bitwise/.test(JSON.stringify(type))
}
