/** The vertices of one type, as the writer holds them: ids, attribute columns, tombstones. */
import { keyKinds } from '#catalog/key-parts.ts'
import type { AttributeType, IdTypeName, TupleType, VertexType } from '#catalog/types.ts'
import { storedAttributes } from '#catalog/vectors.ts'
import type { VertexTableView } from '#graph/view.ts'
import { formatDatetime } from '#kernel/datetime.ts'
import { type ChangeJournal, hasColumns } from '../adjacency/adjacency.ts'
import { growColumns, rowCapacity } from '../columns/capacity.ts'
import type { Column, Memory } from '../columns/column.ts'
import { columnsOf } from '../columns/columns-of.ts'
import { type MadeBefore, nothingMade } from '../columns/made-columns.ts'
import type { WideNumber } from '../columns/widening.ts'
import { NumberIds } from '../ids/number-ids.ts'
import { parseNumericId } from '../ids/read.ts'
import { type StoredIds, StringIds } from '../ids/string-ids.ts'
import { ColumnIndex } from '../index/column-index.ts'
import { Bits } from '../memory/bits.ts'
import { Growable } from '../memory/growable.ts'
import type { RowLog } from '../vectors/row-log.ts'
import { attributeTypeOf } from './attribute-type.ts'

// A byte order mark is a character of the text like any other.
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
const encoder = new TextEncoder()

export interface VertexParts {
  readonly ids: StoredIds
  readonly retired: StoredIds | null
  readonly ordinals: Float64Array<SharedArrayBuffer> | null
  readonly nextOrdinal: number
  readonly columns: readonly Column[]
  readonly deleted: Bits
}

export class VertexTable {
  type: VertexType
  readonly ids: StringIds | NumberIds
  readonly isNumericId: boolean
  readonly deleted: Bits
  /** Ids that were deleted permanently; null while there are none. */
  retired: StringIds | NumberIds | null = null
  columns: Column[]
  /** Secondary indexes, at most one per attribute. */
  indexes: readonly ColumnIndex[] = []
  /** Changed since the last checkpoint. */
  isModified = false
  /** While a rebuild leaves the dead rows out: which rows change meanwhile. */
  journal: ChangeJournal | null = null
  /** While vector indexes follow the table: which vertices change. */
  rowLog: RowLog | null = null
  /** How many vertices of the type were ever made. */
  nextOrdinal: number
  readonly #memory: Memory
  #ordinals: Growable<'float64'> | null = null
  #capacity = 0
  #view: VertexTableView | null = null
  /** Columns that hold parts of the id (PRIMARY_KEY and COMPOSITE), in key order. */
  #keyColumns: Column[] = []

  constructor(type: VertexType, tuples: readonly TupleType[], memory: Memory, parts?: VertexParts) {
    this.type = type
    this.#memory = memory
    this.isNumericId = type.primaryId.type !== 'STRING'
    this.ids = makeIds(type.primaryId.type, memory, parts?.ids)
    if (parts?.retired) this.retired = makeIds(type.primaryId.type, memory, parts.retired)
    if (parts?.ordinals) this.#ordinals = new Growable('float64', memory.meter, parts.ordinals)
    this.nextOrdinal = parts?.nextOrdinal ?? this.ids.count
    this.columns = [...(parts?.columns ?? [])]
    this.deleted = parts?.deleted ?? new Bits(memory.meter, memory.versions)
    this.#capacity = rowCapacity(this.columns, this.rowCount)
    this.setType(type, tuples)
  }

  /** Rows in use, deleted ones included. */
  get rowCount(): number {
    return this.ids.count
  }

  get liveCount(): number {
    return this.ids.count - this.deleted.count
  }

