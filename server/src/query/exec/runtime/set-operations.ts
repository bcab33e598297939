/** UNION, INTERSECT and MINUS of collection values: repeats are counted where the result is a bag. */
import type { BlockParts } from './block-functions.ts'
import type { Codec } from './codec.ts'
import type { Shapes } from './shapes.ts'
import { SharedCounts } from './shared-counts.ts'
import { BagShape, SetShape } from './table-shapes.ts'
import type { Value } from './value.ts'

type Operation = 'union' | 'intersect' | 'minus'

export function setOperations({ shapes, memory, budget }: BlockParts) {
  const sharedCounts = new SharedCounts(memory.arena, budget)
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
      const rest = restOf(shapes, codec, { left, right })
      let count = 0
      visit(shapes, left, (value) => {
        if (takeOne(shapes, rest, value)) count++
      })
      return count
    },
  }
}

function isNumberSet(shapes: Shapes, block: number): boolean {
  const shape = shapes.of(block)
  return shape instanceof SetShape && shape.isNumberSet
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
