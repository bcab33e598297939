/** Calls of user functions: values go in and come out as plain JavaScript. */
import { DbError } from '#kernel/errors.ts'
import { unknownFunction } from '#query/functions/functions.ts'
import { type PlainValue, userFunctionImplementations } from '#query/functions/user-functions.ts'
import type { ValueType } from '#query/ir/types.ts'
import type { MemoryBudget } from './cells/memory.ts'
import type { Value } from './cells/value.ts'
import type { Attributes } from './graph/attributes.ts'
import type { Exporter } from './output/exporter.ts'

export type UserCall = (...args: readonly Value[]) => Value

export interface UserFunctionParts {
  readonly exporter: Exporter
  readonly attributes: Attributes
  readonly memory: MemoryBudget
  readonly random: () => number
  readonly roles: readonly string[]
}

export class UserFunctions {
  readonly #parts: UserFunctionParts

  constructor(parts: UserFunctionParts) {
    this.#parts = parts
  }

  named(name: string, types: readonly ValueType[], result: ValueType): UserCall {
    const implementation = userFunctionImplementations.get(name)
    if (implementation === undefined) throw unknownFunction(name)
    const { exporter, attributes, memory, random, roles } = this.#parts
    return (...args) => {
      const call = (): Value => {
        const plain = args.map((value, i) => exporter.plain(value, types[i]!))
        checkSizes(memory, plain)
        const value = checked(name, implementation(plain, { random, roles }), result)
        return attributes.valueOf(value, result)
      }
      return exporter.counted(call)
    }
  }
}

/** Of a character that a function may make a string of its own of. */
const PIECE_SIZE_BYTES = 16

/** What a function makes of lists is of their size, and of a text a list of its pieces. */
function checkSizes(memory: MemoryBudget, args: readonly PlainValue[]): void {
  memory.checkOperation(memory.heapBytes)
  for (const value of args) {
    if (typeof value === 'string') memory.checkOperation(value.length * PIECE_SIZE_BYTES)
  }
}

/** A function that gives a number where none is promised would break the run in odd places. */
function checked(name: string, value: PlainValue, type: ValueType): PlainValue {
  if (type.kind === 'FLOAT') return Math.fround(Number(value))
  if (type.kind !== 'INT' && type.kind !== 'UINT') return value
  if (typeof value === 'bigint' || Number.isFinite(value)) {
    return typeof value === 'bigint' ? value : Math.trunc(value as number)
  }
  throw new DbError('QUERY_RUNTIME', `Runtime Error: ${name} gave no integer.`, {
    details: { code: 'GSQL-8001' },
  })
}
