/**
 * Loops as functions of their own, which the runtime calls for one segment after the other or hands
 * to several threads (`runtime/parallel/divided-loops.ts`).
 *
 * A part gets what it needs by the names it has around it, cuts the bitmaps that it marks itself
 * (each thread has its own), and folds what it adds to global accumulators into locals of the same
 * names, which it leaves in the cells of its segment. The first segment starts from what was there
 * before; the others are folded behind it in their order, by the code that this file writes after
 * the loop.
 */
import { isOrdered } from '#query/plan/parallel/parallel-shape.ts'
import type { CopiedInput, Kept } from '#query/runtime/parallel/column-copies.ts'
import { type ItemSize, SEGMENT_ITEMS } from '#query/runtime/parallel/divided-loops.ts'
import type { PartialFolds } from '#query/runtime/parallel/partial-blocks.ts'
import { emitRegister } from '../accumulate/accum-write.ts'
import { type RegisterKind, registerKind } from '../expressions/accum-kinds.ts'
import { addedText, declared } from '../select/kept-rows.ts'
import { freeNames } from './free-names.ts'
import { localBindings, partText } from './function.ts'
import type { Unit } from './unit.ts'

export interface LoopRange {
  readonly first: string
  readonly end: string
}

/** With the edges of fewer segments one thread is done before another has begun. */
const SEGMENTS_TO_SHARE = 4

/** Code for the least edges of a loop that is worth a second thread. */
export function edgesToShare(unit: Unit): string {
  return unit.bind('edges to share', ({ input }) => {
    return SEGMENTS_TO_SHARE * (input.segmentItems ?? SEGMENT_ITEMS)
  })
}

/** Runs over items 0 to `items`, in parts or in one piece. */
export type EmitLoop = (items: string, body: (range: LoopRange) => void) => void

/** Local names of the globals that a clause writes, by slot. */
export type WrittenGlobals = ReadonlyMap<number, string>

export const inOnePiece: EmitLoop = (items, body) => body({ first: '0', end: items })

/** Whether all are numbers, which cells can hold. */
export function fitsCells(unit: Unit, globals: WrittenGlobals): boolean {
  return [...globals.keys()].every(
    (slot) => registerKind(unit, unit.query.globalAccums[slot]!.type) !== null,
  )
}

/** By slot of a vertex accumulator of which each thread has a copy: what is kept in the end. */
export type CopiedColumns = ReadonlyMap<number, Kept>

interface PartOptions {
  /** Whether its segments fold into collections of their own as well. */
  readonly folds?: PartialFolds
  readonly copied?: CopiedColumns
}

export function inParts(
  unit: Unit,
  globals: WrittenGlobals,
  size: ItemSize,
  { folds = 'none', copied = new Map() }: PartOptions = {},
): EmitLoop {
  return (items, body) => {
    const [segment, first, end] = [unit.name('k'), unit.name('k'), unit.name('k')]
    const written = unit.capture(() => body({ first, end }))
    const counting = countedIn(unit, written)
    const loop = `${written}${counting.added}`
    const registers = registersOf(unit, globals)
    const own = new Set(registers.map(({ name }) => name))
    const isOwn = (name: string) =>
      own.has(name) || name === first || name === end || counting.locals.includes(name)
    const inputs = new Set<string>()
    const cuts: string[] = []
    for (const name of freeNames(loop)) {
      const cut = /^(m\d+)_t(\d+)$/.exec(name)
      if (cut !== null) {
        inputs.add(cut[1]!)
        cuts.push(partText(unit, name))
      } else if (!isOwn(name)) inputs.add(name)
    }
    for (const { name } of registers) inputs.add(name)
    const names = [...inputs]
    const before = names.map((name, i) => declaration(name, { i, segment, registers }))
    const width = registers.reduce((sum, { cells }) => sum + cells.length, 0)
    const after = registers
      .flatMap(({ cells }) => cells)
      .map((cell, i) => `Z[${segment}*${width}+${i}]=${cell};`)
    const done = `${unit.work()};`
    const part = unit.name('q')
    const index = unit.partNames.push(part) - 1
    unit.functions.push(
      [
        `function ${part}(P,${segment},${first},${end}){let ec=0,rc=0;const Z=P[${names.length}];`,
        localBindings(`${cuts.join('')}${loop}${done}`),
        ...before,
        ...cuts,
        declared(counting.locals),
        loop,
        done,
        `${after.join('')}}`,
      ].join('\n'),
    )
    const isReal = (slot: number) => isOrdered(unit.query.globalAccums[slot]!.type)
    const ordered = folds === 'ordered' || [...globals.keys()].some(isReal)
    const marks = names.flatMap((name, i) => (/^m\d+$/.test(name) ? [i] : []))
    const copies = names.flatMap((name, input) => copiedInput(name, input, copied))
    const division = { part: index, size, ordered, width, marks, copies, folds }
    emitCall(unit, { part, names, items, division, registers })
  }
}

