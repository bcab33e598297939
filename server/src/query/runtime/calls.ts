/** Calls of queries: how deep they go, and what a call leaves behind. */
import { DbError } from '#kernel/errors.ts'
import type { Codec } from './cells/codec.ts'
import type { MemoryBudget } from './cells/memory.ts'
import type { Shapes } from './cells/shapes.ts'
import type { TemporaryBlocks } from './cells/temporaries.ts'
import type { Value } from './cells/value.ts'
import { UserException } from './exceptions.ts'
import type { AccumColumn } from './graph/column-functions.ts'
import type { VertexSet, VertexSets } from './graph/vertex-set.ts'

/** Calls inside calls. */
export const CALL_DEPTH_MAX = 100

export interface CallParts {
  readonly shapes: Shapes
  readonly sets: VertexSets
  readonly temporaries: TemporaryBlocks
  readonly memory: MemoryBudget
}

export function callFunctions({ shapes, sets, temporaries, memory }: CallParts) {
  let depth = 0
  const leaveTo = (level: number): void => {
    while (depth > level) {
      depth -= 1
      sets.leave()
    }
  }
  return {
    callDepth: (): number => depth,
    /** After an exception: the calls it came out of are over. */
    leaveCalls: leaveTo,
    enterCall: (): number => {
      if (depth >= CALL_DEPTH_MAX) {
        const message = `Runtime Error: queries call each other more than ${CALL_DEPTH_MAX} levels deep.`
        throw new DbError('QUERY_RUNTIME', message, { details: { code: 'GSQL-8002' } })
      }
      depth += 1
      sets.enter()
      return temporaries.mark()
    },
    /** Runs a call, and `end` behind it; what ends the whole run needs no end of its calls. */
    runCall: (run: () => Value, end: () => void): Value => {
      let result: Value
      try {
        result = run()
      } catch (caught) {
        if (caught instanceof UserException) end()
        throw caught
      }
      end()
      return result
    },
    leaveCall: (mark: number, result: Value, isBlock: boolean): Value => {
      temporaries.release(mark)
      leaveTo(depth - 1)
      if (isBlock) temporaries.push(result as number)
      return result
    },
    dropAccum: (column: AccumColumn | null, isBlock: boolean): void => {
      if (column === null) return
      if (isBlock) {
        for (const block of column as Uint32Array) {
          if (block !== 0) shapes.of(block).free(block)
        }
      }
      memory.give(column.byteLength)
    },
    verticesOf: (codec: Codec, set: VertexSet): Value => {
      const block = codec.fresh() as number
      const shape = shapes.of(block)
      for (const vertex of sets.members(set)) shape.add(block, vertex)
      return block
    },
  }
}
