/** One collection into another: `+=` of a collection, and of what the threads of a loop have folded. */
import { ArrayShape, checkSameLengths } from './array.ts'
import { BitsShape } from './bits.ts'
import { CellShape } from './block.ts'
import type { Codec } from './codec.ts'
import { HeapShape } from './heap.ts'
import { ListShape } from './list.ts'
import type { Shapes } from './shapes.ts'
import { BagShape, GroupShape, MapShape } from './table-shapes.ts'

/** Folds every element (or entry) of one collection into another. */
export function addAll(shapes: Shapes, into: number, from: number): void {
  const [target, source] = [shapes.of(into), shapes.of(from)]
  if (target instanceof BitsShape) target.join(into, from, source)
  else if (target instanceof CellShape) target.merge(into, from)
  else if (target instanceof GroupShape) mergeGroups(shapes, into, from)
  else if (source instanceof BagShape) addBag(shapes, into, from)
  else if (source instanceof MapShape) mergeEntries(shapes, into, from)
  else if (target instanceof ArrayShape) addArray(shapes, into, from)
  else if (source instanceof HeapShape) addHeap(shapes, into, from)
  else if (target instanceof ListShape && target.isLike(source)) target.addList(into, from)
  else {
    // A collection may be added to itself: what it held before is meant.
    const size = source.size(from)
    for (let i = 0; i < size; i++) target.add(into, source.elementAt(from, i))
  }
}

/** Element by element; an array without any takes the other's lengths. */
function addArray(shapes: Shapes, into: number, from: number): void {
  const [target, source] = [shapes.of(into) as ArrayShape, shapes.of(from)]
  const size = source.size(from)
  const lengths = source instanceof ArrayShape ? source.lengths(from) : [size]
  if (target.size(into) === 0) target.reallocate(into, lengths)
  else checkSameLengths(target.lengths(into), lengths)
  for (let i = 0; i < size; i++) {
    const at = target.place(into, i)
    if (source instanceof ArrayShape) {
      const value = { codec: source.element, at: source.place(from, i) }
      mergeCell(shapes, { codec: target.element, at }, value)
    } else target.element.fold(at, source.elementAt(from, i))
  }
}

function addBag(shapes: Shapes, into: number, from: number): void {
  const [target, source] = [shapes.of(into), shapes.of(from) as BagShape]
  if (!(target instanceof BagShape)) {
    source.forEach(from, (value) => target.add(into, value))
    return
  }
  const count = source.entryCount(from)
  for (let i = 0; i < count; i++) {
    target.addTimes(into, source.keyAt(from, i), source.timesAt(from, i))
  }
}

/** Best first: of equal tuples the one that came first stays the better one. */
function addHeap(shapes: Shapes, into: number, from: number): void {
  const [target, source] = [shapes.of(into), shapes.of(from) as HeapShape]
  const sorted = source.copy(from)
  source.sort(sorted)
  const size = source.size(sorted)
  for (let i = 0; i < size; i++) target.add(into, source.elementAt(sorted, i))
  source.free(sorted)
}

function mergeEntries(shapes: Shapes, into: number, from: number): void {
  const [target, source] = [shapes.of(into) as MapShape, shapes.of(from) as MapShape]
  for (let i = 0; i < source.size(from); i++) {
    const at = target.ensure(into, source.keyAt(from, i))
    const value = { codec: source.value, at: source.valueCell(from, i) }
    mergeCell(shapes, { codec: target.value, at }, value)
  }
}

interface CodedCell {
  readonly codec: Codec
  readonly at: number
}

/** One cell into another: a collection that lies there takes the elements of the other. */
function mergeCell(shapes: Shapes, into: CodedCell, from: CodedCell): void {
  const { codec, at } = into
  if (!codec.isBlock) codec.merge(at, from)
  else addAll(shapes, codec.read(at) as number, from.codec.read(from.at) as number)
}

function mergeGroups(shapes: Shapes, into: number, from: number): void {
  const [target, source] = [shapes.of(into) as GroupShape, shapes.of(from) as GroupShape]
  for (let i = 0; i < source.size(from); i++) {
    const row = target.ensure(into, source.keyAt(from, i))
    const values = source.valueCell(from, i)
    target.values.forEach(({ codec }, column) => {
      const value = { codec: source.values[column]!.codec, at: source.cellOf(values, column) }
      mergeCell(shapes, { codec, at: target.cellOf(row, column) }, value)
    })
  }
}
