/**
 * Loops whose sources send values to the other ends of their edges (`plan/sent-folds.ts`). What a
 * source sends is written to the place that its edges have in the adjacency, as what it collects is
 * (`collected-sets.ts`); when the loop is over the run folds it in the order of the sources.
 */
import type { Update } from '#query/plan/collected-folds.ts'
import type { SelectPlan } from '#query/plan/select-plan.ts'
import { sentFolds } from '#query/plan/sent-folds.ts'
import { vertexNumber } from './access.ts'
import { registerKind } from './accum-kinds.ts'
import { accumType, emitRegister } from './accum-write.ts'
import { haveEdgesPlaces, placeOfSource, roomFor, stepsFrom } from './collected-sets.ts'
import type { Scope } from './scope.ts'
import type { Unit } from './unit.ts'

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
  /** Of the source at hand: where the next one goes. */
  readonly next: string
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
  const sends = unit.call('sends', rows, typeId, `(${room})*${folds.length}`)
  unit.line(`if(${unit.call('threads')}>1&&${sends}){`)
  const sent = new Map<Update, Sent>()
  for (const fold of folds) {
    const name = () => unit.name('k')
    const names = { vertices: name(), values: name(), starts: name(), counts: name(), next: name() }
    const rowCount = unit.call('rowCountOf', 'null', typeId)
    unit.line(`const ${names.vertices}=${unit.call('takeWords', room)};`)
    unit.line(`const ${names.values}=${unit.call('takeDoubles', room)};`)
    unit.line(`const ${names.starts}=${unit.call('takeWords', rowCount)};`)
    unit.line(`const ${names.counts}=${unit.call('takeWords', rowCount)};`)
    sent.set(fold, names)
  }
  emit(sent, false)
  for (const [fold, names] of sent) emitFolding(unit, fold, names, { rows, count })
  unit.line('}else{')
  emit(new Map(), true)
  unit.line('}')
}

function emitFolding(
  unit: Unit,
  { target }: Update,
  names: Sent,
  { rows, count }: Pick<SourcesOfType, 'rows' | 'count'>,
): void {
  if (target.kind !== 'vertexAccum') return
  const kind = registerKind(unit, accumType(unit, target))!
  const { vertices, values, starts, counts } = names
  const [strip, stop, item] = [unit.name('k'), unit.name('k'), unit.name('j')]
  const [row, at, end] = [unit.name('c'), unit.name('p'), unit.name('k')]
  const [vertex, value] = [unit.name('u'), unit.name('w')]
  unit.line(`for(let ${strip}=0;${strip}<${count};${strip}+=${STRIP_SOURCES}){`)
  unit.line(`${unit.poll('0', '0')};`)
  unit.line(`const ${stop}=${count}-${strip}<${STRIP_SOURCES}?${count}:${strip}+${STRIP_SOURCES};`)
  unit.line(`for(let ${item}=${strip};${item}<${stop};${item}++){`)
  unit.line(`const ${row}=${rows}===null?${item}:${rows}[${item}];`)
  unit.line(`const ${end}=${starts}[${row}]+${counts}[${row}];`)
  unit.line(`for(let ${at}=${starts}[${row}];${at}<${end};${at}++){`)
  unit.line(`const ${vertex}=${vertices}[${at}];const ${value}=${values}[${at}];`)
  const place = { state: `v${target.slot}[${vertex}]`, count: '' }
  emitRegister(unit, kind, place, { scalar: value, assign: false })
  unit.line('}}}')
  for (const name of [vertices, values, starts, counts]) {
    unit.line(`${unit.call('giveArray', name)};`)
  }
}

/** Writes what one source sends around what is done for it. */
export function emitSourceSends(unit: Unit, plan: SelectPlan, scope: Scope, emit: () => void) {
  const all = [...scope.sent.values()]
  const source = scope.vertices.get(plan.start)!
  for (const { starts, counts, next } of all) {
    const place = placeOfSource(unit, stepsFrom(unit, plan, source.typeId), source.row)
    unit.line(`let ${next}=${place};${starts}[${source.row}]=${next};${counts}[${source.row}]=0;`)
  }
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
