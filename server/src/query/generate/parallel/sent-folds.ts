/**
 * Loops whose sources send values to the other ends of their edges (`plan/parallel/sent-folds.ts`). What a
 * source sends is written behind what others of its segment sent, in the place that their edges have in
 * the adjacency; when the loop is over it is folded in the order of the sources, by each
 * thread into targets of its own.
 */
import type { Update } from '#query/plan/parallel/collected-folds.ts'
import { sentFolds } from '#query/plan/parallel/sent-folds.ts'
import type { SelectPlan } from '#query/plan/select/select-plan.ts'
import { accumType, emitRegister } from '../accumulate/accum-write.ts'
import { vertexNumber } from '../expressions/access.ts'
import { registerKind } from '../expressions/accum-kinds.ts'
import { bindOf } from '../select/one-hop.ts'
import { inParts, type LoopRange } from '../text/part.ts'
import type { Scope } from '../text/scope.ts'
import type { Unit } from '../text/unit.ts'
import { haveEdgesPlaces, placeOfSource, roomFor, stepsFrom } from './collected-sets.ts'

/** Sources whose values are folded between two looks at the abort flag. */
const STRIP_SOURCES = 1024

/** JavaScript names of what one statement sends. */
export interface Sent {
  /** Vertices and values of all sources. */
  readonly vertices: string
  readonly values: string
  /** By source: where what it sends begins, and how many they are. */
  readonly starts: string
  readonly counts: string
  /** Of the segment at hand: where the next one goes. */
  readonly next: string
  /** The four of them together. */
  readonly arrays: string
}

/** Whether every fold into another vertex that a plan has can be sent, as a double. */
export function canSend(unit: Unit, plan: SelectPlan): boolean {
  const folds = [...sentFolds(plan, unit.query)]
  const isDouble = ({ target }: Update): boolean => {
    if (target.kind === 'local') return false
    const column = registerKind(unit, accumType(unit, target))?.column
    return column === 'f64' || column === 'f32' || column === 'u8'
  }
  return folds.length === 0 || (haveEdgesPlaces(unit, plan) && folds.every(isDouble))
}

interface SourcesOfType {
  readonly plan: SelectPlan
  readonly typeId: number
  /** JavaScript names of the rows of the sources, null at run time when they are all, and of how many they are. */
  readonly rows: string
  readonly count: string
}

/**
 * Writes the loop over sources of a type twice, sending and not; the run chooses by how many threads
 * and sources there are. `emit` is given what the statements send; `isLate`: they fold at once, which
 * only the run's own thread may do.
 */
export function emitSending(
  unit: Unit,
  { plan, typeId, rows, count }: SourcesOfType,
  emit: (sent: ReadonlyMap<Update, Sent>, isLate: boolean) => void,
): void {
  const folds = [...sentFolds(plan, unit.query)]
  const room = roomFor(unit, plan, typeId)
  if (folds.length === 0 || room === null) {
    emit(new Map(), folds.length > 0)
    return
  }
  const sends = unit.call('sends', rows, typeId, room, folds.length)
  unit.line(`if(${unit.call('threads')}>1&&${sends}){`)
  const sent = new Map<Update, Sent>()
  for (const fold of folds) {
    const name = () => unit.name('k')
    const names = { vertices: name(), values: name(), starts: name(), counts: name(), next: name() }
    const arrays = name()
    unit.line(`const ${arrays}=${unit.call('takeSent', typeId, room)};`)
    const parts = [names.vertices, names.values, names.starts, names.counts]
    for (const [i, part] of parts.entries()) unit.line(`const ${part}=${arrays}[${i}];`)
    sent.set(fold, { ...names, arrays })
  }
  emit(sent, false)
  const ranges = emitRanges(unit, plan, typeId)
  for (const [fold, names] of sent) {
    emitFolding(unit, fold, names, { rows, count, ranges })
    unit.line(`${unit.call('giveSent', names.arrays)};`)
  }
  unit.line('}else{')
  emit(new Map(), true)
  unit.line('}')
}

/**
 * Code for the ranges of targets that threads fold into at the same time, which is an array of
 * their bounds; null: one thread folds. Edges that are met in one way alone stand in the order of
 * their targets: a thread finds its own by halving.
 */
function emitRanges(unit: Unit, plan: SelectPlan, typeId: number): string | null {
  const [step, ...others] = stepsFrom(unit, plan, typeId)
  if (step === undefined || others.length > 0 || step.direction === 'both') return null
  const out = step.direction === 'out'
  const offsets = bindOf(unit, step, out ? 'inOffsets' : 'outOffsets')
  const rowCount = bindOf(unit, step, out ? 'baseToCount' : 'baseFromCount')
  const targets = `[${offsets},${rowCount},${bindOf(unit, step, 'baseCount')},${step.toTypeId}]`
  const ranges = unit.name('k')
  unit.line(`const ${ranges}=${unit.call('rangesOf', targets, unit.call('threads'))};`)
  return ranges
}

