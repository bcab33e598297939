/** What generated code does with collections. Every function takes blocks of any shape. */

import { assert } from '#kernel/assert.ts'
import { ArrayShape } from './cells/array.ts'
import { type BlockShape, CellShape } from './cells/block.ts'
import type { Codec, Memory } from './cells/codec.ts'
import { HeapShape } from './cells/heap.ts'
import { ListShape } from './cells/list.ts'
import type { MemoryBudget } from './cells/memory.ts'
import { addAll } from './cells/merging.ts'
import { PercentileShape } from './cells/percentile.ts'
import { setOperations } from './cells/set-operations.ts'
import type { Shapes } from './cells/shapes.ts'
import { BagShape, GroupShape, MapShape, SetShape } from './cells/table-shapes.ts'
import type { TemporaryBlocks } from './cells/temporaries.ts'
import type { Value } from './cells/value.ts'
import type { DeferredQueue } from './deferred.ts'
import { tableRows } from './output/table-rows.ts'

export interface BlockParts {
  readonly memory: Memory
  readonly shapes: Shapes
  readonly temporaries: TemporaryBlocks
  readonly budget: MemoryBudget
  /** Greater than every number of a vertex. */
  readonly vertexCount: number
}

export function blockFunctions(parts: BlockParts) {
  const { shapes, temporaries } = parts
  const { arena } = parts.memory
  const shapeOf = shapes.of
  const mapOf = (block: number): MapShape => {
    const shape = shapeOf(block)
    assert(shape instanceof MapShape, 'not a map')
    return shape
  }
  const groupOf = (block: number): GroupShape => {
    const shape = shapeOf(block)
    assert(shape instanceof GroupShape, 'not a group table')
    return shape
  }
  return {
    ...iteration(parts),
    ...combinations(parts),
    ...arrays(parts),
    tableRows: tableRows(parts),
    ...setOperations(parts),
    ...changes(parts),
    makeBlock: (shape: BlockShape, initial: number): number =>
      initial === 0 ? shape.make() : shape.copy(initial),
    /** A block of an accumulator that lives as long as its row. */
    tempBlock: (shape: BlockShape): number => {
      const block = shape.make()
      temporaries.push(block)
      return block
    },
    copyBlock: (block: number): number => shapeOf(block).copy(block),
    dropBlock: (block: number): void => {
      if (block !== 0) shapeOf(block).free(block)
    },
    readBlock: (shape: BlockShape, block: number): Value =>
      shape.read(block === 0 ? shape.empty() : block),
    /** A value of its own for a variable, in place of the one it had. */
    replaceValue: (old: number, value: number): number => {
      const copy = shapeOf(value).copy(value)
      if (old !== 0) shapeOf(old).free(old)
      return copy
    },
    foldBlock: (block: number, value: Value): void => {
      const shape = shapeOf(block)
      if (shape instanceof CellShape) shape.fold(block, value)
      else shape.add(block, value)
    },
    addElement: (block: number, value: Value): void => shapeOf(block).add(block, value),
    foldEntry: (block: number, key: Value, value: Value): void =>
      mapOf(block).foldEntry(block, key, value),
    /** The collection that is a map's value, made when the key is new. */
    entryBlock: (block: number, key: Value): number => {
      const at = mapOf(block).ensure(block, key)
      return arena.cells[at]!
    },
    groupRow: (block: number, key: Value): number => groupOf(block).ensure(block, key),
    foldGroup: (block: number, row: number, column: number, value: Value): void => {
      const shape = groupOf(block)
      shape.values[column]!.codec.fold(shape.cellOf(row, column), value)
    },
    groupBlock: (block: number, row: number, column: number): number =>
      arena.cells[groupOf(block).cellOf(row, column)]!,
    hasElement: (block: number, value: Value): boolean => shapeOf(block).has(block, value),
    hasKey: (block: number, key: Value): boolean => shapeOf(block).has(block, key),
    valueUnder: (block: number, key: Value): Value => {
      const shape = shapeOf(block)
      if (shape instanceof GroupShape) return shape.valueUnder(block, key)
      return mapOf(block).valueUnder(block, key)
    },
    topOf: (block: number): Value => heapOf(shapeOf(block)).top(block),
    hasIndex: (block: number, index: number): boolean =>
      index >= 0 && index < shapeOf(block).size(block),
    updateElement: (block: number, index: number, value: Value): boolean =>
      (shapeOf(block) as ListShape).update(block, index, value),
    popTop: (block: number): Value => heapOf(shapeOf(block)).pop(block),
    setCapacity: (block: number, limit: number): void =>
      heapOf(shapeOf(block)).setLimit(block, limit),
    compareValues: (codec: Codec, left: Value, right: Value): number => codec.compare(left, right),
    betweenTuples: (codec: Codec, value: Value, low: Value, high: Value): boolean =>
      codec.compare(value, low) >= 0 && codec.compare(value, high) <= 0,
    emptyValue: (codec: Codec): Value => codec.fresh(),
    tempMark: (): number => temporaries.mark(),
    tempRelease: (mark: number): void => temporaries.release(mark),
  }
}

