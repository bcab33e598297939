import Library from 'decimal.js-light'
import { describe, expect, it } from 'vitest'
import { Decimal } from './decimal.ts'

const values = [0, 0.1, 0.3, 1, 2.5, 7, 10, 99.99, 1_000, 123_456, 8_388_608, 0.000_25]

/** Eleven digits alike. */
function expectNear(ours: Decimal, theirs: Library): void {
  const [one, other] = [ours.toNumber(), theirs.toNumber()]
  expect(Math.abs(one - other)).toBeLessThanOrEqual(Math.abs(other) * 1e-11)
}

describe('Decimal', () => {
  it('counts as the library does that it stands for', () => {
    for (const a of values) {
      const [ours, theirs] = [new Decimal(a), new Library(a)]
      expect(ours.abs().toNumber()).toBe(theirs.abs().toNumber())
      expect(ours.isint()).toBe(theirs.isint())
      for (const b of values) {
        expectNear(ours.add(b), theirs.add(b))
        expectNear(ours.sub(b), theirs.sub(b))
        expectNear(ours.mul(b), theirs.mul(b))
        expect([ours.lt(b), ours.lte(b)]).toEqual([theirs.lt(b), theirs.lte(b)])
        if (b === 0) continue
        expectNear(ours.div(b), theirs.div(b))
        expect(ours.mod(b).toNumber()).toBeCloseTo(theirs.mod(b).toNumber(), 3)
      }
    }
  })

  it('has no tails of rounding', () => {
    expect(new Decimal(0.1).add(0.2).toNumber()).toBe(0.3)
    expect(new Decimal(0.3).mod(0.1).toNumber()).toBe(0)
    expect(new Decimal(1_000).log(10).toNumber()).toBe(3)
    expect(new Decimal(new Decimal(10).pow(-2)).mul(3).toNumber()).toBe(0.03)
  })
})
