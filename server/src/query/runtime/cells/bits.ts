/**
 * BitwiseOrAccum and BitwiseAndAccum of more than 64 bits: words of 32 bits side by side behind the
 * number of the shape, the lowest first. As a value it is a list of INT, the highest word first.
 */
import { BlockShape } from './block.ts'
import type { Memory } from './codec.ts'
import type { Printer, Value } from './value.ts'

const WORD_BITS = 32
const WORD_MASK = 0xffffffffn
const INT_MAX = 2n ** 63n - 1n

export interface BitsParts {
  readonly operator: '&' | '|'
  readonly lengthBits: number
  /** An INT of the run from 64 bits. */
  readonly integer: (value: bigint) => Value
}

export class BitsShape extends BlockShape {
  readonly #parts: BitsParts
  readonly #count: number
  /** The bits of the last word that count. */
  readonly #topMask: number

  constructor(memory: Memory, id: number, parts: BitsParts) {
    super(memory, id)
    this.#parts = parts
    this.#count = Math.ceil(parts.lengthBits / WORD_BITS)
    const unused = this.#count * WORD_BITS - parts.lengthBits
    this.#topMask = 0xffffffff >>> unused
  }

  get wordCount(): number {
    return this.#count
  }

  override make(): number {
    const block = this.memory.arena.take(1 + this.#count)
    this.memory.arena.cells[block] = this.id
    this.clear(block)
    return block
  }

  override free(block: number): void {
    this.memory.arena.give(block, 1 + this.#count)
  }

  /** As it begins: no bit for `|`, every bit for `&`. */
  clear(block: number): void {
    const { cells } = this.memory.arena
    const isOr = this.#parts.operator === '|'
    cells.fill(isOr ? 0 : 0xffffffff, block + 1, block + 1 + this.#count)
    if (!isOr) cells[block + this.#count] = this.#topMask
  }

  copy(block: number): number {
    const copy = this.memory.arena.take(1 + this.#count)
    this.memory.arena.cells.copyWithin(copy, block, block + 1 + this.#count)
    return copy
  }

  /** Words of 64 bits. */
  override size(): number {
    return Math.ceil(this.#count / 2)
  }

  /** From the highest word on. */
  override elementAt(block: number, index: number): Value {
    const at = (this.size() - 1 - Math.trunc(index)) * 2
    const inside = index >= 0 && index < this.size()
    const low = inside ? this.#word(block, at) : 0
    const high = inside ? this.#word(block, at + 1) : 0
    return this.#parts.integer(BigInt.asIntN(64, (BigInt(high) << 32n) | BigInt(low)))
  }

  /** Folds a list of INT, or bits like these; both end with the lowest word. */
  join(block: number, from: number, shape: BlockShape): void {
    const { cells } = this.memory.arena
    const isOr = this.#parts.operator === '|'
    const size = shape.size(from)
    for (let at = 0; at < this.#count; at += 2) {
      const index = size - 1 - at / 2
      const value = index < 0 ? 0n : unsigned(shape.elementAt(from, index))
      const words = [Number(value & WORD_MASK), Number(value >> 32n)]
      for (let half = 0; half < 2 && at + half < this.#count; half++) {
        const cell = block + 1 + at + half
        const word = words[half]!
        cells[cell] = (isOr ? cells[cell]! | word : cells[cell]! & word) >>> 0
      }
    }
    cells[block + this.#count] = (cells[block + this.#count]! & this.#topMask) >>> 0
  }

  override hash(block: number): number {
    let hash = 7
    for (let at = 0; at < this.#count; at++) hash = Math.imul(hash, 31) ^ this.#word(block, at)
    return hash >>> 0
  }

  override compare(left: number, right: number): number {
    for (let at = this.#count - 1; at >= 0; at--) {
      const order = this.#word(left, at) - this.#word(right, at)
      if (order !== 0) return order
    }
    return 0
  }

  print(block: number, printer: Printer): void {
    let text = ''
    for (let at = this.#count - 1; at >= 0; at--) {
      text += this.#word(block, at).toString(2).padStart(WORD_BITS, '0')
    }
    printer.raw(`"${text.slice(-this.#parts.lengthBits)}"`)
  }

  #word(block: number, at: number): number {
    return at < this.#count ? this.memory.arena.cells[block + 1 + at]! : 0
  }
}

/** The 64 bits of an INT; an infinity stands for an end of its range. */
function unsigned(value: Value): bigint {
  if (typeof value === 'bigint') return BigInt.asUintN(64, value)
  const number = value as number
  if (Number.isFinite(number)) return BigInt.asUintN(64, BigInt(number))
  return number > 0 ? INT_MAX : INT_MAX + 1n
}
