/**
 * Rolling hashes of vertex sequences, for frequent pattern mining: a sequence is a number in base
 * 2^63 modulo a prime just below it, so that an element can be taken off either end.
 */
import type { PlainValue, UserFunction } from './user-functions.ts'

const BASE = 1n << 63n
const MODULUS = 9_223_372_036_854_775_783n

/** Powers of the base that are computed at most: one per element of a sequence. */
const POWERS_MAX = 100_000

function modulo(value: bigint): bigint {
  const rest = value % MODULUS
  return rest < 0n ? rest + MODULUS : rest
}

function big(value: PlainValue | undefined): bigint {
  return BigInt(value as number | bigint)
}

function powers(count: number): bigint[] {
  const found = [1n]
  const wanted = Math.min(count, POWERS_MAX)
  while (found.length <= wanted) found.push(modulo(found.at(-1)! * BASE))
  return found
}

function withoutFirst([hash, first, size, constants]: readonly PlainValue[]): PlainValue {
  const power = (constants as readonly PlainValue[])[Number(size) - 1] ?? 0
  return modulo(modulo(big(hash) - modulo(big(first) * big(power))) * BASE)
}

export const patternHashes: readonly (readonly [string, UserFunction])[] = [
  ['tg_get_hash', ([id]) => big(id) % MODULUS],
  ['tg_get_pattern_key', ([pair]) => (pair as readonly PlainValue[])[0]!],
  ['tg_get_suffix_key', ([pair]) => (pair as readonly PlainValue[])[1]!],
  ['tg_initiate_hash_const', ([count]) => powers(Number(count))],
  ['tg_get_hash_without_first_element', withoutFirst],
  ['tg_get_hash_without_last_element', ([hash, last]) => modulo(big(hash) - big(last))],
  ['tg_get_hash_concat', ([hash, next]) => modulo(big(hash) * BASE + big(next))],
  ['tg_to_vertex_list', ([ids]) => (ids as readonly PlainValue[]).map(Number)],
]
