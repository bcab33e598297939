/** Columns of vertex accumulators, bitmaps and vertex sets, as generated code uses them. */
import { assert } from '#kernel/assert.ts'
import type { BlockShape } from '../cells/block.ts'
import type { MemoryBudget } from '../cells/memory.ts'
import type { StringTable } from '../cells/strings.ts'
import { BagShape } from '../cells/table-shapes.ts'
import type { Value } from '../cells/value.ts'
import { type KeptPackings, packingFunctions } from '../parallel/packed-sources.ts'
import { checkRowRange } from '../row-range.ts'
import { type VertexLayout, wordsPart } from './layout.ts'
import { Sorter, type SortKeyKind } from './sorter.ts'
import type { VertexSet, VertexSets } from './vertex-set.ts'

export type AccumColumn =
  | Float64Array
  | Float32Array
  | Uint8Array
  | Uint32Array
  | BigInt64Array
  | BigUint64Array

type Maker = new (buffer: ArrayBufferLike) => AccumColumn
type Kind = Maker & { readonly BYTES_PER_ELEMENT: number }

const makers: Readonly<Record<string, Kind>> = {
  f64: Float64Array,
  f32: Float32Array,
  u8: Uint8Array,
  i64: BigInt64Array,
  u64: BigUint64Array,
  block: Uint32Array,
}

export interface ColumnParts {
  readonly layout: VertexLayout
  readonly memory: MemoryBudget
  readonly strings: StringTable
  readonly sets: VertexSets
  readonly shapeOf: (block: number) => BlockShape
  /** See `parallel/packed-sources.ts`. */
  readonly packedFromRows: number
  readonly packings: KeptPackings
}

export function columnFunctions(parts: ColumnParts) {
  const { layout, memory } = parts
  return {
    ...setFunctions(parts),
    /** A column for a declaration: made the first time, filled anew each time. */
    declareColumn: (known: AccumColumn | null, kind: string, initial: Value): AccumColumn => {
      const column = known ?? newColumn(parts, kind)
      if (known !== null && kind === 'block') freeBlocks(parts, known as Uint32Array)
      const isZero = initial === 0 && !Object.is(initial, -0)
      // A fresh array is zero already, and untouched pages cost nothing.
      if (known !== null || !(isZero || initial === 0n))
        (column as Float64Array).fill(initial as number)
      return column
    },
    ...copyFunctions(memory),
    ...numberFunctions(parts),
    ...markFunctions(parts),
    ...packingFunctions(memory, parts.packedFromRows, parts.packings),
    /** Blocks that stood in the old column and were replaced by changed copies. */
    releaseBlocks: (old: Uint32Array, current: Uint32Array): void => {
      for (let i = 0; i < old.length; i++) {
        const block = old[i]!
        if (block !== 0 && block !== current[i]) parts.shapeOf(block).free(block)
      }
    },
    columnPart,
    typeOfVertex: (vertex: number): number => layout.tableOf(vertex).typeId,
    rowOfVertex: (vertex: number): number => layout.rowOf(vertex),
  }
}

/**
 * Columns as they were before a statement. Those of one statement are written over by the next that
 * copies columns of their kind, which are all of one length: fresh pages cost more than the copy.
 */
export function copyFunctions(memory: MemoryBudget) {
  const spare = new Map<unknown, AccumColumn[]>()
  return {
    copyColumn: (column: AccumColumn): AccumColumn => {
      const Column = column.constructor as Kind
      const known = spare.get(Column)?.pop()
      assert(known === undefined || known.length === column.length, 'columns have one length')
      if (known !== undefined) memory.take(known.byteLength)
      const copy = (known ?? new Column(memory.buffer(column.byteLength))) as Float64Array
      copy.set(column as Float64Array)
      return copy
    },
    dropColumn: (column: AccumColumn): void => {
      memory.give(column.byteLength)
      const others = spare.get(column.constructor)
      if (others === undefined) spare.set(column.constructor, [column])
      else others.push(column)
    },
  }
}

