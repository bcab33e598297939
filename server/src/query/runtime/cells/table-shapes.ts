/** The collections that are hash tables: sets, bags (element → how often), maps and groups. */
import { COUNT, EXTRA } from './block.ts'
import type { Codec, Memory } from './codec.ts'
import { TableShape } from './table.ts'
import type { Printer, Value } from './value.ts'

export class SetShape extends TableShape {
  constructor(memory: Memory, id: number, element: Codec) {
    super(memory, id, { key: element, valueWidth: 0, plainValues: true })
  }

  override add(block: number, value: Value): void {
    this.ensure(block, value)
  }

  override has(block: number, value: Value): boolean {
    return this.hasKey(block, value)
  }

  override elementAt(block: number, index: number): Value {
    return this.keyAt(block, index)
  }

  remove(block: number, value: Value): void {
    this.removeKey(block, value)
  }

  /** Equal sets have the same elements in whatever order. */
  override compare(left: number, right: number): number {
    return compareKeys(this, left, right)
  }

  print(block: number, printer: Printer): void {
    printer.open('[')
    const count = this.size(block)
    for (let i = 0; i < count; i++) this.key.print(this.keyAt(block, i), printer, true)
    printer.close(']')
  }

  protected initValue(): void {}
  protected freeValue(): void {}
  protected copyValue(): void {}
}

/** Order of two tables of one size by their keys alone; 0: they have the same keys. */
function compareKeys(table: TableShape, left: number, right: number): number {
  const difference = table.size(left) - table.size(right)
  if (difference !== 0) return difference
  const count = table.entryCount(left)
  if (count !== table.entryCount(right)) return count - table.entryCount(right)
  for (let i = 0; i < count; i++) {
    if (!table.hasKey(right, table.keyAt(left, i))) return left - right
  }
  return 0
}

export class BagShape extends TableShape {
  constructor(memory: Memory, id: number, element: Codec) {
    super(memory, id, { key: element, valueWidth: 1, plainValues: true })
  }

  /** Elements with their repeats. */
  override size(block: number): number {
    return this.memory.arena.cells[block + EXTRA]!
  }

  override add(block: number, value: Value): void {
    this.addTimes(block, value, 1)
  }

  addTimes(block: number, value: Value, times: number): void {
    const at = this.ensure(block, value)
    const { cells } = this.memory.arena
    cells[at] = cells[at]! + times
    cells[block + EXTRA] = cells[block + EXTRA]! + times
  }

  /** How often the element of an entry is in the bag. */
  timesAt(block: number, index: number): number {
    return this.memory.arena.cells[this.valueCell(block, index)]!
  }

  override has(block: number, value: Value): boolean {
    return this.hasKey(block, value)
  }

  remove(block: number, value: Value, all: boolean): void {
    const at = this.lookup(block, value)
    if (at < 0) return
    const { cells } = this.memory.arena
    const count = cells[at]!
    const gone = all ? count : 1
    cells[block + EXTRA] = cells[block + EXTRA]! - gone
    if (gone === count) this.removeKey(block, value)
    else cells[at] = count - gone
  }

  override clear(block: number): void {
    super.clear(block)
    this.memory.arena.cells[block + EXTRA] = 0
  }

  /** Equal bags have every element equally often. */
  override compare(left: number, right: number): number {
    const keys = compareKeys(this, left, right)
    if (keys !== 0) return keys
    const { cells } = this.memory.arena
    for (let i = 0; i < this.entryCount(left); i++) {
      const other = this.lookup(right, this.keyAt(left, i))
      const difference = cells[this.valueCell(left, i)]! - cells[other]!
      if (difference !== 0) return difference
    }
    return 0
  }

  /** Calls back once for every element, repeats included. */
  forEach(block: number, visit: (value: Value) => void): void {
    const count = this.memory.arena.cells[block + COUNT]!
    for (let i = 0; i < count; i++) {
      const value = this.keyAt(block, i)
      const times = this.timesAt(block, i)
      for (let k = 0; k < times; k++) visit(value)
    }
  }

  print(block: number, printer: Printer): void {
    printer.open('[')
    this.forEach(block, (value) => this.key.print(value, printer, true))
    printer.close(']')
  }

  protected override copyExtra(from: number, to: number): void {
    this.memory.arena.cells[to + EXTRA] = this.memory.arena.cells[from + EXTRA]!
  }

  protected initValue(at: number): void {
    this.memory.arena.cells[at] = 0
  }

  protected freeValue(): void {}

  protected copyValue(from: number, to: number): void {
    this.memory.arena.cells[to] = this.memory.arena.cells[from]!
  }
}

export class MapShape extends TableShape {
  readonly value: Codec

  constructor(memory: Memory, id: number, parts: { key: Codec; value: Codec }) {
    const { key, value } = parts
    super(memory, id, { key, valueWidth: value.width, plainValues: value.isPlain })
    this.value = parts.value
  }

