/**
 * Loops over the edges of one vertex along one step, and degrees.
 *
 * Base edges and delta edges are merged in one loop with one body, so that nested hops do not
 * multiply the text, in the order that a rebuild would give them: what a query answers does not
 * depend on when the last one was. Tombstones are tested only where the view has any.
 */
import { DeltaOrder } from '#graph/adjacency/order.ts'
import { comesFirst, inDegree, outDegree, symmetricDegree } from '#graph/adjacency/read.ts'
import type { AdjacencyView } from '#graph/view.ts'
import type { BoundStep } from '#query/ir/bound-select.ts'
import { isVirtualType } from '#query/ir/type-ids.ts'
import type { QueryEnv } from '#query/runtime/env.ts'
import { type AdjacencyLayout, findAdjacency } from '#query/runtime/graph/physical.ts'
import type { Unit } from '../text/unit.ts'

export function adjacencyKey(step: Pick<BoundStep, 'edgeTypeId' | 'pair'>): string {
  return `${step.edgeTypeId} ${step.pair.fromTypeId} ${step.pair.toTypeId}`
}

export interface EdgeNames {
  /** Row of the vertex the step starts from. */
  readonly from: string
  /** Given the row of the other end. */
  readonly to: string
  /** Given the edge row; null: nobody needs it. */
  readonly edge: string | null
  /** Row of the one other end that is wanted: it is searched for. Absent: all are. */
  readonly only?: string | undefined
  /** The other ends that are wanted: they are searched for. Absent: all are. */
  readonly within?: { readonly first: string; readonly end: string } | undefined
  /** Given 1 when the edge is met against its stored direction; only for `both`. */
  readonly against: string
  /** Name of what to read instead of the rows at the other ends; only for plain steps. */
  readonly ends?: string
  /**
   * Called once before the loop, with a condition that holds when at least one edge follows; null
   * when that is not known beforehand.
   */
  readonly prelude?: (guard: string | null) => void
}

/** The names of one adjacency's arrays. */
interface Arrays {
  readonly layout: AdjacencyLayout
  /** Edges come and go between the statements of the run. */
  readonly isVirtual: boolean
  bind(part: string, find: (adjacency: AdjacencyView) => unknown): string
  /** As `bind`, for what is made anew for every run. */
  bindRun(key: string, make: (env: QueryEnv, adjacency: AdjacencyView) => unknown): string
}

function arraysOf(unit: Unit, step: BoundStep): Arrays | null {
  const layout = unit.physical.adjacency(step.edgeTypeId, step.pair)
  if (layout === null) return null
  const { edgeTypeId, pair } = step
  const find = (env: QueryEnv) => findAdjacency(env.view, edgeTypeId, pair)!
  const key = adjacencyKey(step)
  return {
    layout,
    isVirtual: isVirtualType(edgeTypeId),
    bind: (part, get) => unit.bind(`${part} ${key}`, (env) => get(find(env))),
    bindRun: (part, make) => unit.bind(`${part} ${key}`, (env) => make(env, find(env))),
  }
}

/** One direction of an adjacency: what to read for a walk out of the from-end, or into it. */
interface Way {
  readonly offsets: string
  readonly ends: string
  /** Edge row at a base position. */
  rowAt(position: string): string
  /** Rows that have base edges; null: every row of the type. */
  readonly covered: string | null
}

function wayOf(arrays: Arrays, out: boolean): Way {
  const { bind, layout } = arrays
  return {
    offsets: bind(out ? 'outOffsets' : 'inOffsets', (a) => (out ? a.outOffsets : a.inOffsets)),
    ends: bind(out ? 'outTargets' : 'inSources', (a) => (out ? a.outTargets : a.inSources)),
    rowAt: (position) => (out ? position : `${bind('inRows', (a) => a.inRows)}[${position}]`),
    covered: (out ? layout.coversFrom : layout.coversTo)
      ? null
      : bind(out ? 'baseFromCount' : 'baseToCount', (a) => (out ? a.baseFromCount : a.baseToCount)),
  }
}

/**
 * Writes the loop of a step. `body` is written once, inside it; a `continue` in it goes on with
 * the next edge.
 */
export function emitEdges(unit: Unit, step: BoundStep, names: EdgeNames, body: () => void): void {
  const arrays = arraysOf(unit, step)
  if (arrays === null) return
  const needsRow = names.edge !== null || arrays.layout.hasDeleted
  const named = { ...names, edge: needsRow ? (names.edge ?? unit.name('e')) : null }
  const delta = arrays.layout.hasDelta
  if (step.direction === 'both')
    emitStages(unit, arrays, { names: named, ways: [true, false] }, body)
  else if (delta) emitStages(unit, arrays, { names: named, ways: [step.direction === 'out'] }, body)
  else emitBase(unit, arrays, { names: named, out: step.direction === 'out' }, body)
}