/** Columns of one statement. They are kept for the next: fresh pages cost more than the numbers. */
function numberFunctions({ layout, memory }: ColumnParts) {
  const spare: Float64Array[] = []
  const listed = new Map<Uint32Array, Uint32Array>()
  return {
    /** Of the first `rowCount` rows those that have edges by their offsets; the same for the run. */
    rowsWithEdges: (offsets: Uint32Array, rowCount: number): Uint32Array => {
      const known = listed.get(offsets)
      if (known !== undefined) return known
      const rows = new Uint32Array(memory.buffer(rowCount * 4))
      let count = 0
      for (let row = 0; row < rowCount; row++) {
        rows[count] = row
        count += offsets[row + 1]! > offsets[row]! ? 1 : 0
      }
      const found = rows.subarray(0, count)
      listed.set(offsets, found)
      return found
    },
    /** A number for every row of a type; whatever they were. */
    newNumbers: (typeId: number): Float64Array => {
      const length = layout.tableOfType(typeId).rowCount
      const at = spare.findIndex((numbers) => numbers.length === length)
      if (at >= 0) return spare.splice(at, 1)[0]!
      return new Float64Array(memory.buffer(length * 8))
    },
    dropNumbers: (numbers: Float64Array): void => {
      spare.push(numbers)
    },
  }
}

/**
 * Marks by vertex, of one thread: given out again and again, each time with numbers above those
 * that were written before, so that they need not be cleared.
 */
function markFunctions({ layout, memory }: ColumnParts) {
  const spare: Uint32Array[] = []
  /** The lowest number that was not given out. */
  const unused = new WeakMap<Uint32Array, number>()
  const numbers = (marks: Uint32Array, count: number): number => {
    const next = unused.get(marks) ?? 1
    const isUsedUp = next + count > 2 ** 32
    if (isUsedUp) marks.fill(0)
    const first = isUsedUp ? 1 : next
    unused.set(marks, first + count)
    return first
  }
  return {
    newMarks: (): Uint32Array => {
      const known = spare.pop()
      if (known !== undefined) return known
      memory.take(layout.total * 4)
      return new Uint32Array(layout.total)
    },
    /** What to write for vertex 0; those of the others follow. */
    firstMark: (marks: Uint32Array): number => numbers(marks, layout.total),
    /** Unlike all that was written. */
    nextMark: (marks: Uint32Array): number => numbers(marks, 1),
    dropMarks: (marks: Uint32Array): void => {
      spare.push(marks)
    },
  }
}

/** What is one type's of a column, by row. */
function columnPart(layout: VertexLayout, column: AccumColumn, typeId: number): AccumColumn {
  const base = layout.baseOfType(typeId)
  return column.subarray(base, base + layout.tableOfType(typeId).rowCount)
}

function newColumn({ layout, memory }: ColumnParts, kind: string): AccumColumn {
  const Column = makers[kind]
  assert(Column !== undefined, 'unknown column kind')
  return new Column(memory.buffer(layout.total * Column.BYTES_PER_ELEMENT))
}

function freeBlocks({ shapeOf }: ColumnParts, column: Uint32Array): void {
  for (let i = 0; i < column.length; i++) {
    const block = column[i]!
    if (block !== 0) shapeOf(block).free(block)
  }
}

/** Of so many rows the edges are counted to tell about those of all. */
const ROWS_COUNTED_MAX = 8192

