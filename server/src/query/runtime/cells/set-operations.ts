/** UNION, INTERSECT and MINUS of collection values: repeats are counted where the result is a bag. */
import type { BlockParts } from '../block-functions.ts'
import { type PairOfRuns, RunCounter } from '../set-counts/run-counter.ts'
import { setRunFunctions } from '../set-counts/set-runs.ts'
import { SharedCounts } from '../set-counts/shared-counts.ts'
import { type SetArrays, SharedVertices } from '../set-counts/shared-vertices.ts'
import type { Codec } from './codec.ts'
import type { Shapes } from './shapes.ts'
import { BagShape, SetShape } from './table-shapes.ts'
import type { Value } from './value.ts'
import { VertexCollectionShape } from './vertex-collection.ts'

interface Counter {
  readonly sets: SharedVertices
  readonly runs: RunCounter
}

type Operation = 'union' | 'intersect' | 'minus'

export function setOperations({ shapes, memory, budget, vertexCount }: BlockParts) {
  const { arena } = memory
  const sharedCounts = new SharedCounts(arena, budget)
  const sharedVertices = new SharedVertices(budget, vertexCount)
  const counters: Counter[] = []
  const newCounter = (): Counter => {
    const sets = new SharedVertices(budget, vertexCount)
    return { sets, runs: new RunCounter(budget, vertexCount, sets) }
  }
  return {
    combineSets: (codec: Codec, operation: Operation, left: number, right: number): Value => {
      const result = codec.fresh() as number
      const target = shapes.of(result)
      if (operation === 'union') {
        visit(shapes, left, (value) => target.add(result, value))
        visit(shapes, right, (value) => target.add(result, value))
        return result
      }
      const rest = restOf(shapes, codec, { left, right })
      visit(shapes, left, (value) => {
        const found = takeOne(shapes, rest, value)
        if (found === (operation === 'intersect')) target.add(result, value)
      })
      return result
    },
    /** How many elements two collections share, without the collection of them. */
    countShared: (codec: Codec, left: number, right: number): number => {
      if (isNumberSet(shapes, left) && isNumberSet(shapes, right)) {
        return sharedCounts.count(left, right)
      }
      if (isVertexSet(shapes, left) && isVertexSet(shapes, right)) {
        sharedVertices.open([arena.cells, arena.words, arena.setChanges])
        return sharedVertices.count(left, right)
      }
      const rest = restOf(shapes, codec, { left, right })
      let count = 0
      visit(shapes, left, (value) => {
        if (takeOne(shapes, rest, value)) count++
      })
      return count
    },
    /** The sets as they are now, as arrays that other threads reach. */
    setCells: (): Float64Array => arena.cells,
    setWords: (): Int32Array => arena.words,
    setChanges: (): number => arena.setChanges,
    /** A counter of a loop, by its number, in the sets of this or another thread. */
    sharedIn: (counter: number, sets: SetArrays, runs: PairOfRuns | null): Counter => {
      counters[counter] ??= newCounter()
      counters[counter].sets.open(sets)
      if (runs !== null) counters[counter].runs.open(runs)
      return counters[counter]
    },
    /** Of two blocks. */
    countIn: ({ sets }: Counter, left: number, right: number): number => sets.count(left, right),
    /** Of two vertices, in their runs. */
    countInRuns: ({ runs }: Counter, left: number, right: number): number =>
      runs.count(left, right),
    ...setRunFunctions({ arena, memory: budget, vertexCount }),
  }
}

function isNumberSet(shapes: Shapes, block: number): boolean {
  const shape = shapes.of(block)
  return shape instanceof SetShape && shape.isNumberSet
}

function isVertexSet(shapes: Shapes, block: number): boolean {
  return shapes.of(block) instanceof VertexCollectionShape
}

/** What elements are taken from: a set without repeats on the other side only asks. */
function restOf(
  shapes: Shapes,
  codec: Codec,
  { left, right }: { readonly left: number; readonly right: number },
): number {
  if (shapes.of(left) instanceof SetShape && shapes.of(right) instanceof SetShape) return right
  const rest = codec.fresh() as number
  visit(shapes, right, (value) => shapes.of(rest).add(rest, value))
  return rest
}

/** Whether `value` is there; a bag has one less of it then. */
function takeOne(shapes: Shapes, block: number, value: Value): boolean {
  const shape = shapes.of(block)
  const found = shape.has(block, value)
  if (found && shape instanceof BagShape) shape.remove(block, value, false)
  return found && (shape instanceof BagShape || shape instanceof SetShape)
}

function visit(shapes: Shapes, block: number, see: (value: Value) => void): void {
  const shape = shapes.of(block)
  if (shape instanceof BagShape) shape.forEach(block, see)
  else for (let i = 0; i < shape.size(block); i++) see(shape.elementAt(block, i))
}