/** The plain case, one direction and no delta: a counted loop that V8 optimises best. */
function emitBase(
  unit: Unit,
  arrays: Arrays,
  plan: { readonly names: EdgeNames; readonly out: boolean },
  body: () => void,
): void {
  const { names, out } = plan
  const way = wayOf(arrays, out)
  const [p, end] = [unit.name('p'), unit.name('n')]
  emitRange(unit, way, names, [p, end])
  names.prelude?.(!arrays.layout.hasDeleted ? `${p}<${end}` : null)
  unit.line(`for(;${p}<${end};${p}++){`)
  unit.line(`const ${names.to}=${names.ends ?? way.ends}[${p}];`)
  if (names.edge !== null) unit.line(`const ${names.edge}=${way.rowAt(p)};`)
  skipDeleted(unit, arrays, names.edge)
  body()
  unit.line('}')
}

/** Positions of a vertex's base edges, which stand in the order of their other ends. */
function emitRange(
  unit: Unit,
  { offsets, covered, ends }: Way,
  { from, only, within }: EdgeNames,
  [p, end]: readonly [string, string],
): void {
  const isSearched = only !== undefined || within !== undefined
  const variable = !isSearched && covered === null ? 'const' : 'let'
  if (covered === null) {
    unit.line(`let ${p}=${offsets}[${from}];${variable} ${end}=${offsets}[${from}+1];`)
  } else {
    unit.line(`let ${p}=0,${end}=0;`)
    unit.line(`if(${from}<${covered}){${p}=${offsets}[${from}];${end}=${offsets}[${from}+1];}`)
  }
  if (only !== undefined) {
    unit.line(`${p}=${unit.call('lowerBound', ends, p, end, only)};`)
    unit.line(`${end}=${unit.call('lowerBound', ends, p, end, `${only}+1`)};`)
  }
  if (within !== undefined) {
    const { first, end: past } = within
    const search = (value: string) => unit.call('lowerBound', ends, p, end, value)
    unit.line(`if(${p}<${end}&&${ends}[${p}]<${first})${p}=${search(first)};`)
    unit.line(`if(${p}<${end}&&${ends}[${end}-1]>=${past})${end}=${search(past)};`)
  }
  unit.line(`ec+=${end}-${p};`)
}

/** Several sources of edges, taken one after the other by one loop. */
function emitStages(
  unit: Unit,
  arrays: Arrays,
  plan: { readonly names: EdgeNames; readonly ways: readonly boolean[] },
  body: () => void,
): void {
  const { names, ways } = plan
  const edge = names.edge ?? unit.name('e')
  const both = ways.length > 1
  names.prelude?.(null)
  const stages = ways.map((out) => emitStage(unit, arrays, { names, edge, out, both }))
  unit.line(`for(;;){let ${names.to}=0,${edge}=0${both ? `,${names.against}=0` : ''};`)
  unit.line(`${stages.join('else ')}else break;`)
  skipDeleted(unit, arrays, edge)
  body()
  unit.line('}')
}

interface StagePlan {
  readonly names: EdgeNames
  readonly edge: string
  readonly out: boolean
  readonly both: boolean
}

/** Writes what one direction needs before the loop; returns its part of the loop's head. */
function emitStage(unit: Unit, arrays: Arrays, plan: StagePlan): string {
  const { names, edge, out, both } = plan
  const way = wayOf(arrays, out)
  const [p, end] = [unit.name('p'), unit.name('n')]
  emitRange(unit, way, names, [p, end])
  const against = both ? `${names.against}=${out ? 0 : 1};` : ''
  const skipLoop = both && !out ? `if(${names.to}===${names.from})continue;` : ''
  const base = `${names.to}=${way.ends}[${p}];${edge}=${way.rowAt(p)};${p}++;`
  if (!arrays.layout.hasDelta) return `if(${p}<${end}){${base}${against}${skipLoop}}`
  const added = deltaOf(unit, arrays, out)
  const [d, count, next] = [unit.name('d'), unit.name('k'), unit.name('o')]
  const other = `${way.ends}[${p}]`
  const [from, past] = [names.from, PAST_EVERY_ROW]
  unit.line(
    `const ${count}=${from}<${added.heads}.length&&${added.heads}[${from}]!==0?${added.load}(${from}):0;` +
      `let ${d}=0,${next}=${count}>0?${added.other}(0):${past};ec+=${count};`,
  )
  const isTied = `${other}===${next}&&!${added.isFirst}(${d},${other},${way.rowAt(p)})`
  const takesBase = `${p}<${end}&&(${other}<${next}||${isTied})`
  const delta =
    `${names.to}=${next};${edge}=${added.edge}(${d});${d}++;` +
    `${next}=${d}<${count}?${added.other}(${d}):${past};`
  return `if(${p}<${end}||${d}<${count}){if(${takesBase}){${base}}else{${delta}}${against}${skipLoop}}`
}

