/** How each collection goes into a parcel for another thread, and comes out of it. */
import { assert } from '#kernel/assert.ts'
import { BitsShape } from '../cells/bits.ts'
import { type BlockCodec, type BlockShape, CellShape } from '../cells/block.ts'
import { type Codec, StringCodec, TupleCodec } from '../cells/codec.ts'
import { ExtremeCodec, RopeCodec, WrappingCodec } from '../cells/fold-codecs.ts'
import { HeapShape } from '../cells/heap.ts'
import { ListShape } from '../cells/list.ts'
import { TableShape } from '../cells/table.ts'
import { GroupShape, MapShape } from '../cells/table-shapes.ts'
import { VertexCollectionShape } from '../cells/vertex-collection.ts'
import type { ParcelReader, ParcelWriter } from './parcels.ts'

export function packBlock(shape: BlockShape, block: number, out: ParcelWriter): void {
  if (shape instanceof BitsShape) out.copy(block + 1, shape.wordCount)
  else if (shape instanceof CellShape) packCell(shape.codec, block + 1, out)
  else {
    const count = shape instanceof TableShape ? shape.entryCount(block) : shape.size(block)
    out.number(count)
    if (shape instanceof VertexCollectionShape) {
      for (let i = 0; i < count; i++) out.number(shape.keyAt(block, i) as number)
    } else if (shape instanceof TableShape) packTable(shape, block, out)
    else if (shape instanceof ListShape) packList(shape, block, out)
    else packHeap(shape, block, out)
  }
}

/** A block like the one that was packed, to be folded into another and thrown away. */
export function unpackBlock(shape: BlockShape, from: ParcelReader): number {
  if (shape instanceof BitsShape) {
    const block = shape.make()
    from.copy(block + 1, shape.wordCount)
    return block
  }
  if (shape instanceof CellShape) {
    const block = shape.make()
    unpackCell(shape.codec, block + 1, from)
    return block
  }
  const count = from.number()
  if (shape instanceof VertexCollectionShape) {
    const block = shape.make()
    const members = Int32Array.from({ length: count }, () => from.number())
    if (count > 0) shape.addAll(block, members, 0, count)
    return block
  }
  if (shape instanceof TableShape) return unpackTable(shape, count, from)
  if (shape instanceof ListShape) return unpackList(shape, count, from)
  return unpackHeap(shape, count, from)
}

function packTable(table: TableShape, block: number, out: ParcelWriter): void {
  const count = table.entryCount(block)
  const codecs = codecsOf(table)
  if (codecs.every(isPortable)) {
    out.copy(table.entry(block, 0), count * table.entryWidth)
    return
  }
  for (let i = 0; i < count; i++) packCells(codecs, table.entry(block, i), out)
  if (hasCounts(table)) for (let i = 0; i < count; i++) out.copy(table.valueCell(block, i), 1)
}

function unpackTable(table: TableShape, count: number, from: ParcelReader): number {
  const block = table.makeRoomFor(count)
  const codecs = codecsOf(table)
  if (codecs.every(isPortable)) {
    from.copy(table.entry(block, 0), count * table.entryWidth)
    return block
  }
  for (let i = 0; i < count; i++) unpackCells(codecs, table.entry(block, i), from)
  if (hasCounts(table)) for (let i = 0; i < count; i++) from.copy(table.valueCell(block, i), 1)
  return block
}

/** Of the cells of an entry, one behind the other. */
function codecsOf(table: TableShape): readonly Codec[] {
  if (table instanceof MapShape) return [table.key, table.value]
  if (table instanceof GroupShape) return [table.key, ...table.values.map(({ codec }) => codec)]
  return [table.key]
}

/** A bag has a count behind each element, which no codec reads. */
function hasCounts(table: TableShape): boolean {
  return !(table instanceof MapShape || table instanceof GroupShape) && table.valueWidth > 0
}

function packList(list: ListShape, block: number, out: ParcelWriter): void {
  const { element } = list
  const count = list.size(block)
  if (isPortable(element)) out.copy(list.place(block, 0), count * element.width)
  else for (let i = 0; i < count; i++) packCell(element, list.place(block, i), out)
}

function unpackList(list: ListShape, count: number, from: ParcelReader): number {
  const { element } = list
  const block = list.makeRoomFor(count)
  if (isPortable(element)) from.copy(list.place(block, 0), count * element.width)
  else for (let i = 0; i < count; i++) unpackCell(element, list.place(block, i), from)
  return block
}

/** The best first, so that equal ones arrive as they came. */
function packHeap(shape: BlockShape, block: number, out: ParcelWriter): void {
  assert(shape instanceof HeapShape, 'a collection that is not handed over')
  const sorted = shape.copy(block)
  shape.sort(sorted)
  const count = shape.size(sorted)
  for (let i = 0; i < count; i++) packCell(shape.tuple, shape.tupleCell(sorted, i), out)
  shape.free(sorted)
}

function unpackHeap(shape: BlockShape, count: number, from: ParcelReader): number {
  assert(shape instanceof HeapShape, 'a collection that is not handed over')
  const block = shape.make()
  shape.setLimit(block, count)
  const { arena } = shape.memory
  const at = arena.take(shape.tuple.width)
  for (let i = 0; i < count; i++) {
    unpackCell(shape.tuple, at, from)
    shape.add(block, shape.tuple.read(at))
  }
  arena.give(at, shape.tuple.width)
  return block
}

/** Whether its cells mean the same in every thread. */
function isPortable(codec: Codec): boolean {
  if (codec.isBlock || codec instanceof StringCodec || codec instanceof RopeCodec) return false
  if (codec instanceof TupleCodec) return fieldsOf(codec).every(isPortable)
  return !(codec instanceof WrappingCodec) || isPortable(codec.inner)
}

function fieldsOf({ fields }: TupleCodec): readonly Codec[] {
  return fields.map(({ codec }) => codec)
}

function packCells(codecs: readonly Codec[], first: number, out: ParcelWriter): void {
  let at = first
  for (const codec of codecs) {
    packCell(codec, at, out)
    at += codec.width
  }
}

function unpackCells(codecs: readonly Codec[], first: number, from: ParcelReader): void {
  let at = first
  for (const codec of codecs) {
    unpackCell(codec, at, from)
    at += codec.width
  }
}

function packCell(codec: Codec, at: number, out: ParcelWriter): void {
  if (isPortable(codec)) out.copy(at, codec.width)
  else if (codec instanceof TupleCodec) packCells(fieldsOf(codec), at, out)
  else if (codec instanceof ExtremeCodec) {
    out.copy(at, 1)
    packCell(codec.inner, at + 1, out)
  } else if (codec.isBlock) {
    packBlock((codec as BlockCodec).shape, codec.memory.arena.cells[at]!, out)
  } else out.text(codec.read(at) as number)
}

/** The cells hold nothing yet. */
function unpackCell(codec: Codec, at: number, from: ParcelReader): void {
  if (isPortable(codec)) from.copy(at, codec.width)
  else if (codec instanceof TupleCodec) unpackCells(fieldsOf(codec), at, from)
  else if (codec instanceof ExtremeCodec) {
    from.copy(at, 1)
    unpackCell(codec.inner, at + 1, from)
  } else if (codec.isBlock) {
    const block = unpackBlock((codec as BlockCodec).shape, from)
    codec.memory.arena.cells[at] = block
  } else {
    const code = from.text()
    codec.memory.arena.cells[at] = code
  }
}
