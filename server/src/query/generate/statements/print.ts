/** PRINT: one object of `results` per execution. Of two items with one key the last counts. */
import type { BoundPrint, BoundPrintItem } from '#query/ir/bound.ts'
import type { BoundExpression } from '#query/ir/bound-expression.ts'
import { readTypeOf } from '#query/ir/types.ts'
import { appliesTo } from '../expressions/expression.ts'
import { emitFunction } from '../text/function.ts'
import { type Scope, withVertex } from '../text/scope.ts'
import type { Unit } from '../text/unit.ts'
import { emitCsv } from './files.ts'

export function emitPrint(unit: Unit, print: BoundPrint, scope: Scope): void {
  if (print.toCsv !== null) {
    const emitVertices = (item: VertexItem, line: (inner: Scope) => void) =>
      emitVertexItem(unit, scope, { item, line })
    unit.line(`{const tm=${unit.call('tempMark')};`)
    emitCsv(unit, print, { scope, emitVertices })
    unit.line(`${unit.call('tempRelease', 'tm')};}`)
    return
  }
  const last = new Map(print.items.map((item, i) => [item.key, i]))
  unit.line(`{const tm=${unit.call('tempMark')};${unit.call('openObject')};`)
  print.items.forEach((item, i) => {
    if (last.get(item.key) === i) emitItem(unit, item, scope)
  })
  unit.line(`${unit.call('closeObject')};${unit.call('tempRelease', 'tm')};}`)
}

function keyName(unit: Unit, key: string): string {
  return unit.bind(`key ${key}`, () => new TextEncoder().encode(key))
}

function emitItem(unit: Unit, item: BoundPrintItem, scope: Scope): void {
  if (item.kind !== 'value') {
    emitVertexItem(unit, scope, { item, line: null })
    return
  }
  if (item.where !== null) unit.line(`if(${unit.expression(item.where, scope)}){`)
  emitMember(unit, item, unit.expression(item.value, scope))
  if (item.where !== null) unit.line('}')
}

function emitMember(
  unit: Unit,
  member: { readonly key: string; readonly value: BoundExpression },
  code: string,
): void {
  unit.line(`${unit.call('printKey', keyName(unit, member.key))};`)
  unit.line(`${unit.call('printValue', printCodec(unit, member.value), code)};`)
}

/** A bitwise accumulator reads as INT, but prints its bits. */
function printCodec(unit: Unit, value: BoundExpression): string {
  const accum =
    value.kind === 'globalAccum'
      ? unit.query.globalAccums[value.slot]!.type
      : value.kind === 'vertexAccum'
        ? unit.query.vertexAccums[value.slot]!.type
        : null
  if (accum?.kind !== 'BitwiseOrAccum' && accum?.kind !== 'BitwiseAndAccum') {
    return unit.codec(value.type)
  }
  return unit.bind(`bits ${JSON.stringify(accum)}`, (env) => env.shapes.accumCodec(accum))
}

type VertexItem = Exclude<BoundPrintItem, { kind: 'value' }>

/** A function of its own, as a SELECT is: it loops over vertices and cuts columns by type. */
function emitVertexItem(unit: Unit, scope: Scope, at: VertexOutput): void {
  if (at.line !== null) {
    // Lines name the path, which is known where the PRINT stands.
    emitVertexLoop(unit, scope, at)
    return
  }
  const call = emitFunction(unit, () => ({
    setup: '',
    body: unit.capture(() => emitVertexLoop(unit, scope, at)),
  }))
  unit.line(call)
}

interface VertexOutput {
  readonly item: VertexItem
  /** Writes the line of a file; null: vertices go to the answer. */
  readonly line: ((scope: Scope) => void) | null
}

function emitVertexLoop(unit: Unit, scope: Scope, { item, line }: VertexOutput): void {
  const [set, members, i] = [unit.name('a'), unit.name('h'), unit.name('j')]
  const [vertex, row] = [unit.name('u'), unit.name('c')]
  unit.line(`{const ${set}=${unit.vertexSet(item.set, scope)};`)
  unit.line(`const ${members}=${unit.call('setMembers', set)};`)
  if (line === null) {
    unit.line(`${unit.call('printKey', keyName(unit, item.key))};${unit.call('openArray')};`)
  }
  unit.line(`for(let ${i}=0;${i}<${members}.length;${i}++){const ${vertex}=${members}[${i}];`)
  unit.line(`if(++rc+ec>8192){${unit.poll('ec', 'rc')};ec=0;rc=0;}`)
  const type = unit.name('k')
  unit.line(`const ${type}=${unit.call('typeOfVertex', vertex)};`)
  unit.line(`const ${row}=${unit.call('rowOfVertex', vertex)};`)
  for (const typeId of item.typeIds) {
    unit.line(`if(${type}===${typeId}){`)
    const inner = withVertex(scope, 0, { typeId, row })
    if (item.where !== null) unit.line(`if(${unit.expression(item.where, inner)}){`)
    if (line === null) emitVertexObject(unit, { item, vertex }, inner)
    else line(inner)
    if (item.where !== null) unit.line('}')
    unit.line('}')
  }
  unit.line(line === null ? `}${unit.call('closeArray')};}` : '}}')
}

function emitVertexObject(
  unit: Unit,
  at: { readonly item: VertexItem; readonly vertex: string },
  scope: Scope,
): void {
  const { item, vertex } = at
  unit.line(`${unit.call('openVertex', vertex)};`)
  if (item.kind === 'vertexSet') {
    unit.line(`${unit.call('printAttributes', vertex)};`)
    for (const slot of item.vertexAccums) emitAccumMember(unit, slot, vertex, scope)
  } else {
    const last = new Map(item.columns.map((column, i) => [column.key, i]))
    item.columns.forEach((column, i) => {
      if (last.get(column.key) !== i || !appliesTo(scope, column.applies)) return
      const { key, value } = column
      emitMember(unit, { key, value }, unit.expression(value, scope))
    })
  }
  const close = item.withVectors
    ? unit.call('closeVertexWithVectors', vertex)
    : unit.call('closeVertex')
  unit.line(`${close};`)
}

function emitAccumMember(unit: Unit, slot: number, _vertex: string, scope: Scope): void {
  const accum = unit.query.vertexAccums[slot]!
  const type = readTypeOf(accum.type)
  const of = { kind: 'vertexAlias', type: { kind: 'VERTEX', typeIds: null }, position: 0 } as const
  const node = { kind: 'vertexAccum', type, slot, of, previous: false } as const
  const key = `@${accum.name}`
  emitMember(unit, { key, value: node }, unit.expression(node, scope))
}
