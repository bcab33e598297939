/** Reading accumulators: a clause that also writes one reads the state from its start. */
import type { BoundExpression } from '#query/ir/bound-expression.ts'
import type { AccumType } from '#query/ir/types.ts'
import type { Scope } from '../text/scope.ts'
import type { Unit } from '../text/unit.ts'
import { readRegister, registerKind } from './accum-kinds.ts'

/** What is asked of a block: its value, or something else that it keeps. */
type BlockReader = 'readBlock' | 'percentOf'

export function readGlobal(
  unit: Unit,
  slot: number,
  scope: Scope,
  reader: BlockReader = 'readBlock',
): string {
  const { type } = unit.query.globalAccums[slot]!
  const name = scope.reads.globals.get(slot) ?? `g${slot}`
  const kind = registerKind(unit, type)
  if (kind === null) return blockValue(unit, type, { block: name, reader })
  if (kind.fold === 'avg') return unit.call('mean', name, `${name}_c`)
  return readRegister(unit, kind, name)
}

/** The block of a set is its value; others are asked for it. */
function blockValue(
  unit: Unit,
  type: AccumType,
  { block, reader }: { readonly block: string; readonly reader: BlockReader },
): string {
  return type.kind === 'SetAccum' ? block : unit.call(reader, unit.accumShape(type), block)
}

/** A local accumulator is kept in registers like a global one, or in a block of its own. */
export function readLocal(unit: Unit, slot: number, scope: Scope): string {
  const name = `${scope.localPrefix}${slot}`
  const accum = scope.locals[slot]?.accum
  if (accum === undefined) return name
  const kind = registerKind(unit, accum)
  if (kind === null) return unit.call('readBlock', unit.accumShape(accum), name)
  if (kind.fold === 'avg') return unit.call('mean', name, `${name}_c`)
  return readRegister(unit, kind, name)
}

type VertexAccumRead = Extract<BoundExpression, { kind: 'vertexAccum' }>

/** `of` an alias reads the column by its row; any other vertex may be unknown. */
export function readVertexAccum(
  unit: Unit,
  node: VertexAccumRead,
  scope: Scope,
  reader: BlockReader = 'readBlock',
): string {
  const column = columnName(node, scope)
  const ref = node.of.kind === 'vertexAlias' ? scope.vertices.get(node.of.position) : undefined
  if (ref !== undefined) {
    const typed = typedColumn(unit, column, ref.typeId)
    if (unit.query.vertexAccums[node.slot]!.type.kind === 'AvgAccum')
      unit.parts.add(countsOf(typed))
    return readState(unit, node.slot, {
      state: `${typed}[${ref.row}]`,
      count: `${countsOf(typed)}[${ref.row}]`,
      reader,
    })
  }
  const vertex = unit.expression(node.of, scope)
  const kind = registerKind(unit, unit.query.vertexAccums[node.slot]!.type)
  const initial = kind === null ? '0' : kind.initial
  return readState(unit, node.slot, {
    state: unit.call('stateAt', column, vertex, initial),
    count: unit.call('stateAt', countsOf(column), vertex, '0'),
    reader,
  })
}

function readState(
  unit: Unit,
  slot: number,
  at: { readonly state: string; readonly count: string; readonly reader: BlockReader },
): string {
  const { type } = unit.query.vertexAccums[slot]!
  const kind = registerKind(unit, type)
  const { reader } = at
  if (kind === null) return blockValue(unit, type, { block: `(${at.state}||i${slot})`, reader })
  if (kind.fold === 'avg') return unit.call('mean', at.state, at.count)
  return readRegister(unit, kind, at.state)
}

function columnName(node: VertexAccumRead, scope: Scope): string {
  if (node.previous) return scope.reads.columns.get(-1 - node.slot) ?? `v${node.slot}`
  return scope.reads.columns.get(node.slot) ?? `v${node.slot}`
}

/** The counts beside the sums of an AvgAccum; typed columns are named `sums_type`. */
export function countsOf(column: string): string {
  const mark = column.indexOf('_t')
  return mark < 0 ? `${column}_c` : `${column.slice(0, mark)}_c${column.slice(mark)}`
}

/** A column's part for one type, indexed by row; declared where the function begins. */
export function typedColumn(unit: Unit, column: string, typeId: number): string {
  const name = `${column}_t${typeId}`
  unit.parts.add(name)
  return name
}