interface Folding extends Pick<SourcesOfType, 'rows' | 'count'> {
  readonly ranges: string | null
}

/** What was sent, in the order of the sources, into the targets of one range after the other. */
function emitFolding(unit: Unit, { target }: Update, names: Sent, folding: Folding): void {
  if (target.kind !== 'vertexAccum') return
  const { rows, count, ranges } = folding
  const kind = registerKind(unit, accumType(unit, target))!
  const loop = inParts(unit, new Map(), 'share')
  loop(ranges === null ? '1' : `${ranges}.length-1`, (range) => {
    const [strip, stop, item] = [unit.name('k'), unit.name('k'), unit.name('j')]
    const [row, at, end] = [unit.name('c'), unit.name('p'), unit.name('k')]
    const [vertex, value] = [unit.name('u'), unit.name('w')]
    unit.line(`for(let ${strip}=0;${strip}<${count};${strip}+=${STRIP_SOURCES}){`)
    unit.line(`${unit.poll('0', '0')};`)
    const isLast = `${count}-${strip}<${STRIP_SOURCES}`
    unit.line(`const ${stop}=${isLast}?${count}:${strip}+${STRIP_SOURCES};`)
    unit.line(`for(let ${item}=${strip};${item}<${stop};${item}++){`)
    unit.line(`const ${row}=${rows}===null?${item}:${rows}[${item}];`)
    unit.line(`let ${at}=${names.starts}[${row}];const ${end}=${at}+${names.counts}[${row}];`)
    const isBehind = ranges === null ? null : emitOwn(unit, names, { ranges, range, at, end })
    unit.line(`for(;${at}<${end};${at}++){const ${vertex}=${names.vertices}[${at}];`)
    if (isBehind !== null) unit.line(`if(${isBehind(vertex)})break;`)
    unit.line(`const ${value}=${names.values}[${at}];`)
    const place = { state: `v${target.slot}[${vertex}]`, count: '' }
    emitRegister(unit, kind, place, { scalar: value, assign: false })
    unit.line('}}}')
  })
}

interface OwnPlace {
  readonly ranges: string
  readonly range: LoopRange
  readonly at: string
  readonly end: string
}

/** Writes the search for the first value of a source in a range; gives the test for its end. */
function emitOwn(
  unit: Unit,
  { vertices }: Sent,
  { ranges, range, at, end }: OwnPlace,
): (vertex: string) => string {
  const [high, middle] = [unit.name('k'), unit.name('k')]
  const isBefore = (place: string) => `${vertices}[${place}]<${ranges}[${range.first}]`
  unit.line(`if(${at}<${end}&&${isBefore(at)}){let ${high}=${end};while(${at}<${high}){`)
  unit.line(`const ${middle}=(${at}+${high})>>>1;`)
  unit.line(`if(${isBefore(middle)})${at}=${middle}+1;else ${high}=${middle};}}`)
  return (vertex) => `${vertex}>=${ranges}[${range.end}]`
}

/**
 * Writes where the sources of one segment begin to send, before their loop: in the place of the
 * edges of the first. They send one behind the other, so that few pages of memory are written.
 */
export function emitSends(
  unit: Unit,
  plan: SelectPlan,
  sent: ReadonlyMap<Update, Sent>,
  { typeId, rows, range }: Pick<SourcesOfType, 'typeId' | 'rows'> & { readonly range: LoopRange },
): void {
  if (sent.size === 0) return
  const row = unit.name('c')
  unit.line(`const ${row}=${rows}===null?${range.first}:${rows}[${range.first}];`)
  const place = placeOfSource(unit, stepsFrom(unit, plan, typeId), row)
  for (const { next } of sent.values()) unit.line(`let ${next}=${place};`)
}

/** Writes down what one source sends around what is done for it. */
export function emitSourceSends(unit: Unit, plan: SelectPlan, scope: Scope, emit: () => void) {
  const all = [...scope.sent.values()]
  const source = scope.vertices.get(plan.start)!
  for (const { starts, next } of all) unit.line(`${starts}[${source.row}]=${next};`)
  emit()
  for (const { starts, counts, next } of all) {
    unit.line(`${counts}[${source.row}]=${next}-${starts}[${source.row}];`)
  }
}

/** A row's statement. */
export function emitSend(unit: Unit, fold: Update, into: Sent, scope: Scope): void {
  const { target, value } = fold
  if (value.kind !== 'scalar' || target.kind !== 'vertexAccum') return
  if (target.of.kind !== 'vertexAlias') return
  const { vertices, values, next } = into
  const vertex = vertexNumber(unit, scope.vertices.get(target.of.position)!)
  unit.line(`${values}[${next}]=${unit.expression(value.value, scope)};`)
  unit.line(`${vertices}[${next}++]=${vertex};`)
}
