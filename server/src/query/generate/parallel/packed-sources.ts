/** The loop and the names of `runtime/parallel/packed-sources.ts`, for a step without delta edges and deletes. */
import type { BoundStep } from '#query/ir/bound-select.ts'
import { findAdjacency } from '#query/runtime/graph/physical.ts'
import { packingKey } from '#query/runtime/parallel/packed-sources.ts'
import { adjacencyKey } from '../select/adjacency.ts'
import { bindOf, isUnchanged } from '../select/one-hop.ts'
import { inParts } from '../text/part.ts'
import type { Unit } from '../text/unit.ts'

/** Copied between two looks at the abort flag. */
const STRIP_EDGES = 8192

export interface PackedSources {
  /** Name of the rows by slot, null at run time: values lie by row. */
  readonly order: string
  /** Name of what the edges of a target lead to when all are sources: slots, or rows. */
  readonly ends: string
}

/** Declares the names; null: the sources of the step are read by row. */
export function emitPackedSources(unit: Unit, step: BoundStep, rows: string): PackedSources | null {
  if (!isUnchanged(unit, step)) return null
  const out = step.direction === 'out'
  const offsets = bindOf(unit, step, out ? 'outOffsets' : 'inOffsets')
  const count = bindOf(unit, step, out ? 'baseFromCount' : 'baseToCount')
  const stored = bindOf(unit, step, out ? 'inSources' : 'outTargets')
  const [order, ends, slots] = [unit.name('k'), unit.name('k'), unit.name('k')]
  const key = emitKey(unit, step)
  const found = unit.call('rowsBySlot', offsets, stored, count, key)
  unit.line(`const ${order}=${rows}===null?${found}:null;`)
  const slotted = unit.call('slottedEnds', stored)
  unit.line(`const ${ends}=${order}===null?${stored}:${slotted};`)
  unit.line(`if(${order}!==null&&${unit.call('needsEnds', stored)}){`)
  unit.line(`const ${slots}=${unit.call('slotsByRow', stored)};`)
  const [at, strip, stop] = [unit.name('p'), unit.name('k'), unit.name('k')]
  inParts(
    unit,
    new Map(),
    'row',
  )(bindOf(unit, step, 'baseCount'), ({ first, end }) => {
    unit.line(`for(let ${strip}=${first};${strip}<${end};${strip}+=${STRIP_EDGES}){`)
    unit.line(`${unit.poll('0', '0')};`)
    unit.line(`const ${stop}=${end}-${strip}<${STRIP_EDGES}?${end}:${strip}+${STRIP_EDGES};`)
    unit.line(`for(let ${at}=${strip};${at}<${stop};${at}++){`)
    unit.line(`${ends}[${at}]=${slots}[${stored}[${at}]];`)
    unit.line('}}')
  })
  unit.line(`${unit.call('keepEnds', stored, key)};}`)
  return { order, ends }
}

function emitKey(unit: Unit, step: BoundStep): string {
  const { edgeTypeId, pair, direction } = step
  return unit.bind(`packing ${direction} ${adjacencyKey(step)}`, ({ view }) =>
    packingKey(findAdjacency(view, edgeTypeId, pair)!, direction === 'out'),
  )
}