  /** A new key stores the value (folded into the start), a known one accumulates it. */
  foldEntry(block: number, key: Value, value: Value): void {
    const at = this.ensure(block, key)
    this.value.fold(at, value)
  }

  valueUnder(block: number, key: Value): Value {
    const at = this.lookup(block, key)
    return at < 0 ? this.value.zero() : this.value.read(at)
  }

  valueAt(block: number, index: number): Value {
    return this.value.read(this.valueCell(block, index))
  }

  override has(block: number, key: Value): boolean {
    return this.hasKey(block, key)
  }

  /** Equal maps have equal values under the same keys. */
  override compare(left: number, right: number): number {
    const keys = compareKeys(this, left, right)
    if (keys !== 0) return keys
    for (let i = 0; i < this.size(left); i++) {
      const order = this.value.compare(
        this.valueAt(left, i),
        this.valueUnder(right, this.keyAt(left, i)),
      )
      if (order !== 0) return order
    }
    return 0
  }

  override elementAt(block: number, index: number): Value {
    return this.keyAt(block, index)
  }

  print(block: number, printer: Printer): void {
    printer.open('{')
    const count = this.size(block)
    for (let i = 0; i < count; i++) {
      printer.key(this.key.keyText(this.keyAt(block, i), printer))
      this.value.print(this.valueAt(block, i), printer, true)
    }
    printer.close('}')
  }

  protected initValue(at: number): void {
    this.value.init(at)
  }

  protected freeValue(at: number): void {
    this.value.free(at)
  }

  protected copyValue(from: number, to: number): void {
    this.value.copy(from, to)
  }
}

export interface GroupColumn {
  readonly name: string
  readonly codec: Codec
}

/** GroupByAccum: the key is a tuple, the value one accumulator per column. */
export class GroupShape extends TableShape {
  readonly keys: readonly GroupColumn[]
  readonly values: readonly GroupColumn[]

  constructor(
    memory: Memory,
    id: number,
    parts: { key: Codec; keys: readonly GroupColumn[]; values: readonly GroupColumn[] },
  ) {
    const valueWidth = parts.values.reduce((sum, { codec }) => sum + codec.width, 0)
    const plainValues = parts.values.every(({ codec }) => codec.isPlain)
    super(memory, id, { key: parts.key, valueWidth, plainValues })
    this.keys = parts.keys
    this.values = parts.values
  }

  /** The cell of a column, given the first value cell of the row. */
  cellOf(row: number, column: number): number {
    let at = row
    for (let i = 0; i < column; i++) at += this.values[i]!.codec.width
    return at
  }

  rowAt(row: number): readonly Value[] {
    return this.values.map(({ codec }, i) => codec.read(this.cellOf(row, i)))
  }

  override elementAt(block: number, index: number): Value {
    const keys = this.keyAt(block, index) as readonly Value[]
    return [...keys, ...this.rowAt(this.valueCell(block, index))]
  }

  /** Equal groups have equal rows under the same keys. */
  override compare(left: number, right: number): number {
    const keys = compareKeys(this, left, right)
    if (keys !== 0) return keys
    for (let i = 0; i < this.size(left); i++) {
      const row = this.rowAt(this.valueCell(left, i))
      const other = this.rowAt(this.lookup(right, this.keyAt(left, i)))
      for (let column = 0; column < row.length; column++) {
        const order = this.values[column]!.codec.compare(row[column]!, other[column]!)
        if (order !== 0) return order
      }
    }
    return 0
  }

  valueUnder(block: number, key: Value): Value {
    const row = this.lookup(block, key)
    const values = row < 0 ? this.values.map(({ codec }) => codec.zero()) : this.rowAt(row)
    return [...(key as readonly Value[]), ...values]
  }

  override has(block: number, key: Value): boolean {
    return this.hasKey(block, key)
  }

  print(block: number, printer: Printer): void {
    const encoder = new TextEncoder()
    const columns = [...this.keys, ...this.values]
    const names = columns.map(({ name }) => encoder.encode(name))
    printer.open('[')
    const count = this.size(block)
    for (let i = 0; i < count; i++) {
      const row = this.elementAt(block, i) as readonly Value[]
      printer.open('{')
      columns.forEach(({ codec }, c) => {
        printer.key(names[c]!)
        codec.print(row[c]!, printer, false)
      })
      printer.close('}')
    }
    printer.close(']')
  }

  protected initValue(at: number): void {
    this.values.forEach(({ codec }, i) => {
      codec.init(this.cellOf(at, i))
    })
  }

  protected freeValue(at: number): void {
    this.values.forEach(({ codec }, i) => {
      codec.free(this.cellOf(at, i))
    })
  }

  protected copyValue(from: number, to: number): void {
    this.values.forEach(({ codec }, i) => {
      codec.copy(this.cellOf(from, i), this.cellOf(to, i))
    })
  }
}
