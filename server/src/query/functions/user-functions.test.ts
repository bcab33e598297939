import { describe, expect, it } from 'vitest'
import { userFunctions } from '#query/ir/user-function-table.ts'
import { userFunctionImplementations } from './user-functions.ts'

const context = { random: () => 0.5, roles: ['admin', 'reader'] }
const call = (name: string, ...args: Parameters<NonNullable<ReturnType<typeof get>>>[0]) =>
  get(name)!(args, context)
const get = (name: string) => userFunctionImplementations.get(name)

describe('user functions', () => {
  it('are implemented as they are declared', () => {
    // Names with a blank are those of openCypher's functions.
    const names = [...userFunctionImplementations.keys()].filter((name) => !name.includes(' '))
    expect(names.sort()).toEqual([...userFunctions.keys()].sort())
  })

  it('compute what they say', () => {
    expect(call('tg_log_2', 8)).toBe(3)
    expect(call('tg_rand_int', 1, 3)).toBe(2)
    expect(call('tg_str_to_float', '1.5abc')).toBe(1.5)
    expect(call('tg_str_to_float', 'abc')).toBe(0)
    expect(call('tg_getdistance', 0, 0, 0, 180)).toBeCloseTo(20.0375, 3)
    expect(call('tg_pairwise_cosine_similarity', [1, 0], [1, 1], 2)).toBeCloseTo(Math.SQRT1_2, 12)
    expect(call('tg_cosine_similarity', [1, 0], [[7, [0, 1]]], 2)).toEqual([[7, 0]])
    expect(call('tg_is_subset', [1, 3], 4, [1, 2, 3, 4])).toBe(true)
    expect(call('tg_is_subset', [1, 3], 2, [1, 2, 3, 4])).toBe(false)
    expect(call('tg_concat', [1], 2n)).toEqual([1, 2n])
    expect(call('product_list_const', [1, 2], 3)).toEqual([3, 6])
    expect(call('ms_to_string', 1_262_531_431_499)).toBe('2010-01-03T15:10:31.499+00:00')
    expect(call('ms_to_string', 1e18)).toBe('')
    expect(call('randn')).toBeCloseTo(-Math.sqrt(2 * Math.LN2), 12)
    const like = (measure: string) => call('tg_similarity_accum', [1, 2, 4], [2, 4, 6], measure)
    expect(like('COSINE')).toBeCloseTo(34 / Math.sqrt(21 * 56), 12)
    expect(like('PEARSON')).toBeCloseTo(0.9819805060619657, 12)
    expect(like('EUCLIDEAN')).toBe(3)
    expect(like('JACCARD')).toBe(0.5)
    expect(like('overlap')).toBeCloseTo(2 / 3, 12)
    expect(call('tg_similarity_accum', [], [], 'JACCARD')).toBe(0)
    expect(call('tg_similarity_accum', [0, 0], [1, 1], 'COSINE')).toBe(0)
    expect(() => like('MANHATTAN')).toThrow('is no measure')
    expect(() => call('tg_similarity_accum', [1], [1, 2], 'COSINE')).toThrow('1 and 2 elements')
    expect(call('tg_extract_list', '1,2.5')).toEqual([1, 2.5])
  })

  it('hash sequences so that elements come off either end', () => {
    const constants = call('tg_initiate_hash_const', 5)
    const one = call('tg_get_hash', 3)
    const two = call('tg_get_hash_concat', one, 4)
    const three = call('tg_get_hash_concat', two, 5)
    const tail = call('tg_get_hash_concat', call('tg_get_hash', 4), 5)
    const shifted = call('tg_get_hash_without_last_element', call('tg_get_hash_concat', tail, 0), 0)
    expect(call('tg_get_hash_without_first_element', three, 3, 3, constants)).toBe(shifted)
    expect(call('tg_get_suffix_key', [7, 8])).toBe(8)
  })

  it('tell the same labels in any order apart from others', () => {
    expect(call('tg_hash_label', ['b', 'a'])).toBe(call('tg_hash_label', ['a', 'b']))
    expect(call('tg_hash_label', ['a'])).not.toBe(call('tg_hash_label', ['b']))
  })
})
