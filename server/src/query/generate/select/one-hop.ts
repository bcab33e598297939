/** The loops of `plan/parallel/one-hop-shapes.ts`; beside each, the general one for other sets. */
import { assert } from '#kernel/assert.ts'
import type { BoundExpression } from '#query/ir/bound-expression.ts'
import type { BoundStep } from '#query/ir/bound-select.ts'
import { childrenOf } from '#query/plan/select/references.ts'
import { type SelectPlan, turn } from '#query/plan/select/select-plan.ts'
import { findAdjacency } from '#query/runtime/graph/physical.ts'
import type { EmitLoop, LoopRange } from '../text/part.ts'
import { emitRowLoop } from '../text/row-loop.ts'
import { type Scope, withEdge, withVertex } from '../text/scope.ts'
import type { Unit } from '../text/unit.ts'
import { adjacencyKey, deletedEdgeTest, emitEdges } from './adjacency.ts'
import { emitKept } from './kept-rows.ts'

/** Edges collected before the sums look at them: the vector and its columns stay in the cache. */
const SELECTION_EDGES = 2048

/**
 * A set pulls when its edges are more than this part of all: measured, with and without conditions
 * on accumulators of the target.
 */
const PULL_PART = 0.6
const PULL_PART_TESTED = 0.16

export interface OneHop {
  readonly plan: SelectPlan
  readonly step: BoundStep
  readonly scope: Scope
  /** JavaScript name of the source's rows, null at run time when all are in it. */
  readonly rows: string
  /** Writes the statements of a row. */
  readonly row: (scope: Scope) => void
  readonly loop: EmitLoop
}

/** No delta, one direction: positions of the base are all there is. */
export function isPlainStep(unit: Unit, step: BoundStep): boolean {
  const adjacency = unit.physical.adjacency(step.edgeTypeId, step.pair)
  return adjacency !== null && !adjacency.hasDelta && step.direction !== 'both'
}

/** As above, and no edge is deleted. */
export function isUnchanged(unit: Unit, step: BoundStep): boolean {
  const adjacency = unit.physical.adjacency(step.edgeTypeId, step.pair)
  return isPlainStep(unit, step) && adjacency?.hasDeleted === false
}

export type AdjacencyPart =
  | 'outOffsets'
  | 'outTargets'
  | 'inOffsets'
  | 'inSources'
  | 'baseCount'
  | 'baseFromCount'
  | 'baseToCount'

/** A part of the adjacency of a step. */
export function bindOf(unit: Unit, step: BoundStep, part: AdjacencyPart): string {
  const { edgeTypeId, pair } = step
  return unit.bind(`${part} ${adjacencyKey(step)}`, (env) => {
    const adjacency = findAdjacency(env.view, edgeTypeId, pair)
    assert(adjacency !== null, 'an adjacency of the plan is missing')
    return adjacency[part]
  })
}

/** The test that tells whether pulling pays for the set at hand. */
export function pullTest(
  unit: Unit,
  { step, rows, plan }: Pick<OneHop, 'step' | 'rows' | 'plan'>,
  part = testsAccumulators(plan) ? PULL_PART_TESTED : PULL_PART,
): string {
  const offsets = bindOf(unit, step, step.direction === 'in' ? 'inOffsets' : 'outOffsets')
  return unit.call('pullPays', rows, offsets, `${bindOf(unit, step, 'baseCount')}*${part}`)
}

/** Like `NOT t.@seen` of a search: the further it goes, the fewer targets are left to look. */
function testsAccumulators(plan: SelectPlan): boolean {
  const reads = (node: BoundExpression): boolean =>
    node.kind === 'vertexAccum' || childrenOf(node).some(reads)
  return plan.filters[1]!.some(reads)
}