  get sizeBytes(): number {
    const columns = this.columns.reduce((sum, column) => sum + column.sizeBytes, 0)
    const indexes = this.indexes.reduce((sum, index) => sum + index.sizeBytes, 0)
    const retired = (this.retired?.sizeBytes ?? 0) + (this.#ordinals?.sizeBytes ?? 0)
    return this.ids.sizeBytes + retired + this.deleted.sizeBytes + columns + indexes
  }

  /**
   * Follows a changed definition: drops columns, adds new ones with their default in every row, or
   * with the values of one that they were made from.
   */
  setType(type: VertexType, tuples: readonly TupleType[], made: MadeBefore = nothingMade): void {
    const old = this.columns
    const attributes = storedAttributes(type)
    if (!hasColumns(old, attributes)) this.isModified = true
    this.type = type
    const { rowCount, deleted } = this
    const rows = { memory: this.#memory, rowCount, isDead: (row: number) => deleted.has(row) }
    this.columns = columnsOf(attributes, tuples, old, { ...rows, made })
    const indexes = this.#reconcileIndexes()
    for (const index of this.indexes) if (!indexes.includes(index)) index.release()
    this.indexes = indexes
    this.#keyColumns = this.#findKeyColumns()
    // Not more than before: columns that were widened since have room without the default in it.
    this.#capacity = Math.min(this.#capacity, rowCapacity(this.columns, this.rowCount))
    this.deleted.ensure(this.#capacity)
    this.#view = null
  }

  /** Forget the last view: something that it shows has changed. */
  changed(): void {
    this.#view = null
  }

  /** @throws DbError CORRUPT_LOG for an attribute the type does not have. */
  attributeType(attributeId: number): AttributeType {
    return attributeTypeOf(this.type.name, storedAttributes(this.type), attributeId)
  }

  /** The text of a numeric id from the 64 bits of a frame. */
  numericIdText(bits: bigint): string {
    const { type } = this.ids.view()
    if (type === 'DATETIME') return formatDatetime(Number(bits))
    return String(type === 'UINT' ? BigInt.asUintN(64, bits) : bits)
  }

  /** Somebody wants to be told of changed rows. */
  get isIndexed(): boolean {
    return this.indexes.length > 0 || this.rowLog !== null
  }

  /** The row came to be, went, or its values have changed. */
  touchIndexes(row: number): void {
    for (const index of this.indexes) index.touch(row)
    this.rowLog?.note(this.#ordinals === null ? row : this.#ordinals.array[row]!)
  }

  indexOn(attributeId: number): ColumnIndex | undefined {
    return this.indexes.find((index) => index.attributeId === attributeId)
  }

  /** The row of a living vertex, or -1. */
  find(bytes: Uint8Array, start: number, end: number): number {
    return this.ids.find(bytes, start, end, this.deleted)
  }

  /** The row of a vertex, `rowCount` of before the call when it was made by it. */
  findOrCreate(bytes: Uint8Array, start: number, end: number): number {
    const before = this.ids.count
    // Who reads an older version may still look for the dead row of the id: it keeps its slot.
    const isRead = this.#memory.versions.newest !== 0
    const found = isRead ? this.find(bytes, start, end) : -1
    if (found >= 0) return found
    const row = isRead
      ? this.ids.add(bytes, start, end)
      : this.ids.findOrAdd(bytes, start, end, this.deleted)
    if (row === before) this.#create(row)
    return row
  }

  /** Makes a row of another table this table's last one: its id, its values, not its death. */
  copyRow(source: VertexTable, sourceRow: number): number {
    const row = source.ids.copyId(sourceRow, this.ids)
    this.#create(row)
    this.copyValues(source, sourceRow, row)
    return row
  }

  /** Brings a row to the values of another table's row. */
  copyValues(source: VertexTable, sourceRow: number, row: number): void {
    for (const [index, column] of this.columns.entries()) {
      column.copyFrom(source.columns[index]!, sourceRow, row)
    }
    if (this.isIndexed) this.touchIndexes(row)
  }

  /** A new vertex: attributes at their defaults, key attributes from the id. */
  #create(row: number): void {
    this.isModified = true
    if (row >= this.#capacity) this.#grow(row + 1)
    this.#countCreation(row)
    if (this.#keyColumns.length > 0) this.#writeKeyColumns(row)
    if (this.isIndexed) this.touchIndexes(row)
  }

  /** The id of a row may never be inserted again. */
  retire(row: number): void {
    this.retired ??= makeIds(this.type.primaryId.type, this.#memory)
    this.ids.copyId(row, this.retired)
  }

  isRetired(bytes: Uint8Array, start: number, end: number): boolean {
    return this.retired !== null && this.retired.find(bytes, start, end) >= 0
  }

  #countCreation(row: number): void {
    const ordinals = this.#ordinals
    if (ordinals !== null) {
      ordinals.ensure(row + 1)
      ordinals.array[row] = this.nextOrdinal
    }
    this.nextOrdinal += 1
  }

  delete(row: number): void {
    this.isModified = true
    this.journal?.touched(row)
    this.deleted.set(row, this.#capacity)
    for (const column of this.columns) column.forget(row)
    if (this.isIndexed) this.touchIndexes(row)
  }

  view(): VertexTableView {
    this.#view ??= {
      typeId: this.type.id,
      typeName: this.type.name,
      rowCount: this.rowCount,
      ordinals: this.#ordinals?.array ?? null,
      liveCount: this.liveCount,
      deleted: this.deleted.view(),
      ids: this.ids.view(),
      keyKinds: keyKinds(this.type),
      columns: this.columns.map((column) => column.view()),
    }
    return this.#view
  }

  release(): void {
    for (const index of this.indexes) index.release()
    this.ids.release()
    this.#ordinals?.release()
    this.retired?.release()
    this.deleted.release()
    for (const column of this.columns) column.release()
  }

  /** Takes over from the table this one was made from and caught up with. */
  succeed(old: VertexTable): void {
    this.retired = old.retired
    old.retired = null
    this.rowLog = old.rowLog
    this.isModified = old.isModified
    this.#view = null
    this.columns.forEach((column, index) => {
      column.inherit(old.columns[index]!)
    })
  }

  /** Lets go of everything but strings and retired ids, with which a compacted table goes on. */
  releaseRows(): void {
    for (const index of this.indexes) index.release()
    this.ids.release()
    this.#ordinals?.release()
    this.deleted.release()
    for (const column of this.columns) column.releaseRows()
  }

  #reconcileIndexes(): ColumnIndex[] {
    return this.type.indexes.flatMap(({ name, attributeId }) => {
      const kept = this.indexes.find((index) => index.name === name)
      if (kept !== undefined && kept.attributeId === attributeId) return kept
      const column = this.columns.find((one) => one.attribute.id === attributeId)
      return column === undefined ? [] : new ColumnIndex(name, column, this, this.#memory.meter)
    })
  }

  #grow(rowCount: number): void {
    this.#capacity = growColumns(this.columns, rowCount)
    this.deleted.ensure(this.#capacity)
  }

  #findKeyColumns(): Column[] {
    const { syntax, names } = this.type.primaryId
    if (syntax === 'PRIMARY_ID') return []
    return names.flatMap(
      (name) => this.columns.find((column) => column.attribute.name === name) ?? [],
    )
  }

  /** A composite id is its parts joined by commas; a comma too many belongs to the last part. */
  #writeKeyColumns(row: number): void {
    const view = this.ids.view()
    if (view.values !== null) {
      const value = view.values[row]!
      const exact = view.type === 'UINT' ? BigInt.asUintN(64, value) : value
      this.#keyColumns[0]!.writeNumber(row, exact)
      return
    }
    const text = decoder.decode(view.bytes!.slice(view.offsets![row]!, view.offsets![row + 1]!))
    const parts = this.#keyParts(text)
    this.#keyColumns.forEach((column, index) => {
      const value = keyValue(column, parts[index] ?? '')
      if (typeof value !== 'object') column.writeNumber(row, value)
      else column.writeBytes(row, value, { start: 0, length: value.length })
    })
  }

  #keyParts(text: string): string[] {
    const isComposite = this.type.primaryId.syntax === 'COMPOSITE'
    return isComposite ? splitKey(text, this.#keyColumns.length) : [text]
  }

  /** Numbers of some id would make a column copy so many rows that others run between them. */
  get mayKeyWidenLong(): boolean {
    return this.#keyColumns.some((column) => column.mayWidenLong)
  }

  /** False: `wideKeyParts` finds none. Without an object, for the loop over the entries of a batch. */
  mayKeyBeWide(
    { bytes, view }: { readonly bytes: Uint8Array; readonly view: DataView },
    start: number,
    end: number,
  ): boolean {
    if (!this.isNumericId) return this.#mayTextBeWide(bytes, start, end)
    const column = this.#keyColumns[0]
    if (column === undefined) return false
    const isUint = this.type.primaryId.type === 'UINT'
    const high = isUint ? view.getUint32(start + 4, true) : view.getInt32(start + 4, true)
    const value = high * 2 ** 32 + view.getUint32(start, true)
    return !Number.isSafeInteger(value) || column.widensLong(value)
  }

  #mayTextBeWide(bytes: Uint8Array, start: number, end: number): boolean {
    let digitCount = Number.POSITIVE_INFINITY
    for (let index = 0; index < this.#keyColumns.length; index++) {
      const column = this.#keyColumns[index]!
      if (!column.mayWidenLong) continue
      const isShort = column.storage !== 'float64'
      // A date of few digits may be a large number of seconds.
      if (isShort && column.attribute.type.kind === 'DATETIME') return true
      digitCount = Math.min(digitCount, isShort ? LONG_NUMBER_DIGITS : UNSAFE_NUMBER_DIGITS)
    }
    return hasDigits(bytes, start, end, digitCount)
  }