function setFunctions({ sets, shapeOf, memory, strings, layout }: ColumnParts) {
  return {
    emptySet: (): VertexSet => sets.empty(),
    allOf: (typeIds: readonly number[]): VertexSet => sets.allOf(typeIds),
    wordsOf: (set: VertexSet): Uint32Array => set.words,
    newWords: (): Uint32Array => sets.newWords(),
    wordsPart,
    addWords: (into: Uint32Array, set: VertexSet): void => into.set(set.words),
    rowsOf: (set: VertexSet, typeId: number): Uint32Array | null => sets.rows(set, typeId),
    /** As `rowsOf`, of a set of which only the rows of some lists are wanted, if there are any. */
    rowsAmong: (set: VertexSet, typeId: number, lists: readonly Uint32Array[]) =>
      lists.length === 0 ? sets.rows(set, typeId) : sets.rowsAmong(set, typeId, shortest(lists)),
    rowCountOf: (rows: Uint32Array | null, typeId: number): number =>
      rows === null ? layout.tableOfType(typeId).rowCount : rows.length,
    /**
     * Whether the edges out of some rows (null: all) are so many that the targets should look: counted
     * at some of them when they are many. Both ways give the same.
     */
    pullPays: (rows: Uint32Array | null, offsets: Uint32Array, edgeLimit: number): boolean => {
      if (rows === null) return true
      const stride = Math.ceil(rows.length / ROWS_COUNTED_MAX)
      let left = edgeLimit / stride
      for (let i = 0; i < rows.length && left > 0; i += stride) {
        const row = rows[i]!
        if (row + 1 < offsets.length) left -= offsets[row + 1]! - offsets[row]!
      }
      return left <= 0
    },
    rowsIn: (words: Uint32Array, typeId: number): Uint32Array | null => sets.rowsIn(words, typeId),
    keepSets: (kept: readonly VertexSet[]): void => sets.keep(kept),
    setOf: (words: Uint32Array): VertexSet => sets.of(words),
    setHas: (set: VertexSet, vertex: number): boolean => sets.has(set, vertex),
    setSize: (set: VertexSet): number => set.size,
    setMark: (): number => sets.mark(),
    takeSize: (mark: number, set: VertexSet): number => {
      sets.release(mark)
      return set.size
    },
    takeHas: (mark: number, set: VertexSet, vertex: number): boolean => {
      const has = sets.has(set, vertex)
      sets.release(mark)
      return has
    },
    setMembers: (set: VertexSet): Uint32Array => sets.members(set),
    unionSets: (a: VertexSet, b: VertexSet): VertexSet => sets.combine(a, b, 'union'),
    intersectSets: (a: VertexSet, b: VertexSet): VertexSet => sets.combine(a, b, 'intersect'),
    minusSets: (a: VertexSet, b: VertexSet): VertexSet => sets.combine(a, b, 'minus'),
    limitSet: (set: VertexSet, offset: number, count: number): VertexSet => {
      checkRowRange(offset, count)
      return sets.limit(set, offset, count)
    },
    setOfVertex: (vertex: number): VertexSet => setOfVertices(sets, vertex < 0 ? [] : [vertex]),
    setOfVertices: (block: number): VertexSet => {
      const shape = shapeOf(block)
      const words = sets.newWords()
      const add = (vertex: number): void => {
        if (vertex >= 0) words[vertex >>> 5] = words[vertex >>> 5]! | (1 << (vertex & 31))
      }
      if (shape instanceof BagShape) shape.forEach(block, (vertex) => add(vertex as number))
      else for (let i = 0; i < shape.size(block); i++) add(shape.elementAt(block, i) as number)
      return sets.of(words)
    },
    newSorter: (kinds: readonly SortKeyKind[]): Sorter => new Sorter(kinds, memory, strings),
    sortRow: (sorter: Sorter, vertex: number): void => sorter.row(vertex),
    sortKey: (sorter: Sorter, index: number, value: Value): void => sorter.key(index, value),
    sortedSet: (sorter: Sorter): VertexSet => sets.ordered(sorter.sorted()),
  }
}

function shortest(lists: readonly Uint32Array[]): Uint32Array {
  return lists.reduce((best, rows) => (rows.length < best.length ? rows : best))
}

function setOfVertices(sets: VertexSets, vertices: readonly number[]): VertexSet {
  const words = sets.newWords()
  for (const vertex of vertices) {
    words[vertex >>> 5] = words[vertex >>> 5]! | (1 << (vertex & 31))
  }
  return sets.of(words)
}