function arrays({ shapes, memory }: BlockParts) {
  const arrayOf = (block: number): ArrayShape => {
    const shape = shapes.of(block)
    assert(shape instanceof ArrayShape, 'not an array')
    return shape
  }
  return {
    arrayElement: (block: number, indexes: readonly number[]): Value => {
      const array = arrayOf(block)
      return array.element.read(array.cellAt(block, indexes))
    },
    arrayCell: (block: number, indexes: readonly number[]): number =>
      arrayOf(block).cellAt(block, indexes),
    setCell: (block: number, cell: number, value: Value): void => {
      const { element } = arrayOf(block)
      element.free(cell)
      element.write(cell, value)
    },
    foldCell: (block: number, cell: number, value: Value): void =>
      arrayOf(block).element.fold(cell, value),
    cellBlock: (cell: number): number => memory.arena.cells[cell]!,
    reallocate: (block: number, lengths: readonly number[]): void =>
      arrayOf(block).reallocate(block, lengths),
  }
}

/** For PER, which combinations of vertices were met; and what two sets share. */
function combinations({ shapes }: BlockParts) {
  const shapeOf = shapes.of
  return {
    /** Elements that two sets share. */
    countCommon: (left: number, right: number): number => {
      const [a, b] = [shapeOf(left), shapeOf(right)]
      const swap = a.size(left) > b.size(right)
      const [small, large] = swap ? [right, left] : [left, right]
      const [shape, other] = swap ? [b, a] : [a, b]
      let count = 0
      const size = shape.size(small)
      for (let i = 0; i < size; i++) {
        const vertex = shape.elementAt(small, i)
        if (vertex !== -1 && other.has(large, vertex)) count++
      }
      return count
    },
    newCombinations: (vertexCount: number, edgeCount: number): number => {
      const vertex = { name: '', type: { kind: 'VERTEX', typeIds: null } } as const
      const edge = { name: '', type: { kind: 'EDGE', typeIds: null } } as const
      const fields = Array.from({ length: vertexCount + edgeCount }, (_, index) =>
        index < vertexCount ? vertex : edge,
      )
      const element = { kind: 'value', type: { kind: 'TUPLE', name: '', fields } } as const
      return shapes.accum({ kind: 'SetAccum', element }).make()
    },
    isNewCombination: (block: number, members: readonly number[]): boolean => {
      const shape = shapes.of(block)
      const before = shape.size(block)
      shape.add(block, members)
      return shape.size(block) > before
    },
  }
}

function heapOf(shape: BlockShape): HeapShape {
  assert(shape instanceof HeapShape, 'not a heap')
  return shape
}

/** Numbers of one type as those of another; `wide`: integers as bigints. */
const numberOf = {
  DOUBLE: (value: number | bigint): Value => Number(value),
  FLOAT: (value: number | bigint): Value => Math.fround(Number(value)),
  integer: (value: number | bigint): Value => Math.trunc(Number(value)),
  wide: (value: number | bigint): Value => BigInt(Math.trunc(Number(value))),
}

