import { expect, it } from 'vitest'
import { createRandom } from '#kernel/prng.ts'
import { exactDouble, exactFloat } from './exact-value.ts'

const bits = new DataView(new ArrayBuffer(8))

it('writes doubles and floats so that the same bits are read', () => {
  const random = createRandom(27)
  for (let i = 0; i < 10_000; i++) {
    bits.setUint32(0, random.below(2 ** 32))
    bits.setUint32(4, random.below(2 ** 32))
    const double = bits.getFloat64(0)
    if (Number.isFinite(double)) expect(Object.is(Number(exactDouble(double)), double)).toBe(true)
    const float = bits.getFloat32(0)
    if (!Number.isFinite(float)) continue
    const read = Math.fround(Number(exactFloat(float)))
    expect(Object.is(read, float), exactFloat(float)).toBe(true)
  }
})

it('writes no more digits of a float than it has', () => {
  const of = (value: number) => exactFloat(Math.fround(value))
  expect([of(0.1), of(16777217), of(3.4028235e38), of(1e-45), of(-0), of(2.5)]).toEqual([
    '0.1',
    '16777216',
    '3.4028235e+38',
    '1.4013e-45',
    '-0',
    '2.5',
  ])
})

it('writes what is not finite as a text, for which JSON has no number', () => {
  expect([Number.NaN, 1 / 0, -1 / 0].map(exactDouble)).toEqual(['"NaN"', '"inf"', '"-inf"'])
})