  /** The columns that have to be widened for numbers of an id. */
  wideKeyParts(bytes: Uint8Array, start: number, end: number): WideNumber[] {
    if (this.isNumericId) {
      const view = new DataView(bytes.buffer, bytes.byteOffset + start, end - start)
      const isUint = this.type.primaryId.type === 'UINT'
      const value = isUint ? view.getBigUint64(0, true) : view.getBigInt64(0, true)
      const [column] = this.#keyColumns
      return column?.widensLong(value) ? [{ column, value }] : []
    }
    const parts = this.#keyParts(decoder.decode(bytes.slice(start, end)))
    return this.#keyColumns.flatMap((column, index) => {
      const value = column.mayWidenLong ? keyValue(column, parts[index] ?? '') : 0
      return typeof value !== 'object' && column.widensLong(value) ? { column, value } : []
    })
  }
}

function makeIds(type: IdTypeName, memory: Memory, stored?: StoredIds): StringIds | NumberIds {
  return type === 'STRING'
    ? new StringIds(memory.meter, stored)
    : new NumberIds(type, memory.meter, stored)
}

/** Numbers of fewer digits have room in 32 bits with a sign. */
const LONG_NUMBER_DIGITS = 10
/** Numbers of fewer digits are safe integers. */
const UNSAFE_NUMBER_DIGITS = 16

/** Whether a text has so many digits one after the other. */
function hasDigits(bytes: Uint8Array, start: number, end: number, digitCount: number): boolean {
  let count = 0
  for (let position = start; position < end; position++) {
    const byte = bytes[position]!
    count = byte >= 0x30 && byte <= 0x39 ? count + 1 : 0
    if (count === digitCount) return true
  }
  return false
}

function splitKey(text: string, count: number): string[] {
  const parts: string[] = []
  let rest = text
  for (let i = 1; i < count; i++) {
    const comma = rest.indexOf(',')
    if (comma < 0) break
    parts.push(rest.slice(0, comma))
    rest = rest.slice(comma + 1)
  }
  return [...parts, rest]
}

/** A part of an id as its column stores it. */
function keyValue(column: Column, text: string): number | bigint | Uint8Array {
  switch (column.attribute.type.kind) {
    case 'INT':
    case 'UINT':
    case 'DATETIME':
      return parseNumericId(column.attribute.type.kind, text) ?? 0n
    case 'FLOAT':
    case 'DOUBLE':
      return Number(text) || 0
    case 'BOOL':
      return text === 'true' ? 1 : 0
    default:
      return encoder.encode(text)
  }
}
