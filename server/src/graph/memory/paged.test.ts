import { describe, expect, it } from 'vitest'
import { PagedArray } from './paged.ts'
import { Versions } from './versions.ts'

const PAGE = 4

function paged(versions: Versions, length: number): PagedArray<'int32'> {
  const meter = { bytes: 0 }
  const array = new PagedArray({ kind: 'int32', shift: 2, meter, versions })
  array.ensure(length)
  for (let i = 0; i < length; i++) write(array, i, i)
  return array
}

function write(array: PagedArray<'int32'>, index: number, value: number): void {
  const position = array.touch(index)
  array.array[position] = value
}

/** What a reader holds: the array and directory of one moment. */
function reader(array: PagedArray<'int32'>, length: number): () => number[] {
  const data = array.array
  const directory = array.shareDirectory()
  return () =>
    Array.from({ length }, (_unused, index) => {
      const page = directory === null ? index >> 2 : directory[index >> 2]!
      return data[page * PAGE + (index & 3)]!
    })
}

function read(array: PagedArray<'int32'>, length: number): number[] {
  return Array.from({ length }, (_unused, index) => array.array[array.at(index)]!)
}

describe('a paged array', () => {
  it('changes in place while nobody reads', () => {
    const array = paged(new Versions(), 20)
    write(array, 3, 99)
    expect(array.directory).toBeNull()
    expect(read(array, 5)).toEqual([0, 1, 2, 99, 4])
  })

  it('keeps every pinned version and goes home with the last', () => {
    const versions = new Versions()
    const array = paged(versions, 12)
    const first = versions.pin(null)
    const old = reader(array, 12)
    write(array, 1, 100)
    const second = versions.pin(null)
    const middle = reader(array, 12)
    write(array, 1, 200)
    write(array, 9, 900)
    expect(old()).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11])
    expect(middle()).toEqual([0, 100, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11])
    expect(read(array, 12)).toEqual([0, 200, 2, 3, 4, 5, 6, 7, 8, 900, 10, 11])
    versions.release(first)
    expect(middle()[1]).toBe(100)
    versions.release(second)
    expect(array.directory).toBeNull()
    expect(versions.copiedBytes).toBe(0)
    expect(read(array, 12)).toEqual([0, 200, 2, 3, 4, 5, 6, 7, 8, 900, 10, 11])
  })

  it('frees what only released readers saw, also while an older one stays', () => {
    const versions = new Versions()
    const array = paged(versions, 12)
    const long = versions.pin(null)
    const old = reader(array, 12)
    let size = 0
    for (let round = 0; round < 500; round++) {
      const short = versions.pin(null)
      write(array, round % 12, 1_000 + round)
      versions.release(short)
      if (round === 50) size = array.sizeBytes
    }
    // A copy of each page for the old reader, and the present ones: no more than after 50 rounds.
    expect(array.sizeBytes).toBe(size)
    expect(versions.copiedBytes).toBeLessThanOrEqual(2 * 12 * 4)
    expect(old()).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11])
    expect(read(array, 12)[499 % 12]).toBe(1_499)
    versions.release(long)
    expect(array.directory).toBeNull()
    expect(versions.copiedBytes).toBe(0)
  })

  it('takes no more memory for the hundredth reader than for the first', () => {
    const versions = new Versions()
    const array = paged(versions, 12)
    const sizes = new Set<number>()
    for (let round = 0; round < 100; round++) {
      const pin = versions.pin(null)
      for (let index = 0; index < 12; index++) write(array, index, round)
      versions.release(pin)
      expect(array.directory).toBeNull()
      sizes.add(array.sizeBytes)
    }
    expect([...sizes]).toHaveLength(1)
    expect(read(array, 12)).toEqual(Array(12).fill(99))
  })

  it('leaves new elements at zero after spare pages were used', () => {
    const versions = new Versions()
    const array = paged(versions, 8)
    const capacity = array.capacity
    const pin = versions.pin(null)
    for (let page = 0; page < 2; page++) write(array, page * PAGE, -1)
    array.ensure(capacity + 40)
    write(array, capacity + 30, 7)
    versions.release(pin)
    array.ensure(capacity + 400)
    expect(read(array, capacity + 400).filter((value) => value !== 0).length).toBe(9)
    expect(read(array, 8)).toEqual([-1, 1, 2, 3, -1, 5, 6, 7])
    expect(array.array[array.at(capacity + 30)]).toBe(7)
  })

  it('agrees with a plain copy over random pins, writes and growth', () => {
    for (let seed = 1; seed <= 60; seed++) {
      let state = seed
      const next = (limit: number) => {
        state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
        return Math.floor((state / 2 ** 32) * limit)
      }
      const versions = new Versions()
      let length = 20
      const array = paged(versions, length)
      const model = read(array, length)
      const pins: { epoch: number; read: () => number[]; expected: number[] }[] = []
      for (let step = 0; step < 120; step++) {
        const kind = next(10)
        if (kind < 6) {
          const index = next(length)
          write(array, index, step)
          model[index] = step
        } else if (kind < 7) {
          length += next(30)
          array.ensure(length)
          while (model.length < length) model.push(0)
        } else if (kind < 9 || pins.length === 0) {
          const epoch = versions.pin(null)
          pins.push({ epoch, read: reader(array, length), expected: model.slice() })
        } else {
          versions.release(pins.splice(next(pins.length), 1)[0]!.epoch)
        }
        expect(read(array, length), `seed ${seed} step ${step}`).toEqual(model)
        for (const pin of pins)
          expect(pin.read(), `seed ${seed} step ${step}`).toEqual(pin.expected)
      }
      for (const pin of pins) versions.release(pin.epoch)
      expect(versions.copiedBytes, `seed ${seed}`).toBe(0)
      expect(array.directory).toBeNull()
    }
  })

  it('asks the oldest reader to go when copies exceed their limit', () => {
    const versions = new Versions(2 * PAGE * 4)
    const array = paged(versions, 40)
    const asked: string[] = []
    const first = versions.pin(() => asked.push('first'))
    const second = versions.pin(() => asked.push('second'))
    write(array, 0, 1)
    write(array, 4, 1)
    expect(asked).toEqual([])
    write(array, 8, 1)
    expect(asked).toEqual(['first'])
    versions.release(first)
    versions.release(second)
    expect(versions.copiedBytes).toBe(0)
  })
})
