/**
 * Methods of bitwise accumulators of more than 64 bits, over lists of INT, the highest word first.
 * Under names that no query can write; `query/bind/expressions/wide-bits.ts` calls them.
 */
import type { PlainValue, UserFunction } from './user-functions.ts'

type Words = readonly bigint[]

export const wideBitFunctions: readonly (readonly [string, UserFunction])[] = [
  ['bits and', ([left, right]) => joined(left!, right!, (a, b) => a & b)],
  ['bits or', ([left, right]) => joined(left!, right!, (a, b) => a | b)],
  ['bits xor', ([left, right]) => joined(left!, right!, (a, b) => a ^ b)],
  ['bits set', ([bits, first, last]) => changed(bits!, maskOf(first!, last!), (a, b) => a | b)],
  ['bits unset', ([bits, first, last]) => changed(bits!, maskOf(first!, last!), (a, b) => a & ~b)],
  ['bits flip', ([bits, first, last]) => changed(bits!, maskOf(first!, last!), (a, b) => a ^ b)],
  ['bits get', ([bits, index]) => (bitsOf(bits!) & maskOf(index!, index!)) !== 0n],
  ['bits count', ([bits]) => bitsOf(bits!).toString(2).replaceAll('0', '').length],
]

/** More than any accumulator has: what lies beyond is dropped. */
const INDEX_MAX = 1_000_000

function bitsOf(words: PlainValue): bigint {
  return (words as readonly PlainValue[]).reduce<bigint>(
    (value, word) => (value << 64n) | BigInt.asUintN(64, BigInt(word as number | bigint)),
    0n,
  )
}

function wordsOf(value: bigint, count: number): Words {
  return Array.from({ length: count }, (_, i) =>
    BigInt.asIntN(64, value >> BigInt(64 * (count - 1 - i))),
  )
}

function joined(
  left: PlainValue,
  right: PlainValue,
  join: (left: bigint, right: bigint) => bigint,
): Words {
  const count = Math.max((left as Words).length, (right as Words).length)
  return wordsOf(join(bitsOf(left), bitsOf(right)), count)
}

function changed(
  bits: PlainValue,
  mask: bigint,
  change: (bits: bigint, mask: bigint) => bigint,
): Words {
  return wordsOf(change(bitsOf(bits), mask), (bits as Words).length)
}

/** The bits from one to another; none where there are no such bits. */
function maskOf(first: PlainValue, last: PlainValue): bigint {
  const [low, high] = [Number(first), Math.min(Number(last), INDEX_MAX)]
  if (low < 0 || high < low) return 0n
  return ((1n << BigInt(high - low + 1)) - 1n) << BigInt(low)
}