/** Where the next delta edge leads when there is none. */
const PAST_EVERY_ROW = 4_294_967_296

/** The functions that give a vertex's delta edges in order; each loop has its own. */
function deltaOf(unit: Unit, arrays: Arrays, out: boolean) {
  if (arrays.isVirtual) return virtualOf(unit, arrays, out)
  const key = `delta ${unit.name('o')}`
  const order = new WeakMap<QueryEnv, DeltaOrder>()
  const bind = (part: string, get: (order: DeltaOrder) => unknown) =>
    arrays.bindRun(`${key} ${part}`, (env, adjacency) => {
      const known = order.get(env) ?? new DeltaOrder(adjacency, !out)
      order.set(env, known)
      return get(known)
    })
  return {
    heads: arrays.bind(out ? 'outHeads' : 'inHeads', ({ delta }) =>
      out ? delta!.outHeads : delta!.inHeads,
    ),
    load: bind('load', (one) => (row: number) => one.load(row)),
    isFirst: bind(
      'first',
      (one) => (at: number, other: number, edge: number) => comesFirst(one, at, other, edge),
    ),
    other: bind('other', (one) => (at: number) => one.otherAt(at)),
    edge: bind('edge', (one) => (at: number) => one.edgeAt(at)),
  }
}

/** The same where the edges of a run may have changed since the last statement. */
function virtualOf(unit: Unit, arrays: Arrays, out: boolean) {
  const key = `virtual ${unit.name('o')}`
  const orders = new WeakMap<QueryEnv, { order: DeltaOrder; version: number }>()
  const bind = (part: string, get: (current: () => DeltaOrder) => unknown) =>
    arrays.bindRun(`${key} ${part}`, (env, adjacency) => {
      const store = env.virtual.storeAt(adjacency)
      return get(() => {
        const known = orders.get(env)
        const { version } = store
        if (known?.version === version) return known.order
        const order = new DeltaOrder(adjacency, !out)
        orders.set(env, { order, version })
        return order
      })
    })
  return {
    heads: arrays.bind(out ? 'outHeads' : 'inHeads', ({ delta }) =>
      out ? delta!.outHeads : delta!.inHeads,
    ),
    load: bind('load', (current) => (row: number) => current().load(row)),
    isFirst: bind('first', () => () => true),
    other: bind('other', (current) => (at: number) => current().otherAt(at)),
    edge: bind('edge', (current) => (at: number) => current().edgeAt(at)),
  }
}

/** Code that is true for a deleted edge row; null: the view has no deleted edges. */
export function deletedEdgeTest(unit: Unit, step: BoundStep, edge: string): string | null {
  const arrays = arraysOf(unit, step)
  return arrays === null || !arrays.layout.hasDeleted ? null : deletedTest(arrays, edge)
}

function skipDeleted(unit: Unit, arrays: Arrays, edge: string | null): void {
  if (edge === null || !arrays.layout.hasDeleted) return
  unit.line(`if(${deletedTest(arrays, edge)})continue;`)
}

function deletedTest(arrays: Arrays, edge: string): string {
  const words = arrays.bind('deleted', (a) => a.deleted.words)
  if (!arrays.layout.isDeletedPaged) return `(${words}[${edge}>>>5]>>>(${edge}&31))&1`
  const pages = arrays.bind('deletedPages', (a) => a.deleted.pages)
  return `(${words}[(${pages}[${edge}>>>10]<<5)|((${edge}>>>5)&31)]>>>(${edge}&31))&1`
}

/** Undirected edges are values with a direction: from the end the pattern comes from. */
export function orientation(step: BoundStep, turned: boolean, against: string): string {
  if (step.directed) return '0'
  if (step.direction === 'both') return turned ? `(1-${against})` : against
  const walkedIn = step.direction === 'in'
  return walkedIn === turned ? '0' : '1'
}

/** The degree of a row along a step, as a double. */
export function degreeHelper(unit: Unit, step: BoundStep, row: string): string {
  const arrays = arraysOf(unit, step)
  if (arrays === null) return '0'
  const plain = !arrays.layout.hasDelta && !arrays.layout.hasDeleted
  if (plain && step.direction !== 'both') {
    const { offsets, covered } = wayOf(arrays, step.direction === 'out')
    const degree = `${offsets}[${row}+1]-${offsets}[${row}]`
    return covered === null ? `(${degree})` : `(${row}<${covered}?${degree}:0)`
  }
  const count = arrays.bindRun(`degree ${step.direction}`, (_env, adjacency) =>
    degreeCounter(adjacency, step.direction),
  )
  return `${count}(${row})`
}

function degreeCounter(
  adjacency: AdjacencyView,
  direction: BoundStep['direction'],
): (row: number) => number {
  if (direction === 'out') return (row) => outDegree(adjacency, row)
  if (direction === 'in') return (row) => inDegree(adjacency, row)
  return (row) => symmetricDegree(adjacency, row)
}