/** Reading collections by position, and making them from parts. */
function iteration({ memory, shapes, temporaries }: BlockParts) {
  const shapeOf = shapes.of
  const copied = (block: number): number => {
    const copy = shapeOf(block).copy(block)
    temporaries.push(copy)
    return copy
  }
  const iterated = (block: number): number => {
    const shape = shapeOf(block)
    if (shape instanceof BagShape) return listOfBag(shapes, shape, block)
    const copy = copied(block)
    if (shape instanceof HeapShape) shape.sort(copy)
    return copy
  }
  return {
    copyValue: copied,
    sizeOf: (block: number): number => shapeOf(block).size(block),
    /** A copy that can be read by position: bodies may change the original. */
    iterationOf: iterated,
    elementAt: (block: number, index: number): Value => shapeOf(block).elementAt(block, index),
    keyAt: (block: number, index: number): Value => shapeOf(block).elementAt(block, index),
    entryAt: (block: number, index: number): Value =>
      (shapeOf(block) as MapShape).valueAt(block, index),
    collectionOf: (codec: Codec, elements: readonly Value[]): Value => {
      const block = codec.fresh() as number
      for (const element of elements) shapeOf(block).add(block, element)
      return block
    },
    /** The elements of a collection as one of another kind, or as other numbers. */
    recollected: (codec: Codec, from: number, numbers: keyof typeof numberOf | ''): Value => {
      const block = codec.fresh() as number
      if (numbers === '') addAll(shapes, block, from)
      else {
        const [target, change] = [shapeOf(block), numberOf[numbers]]
        const source = iterated(from)
        const size = shapeOf(source).size(source)
        for (let i = 0; i < size; i++) {
          const value = shapeOf(source).elementAt(source, i) as number | bigint
          target.add(block, change(value))
        }
      }
      return block
    },
    mapOf: (codec: Codec, keys: readonly Value[], values: readonly Value[]): Value => {
      const block = codec.fresh() as number
      const shape = shapeOf(block) as MapShape
      keys.forEach((key, i) => {
        shape.foldEntry(block, key, values[i]!)
      })
      return block
    },
    /** `left + right`: a copy of the left, with its way of folding, that takes in the right. */
    combine: (left: number, right: number): Value => {
      const block = copied(left)
      addAll(shapes, block, right)
      return block
    },
    /** Every text of the left list with every one of the right, left-major. */
    pairTexts: (codec: Codec, left: number, right: number): Value => {
      const block = codec.fresh() as number
      const [first, second] = [shapeOf(left), shapeOf(right)]
      for (let i = 0; i < first.size(left); i++) {
        const head = first.elementAt(left, i) as number
        for (let j = 0; j < second.size(right); j++) {
          const tail = second.elementAt(right, j) as number
          shapeOf(block).add(block, memory.strings.concat(head, tail))
        }
      }
      return block
    },
  }
}

function listOfBag(shapes: Shapes, bag: BagShape, block: number): number {
  const list = shapes.listOf(bag.key)
  bag.forEach(block, (value) => shapes.of(list).add(list, value))
  return list
}

function changes({ shapes }: BlockParts) {
  const shapeOf = shapes.of
  const addElements = (block: number, from: number): void => addAll(shapes, block, from)
  return {
    addElements,
    mergeMap: addElements,
    percentOf: (shape: PercentileShape, block: number): number =>
      shape.percentOf(block === 0 ? shape.empty() : block),
    clearBlock: (block: number): void => shapeOf(block).clear(block),
    mutate: (method: string, block: number, ...args: readonly Value[]): void =>
      mutate(shapeOf(block), method, { block, args }),
    applyDeferred: (queue: DeferredQueue, index: number, block: number): void => {
      const { method, args } = queue[index]!
      mutate(shapeOf(block), method, { block, args })
    },
  }
}

interface Call {
  readonly block: number
  readonly args: readonly Value[]
}

function mutate(shape: BlockShape, method: string, call: Call): void {
  const { block, args } = call
  if (method === 'clear') shape.clear(block)
  else if (shape instanceof PercentileShape) shape.setPercent(block, Number(args[0]))
  else if (shape instanceof ListShape) mutateList(shape, method, call)
  else if (shape instanceof SetShape) shape.remove(block, args[0]!)
  else if (shape instanceof BagShape) shape.remove(block, args[0]!, method === 'removeAll')
  else if (shape instanceof ArrayShape) shape.reallocate(block, args.map(Number))
  else if (shape instanceof HeapShape && method === 'resize') shape.setLimit(block, Number(args[0]))
  else if (shape instanceof HeapShape) shape.pop(block)
  else if (shape instanceof MapShape) shape.removeKey(block, args[0]!)
  else (shape as GroupShape).removeKey(block, args)
}

function mutateList(list: ListShape, method: string, { block, args }: Call): void {
  switch (method) {
    case 'update':
      list.update(block, Number(args[0]), args[1]!)
      return
    case 'remove':
      list.removeAt(block, Number(args[0]))
      return
    case 'removeOne':
      list.removeAt(block, list.indexOf(block, args[0]!))
      return
    default:
      list.removeAll(block, args[0]!)
  }
}