function copiedInput(name: string, input: number, copied: CopiedColumns): CopiedInput[] {
  const slot = /^v(\d+)_t\d+$/.exec(name)
  const keeps = slot === null ? undefined : copied.get(Number(slot[1]))
  return keeps === undefined ? [] : [{ input, keeps }]
}

/** The counters of kept rows that a part has for itself, and what adds them up at its end. */
function countedIn(
  unit: Unit,
  text: string,
): { readonly locals: readonly string[]; readonly added: string } {
  const { kept } = unit
  if (kept === null) return { locals: [], added: '' }
  const named = new Set(freeNames(text))
  const locals = kept.locals.filter((local) => named.has(local))
  return { locals, added: `\n${addedText(unit, kept, locals)}` }
}

/** A local of a part that stands for a global, and how a segment's is folded behind the others. */
interface Register {
  readonly name: string
  readonly initial: string
  /** What it leaves in cells. */
  readonly cells: readonly string[]
  /** Its value, read from them. */
  readonly read: (cells: readonly string[]) => string
  readonly fold: (value: string) => string
}

function registersOf(unit: Unit, globals: WrittenGlobals): readonly Register[] {
  return [...globals].flatMap(([slot, name]): Register[] => {
    const kind = registerKind(unit, unit.query.globalAccums[slot]!.type)!
    const common = { name, initial: kind.initial, ...inCells(unit, kind, name) }
    if (kind.fold !== 'avg') {
      return [{ ...common, fold: (cell) => foldText(unit, { kind, name, cell }) }]
    }
    const count = `${name}_c`
    const add = (state: string) => (cell: string) => `${state}+=${cell};`
    const counts = { name: count, initial: '0', ...inCells(unit, kind, count), fold: add(count) }
    return [{ ...common, fold: add(name) }, counts]
  })
}

/** One cell, or two for a bigint: a cell is a double. */
function inCells(
  unit: Unit,
  { column }: RegisterKind,
  name: string,
): Pick<Register, 'cells' | 'read'> {
  if (column !== 'i64' && column !== 'u64') return { cells: [name], read: ([cell]) => cell! }
  return {
    cells: [unit.call('highWord', name), unit.call('lowWord', name)],
    read: ([high, low]) => unit.call('fromWords', high!, low!),
  }
}

function foldText(
  unit: Unit,
  {
    kind,
    name,
    cell,
  }: { readonly kind: RegisterKind; readonly name: string; readonly cell: string },
): string {
  const place = { state: name, count: `${name}_c` }
  return unit.capture(() => emitRegister(unit, kind, place, { scalar: cell, assign: false }))
}

function declaration(
  name: string,
  at: { readonly i: number; readonly segment: string; readonly registers: readonly Register[] },
): string {
  const register = at.registers.find((one) => one.name === name)
  if (register === undefined) return `const ${name}=P[${at.i}];`
  return `let ${name}=${at.segment}===0?P[${at.i}]:${register.initial};`
}

interface PartCall {
  readonly part: string
  readonly names: readonly string[]
  readonly items: string
  readonly division: {
    readonly part: number
    readonly size: ItemSize
    readonly ordered: boolean
    readonly width: number
    readonly marks: readonly number[]
    readonly copies: readonly CopiedInput[]
    readonly folds: PartialFolds
  }
  readonly registers: readonly Register[]
}

function emitCall(unit: Unit, { part, names, items, division, registers }: PartCall): void {
  const how = unit.bind(`division ${JSON.stringify(division)}`, () => division)
  const [cells, at] = [unit.name('k'), unit.name('k')]
  const call = unit.call('divide', part, how, `[${names.join(',')}]`, items)
  if (registers.length === 0) {
    unit.line(`${call};`)
    return
  }
  unit.line(`const ${cells}=${call};`)
  const { width } = division
  const first = registers.map((_, i) => registers.slice(0, i).flatMap((one) => one.cells).length)
  const valueIn = ({ cells: own, read }: Register, i: number, base: string) =>
    read(own.map((_, k) => `${cells}[${base}${first[i]! + k}]`))
  registers.forEach((register, i) => {
    unit.line(`${register.name}=${valueIn(register, i, '')};`)
  })
  unit.line(`for(let ${at}=${width};${at}<${cells}.length;${at}+=${width}){`)
  registers.forEach((register, i) => {
    const value = unit.name('w')
    unit.line(`const ${value}=${valueIn(register, i, `${at}+`)};${register.fold(value)}`)
  })
  unit.line('}')
}