/** Every target that is not marked yet looks for a neighbour in the source set. */
export function emitPull(unit: Unit, hop: OneHop): void {
  const { plan, step, scope } = hop
  const walk = plan.walks[0]!
  const [target, source] = [unit.name('t'), unit.name('c')]
  emitKept(unit, 0, unit.call('rowCountOf', hop.rows, step.fromTypeId))
  const count = unit.bind(
    `rows ${step.toTypeId}`,
    (env) => env.layout.tableOfType(step.toTypeId).rowCount,
  )
  const marks = partOf(unit, `m${walk.to}`, step.toTypeId)
  const members = partOf(unit, `w${plan.start}`, step.fromTypeId)
  hop.loop(count, (range) => {
    emitRowLoop(unit, { rows: null, orAll: true, row: target, range, deep: false }, () => {
      const tests = [`!${bitTest(marks, target)}`]
      if (plan.select.positions[walk.to]!.within !== null) {
        tests.push(bitTest(partOf(unit, `w${walk.to}`, step.toTypeId), target))
      }
      const inner = withVertex(scope, walk.to, { typeId: step.toTypeId, row: target })
      for (const filter of plan.filters[1]!) tests.push(unit.expression(filter, inner))
      unit.line(`if(${tests.join('&&')}){`)
      const names = { from: target, to: source, edge: null, against: unit.name('f') }
      emitEdges(unit, turn(step), names, () => {
        unit.line(`if(${bitTest(members, source)}){${marks}[${target}>>>5]|=1<<(${target}&31);`)
        emitKept(unit, 1)
        unit.line('break;}')
      })
      unit.line('}')
    })
  })
}

function partOf(unit: Unit, words: string, typeId: number): string {
  const name = `${words}_t${typeId}`
  unit.parts.add(name)
  return name
}

function bitTest(words: string, row: string): string {
  return `((${words}[${row}>>>5]>>>(${row}&31))&1)`
}

/**
 * One sweep over the edges of some sources, in blocks: conditions into a selection vector, then the
 * sums.
 */
export function emitEdgeScan(
  unit: Unit,
  hop: Omit<OneHop, 'loop' | 'rows'>,
  sources: LoopRange,
): void {
  const { plan, step, scope } = hop
  const walk = plan.walks[0]!
  const [first, end, edge] = [unit.name('k'), unit.name('k'), unit.name('e')]
  const [selected, i, chosen] = [unit.name('k'), unit.name('j'), unit.name('e')]
  const [start, count] = [unit.name('k'), unit.name('k')]
  for (const [name, row] of [
    [start, sources.first],
    [count, sources.end],
  ] as const) {
    const offsets = bindOf(unit, step, 'outOffsets')
    const [rows, edges] = [bindOf(unit, step, 'baseFromCount'), bindOf(unit, step, 'baseCount')]
    unit.line(`const ${name}=${row}<${rows}?${offsets}[${row}]:${edges};`)
  }
  const selection = unit.bind('selection', () => new Uint32Array(SELECTION_EDGES))
  const at = (name: string) => withEdge(scope, walk.hop, { step, edge: name, against: '0' })
  emitKept(unit, 0, `${sources.end}-${sources.first}`)
  const tests = plan.filters[1]!.map((filter) => unit.expression(filter, at(edge)))
  const deleted = deletedEdgeTest(unit, step, edge)
  if (deleted !== null) tests.push(`!(${deleted})`)
  unit.line(`for(let ${first}=${start};${first}<${count};${first}+=${SELECTION_EDGES}){`)
  unit.line(
    `const ${end}=${count}<${first}+${SELECTION_EDGES}?${count}:${first}+${SELECTION_EDGES};`,
  )
  unit.line(`ec+=${end}-${first};if(ec>8192){${unit.poll('ec', 'rc')};ec=0;rc=0;}`)
  if (tests.length === 0) {
    emitKept(unit, 1, `${end}-${first}`)
    unit.line(`for(let ${edge}=${first};${edge}<${end};${edge}++){`)
    hop.row(at(edge))
    unit.line('}}')
    return
  }
  unit.line(`let ${selected}=0;for(let ${edge}=${first};${edge}<${end};${edge}++){`)
  unit.line(
    `${selection}[${selected}]=${edge};${selected}+=${tests.map((t) => `(${t})`).join('&')}|0;}`,
  )
  emitKept(unit, 1, selected)
  unit.line(`for(let ${i}=0;${i}<${selected};${i}++){const ${chosen}=${selection}[${i}];`)
  hop.row(at(chosen))
  unit.line('}}')
}
