import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  firstWriter,
  reservationBytes,
  reservedBuffer,
  sharedBytes,
} from '#kernel/shared-memory.ts'
import { Growable, growableArray, viewOfKind } from './growable.ts'

const MEBIBYTE = 2 ** 20

describe('a growable array', () => {
  it('that was read from a segment grows in place, and its old views see what is written', () => {
    const bytes = sharedBytes(8 * MEBIBYTE)
    bytes.fill(7)
    const meter = { bytes: 0 }
    const array = new Growable('uint32', meter, viewOfKind('uint32', bytes))
    const before = array.array
    array.ensure(before.length + 1)
    expect(array.array.buffer).toBe(bytes.buffer)
    expect(array.array.length).toBeGreaterThan(before.length)
    expect(array.array[before.length]).toBe(0)
    array.array[0] = 5
    expect(before[0]).toBe(5)
    expect(meter.bytes).toBe(array.sizeBytes)
  })

  it('that a rebuild has made grows in place', () => {
    const made = growableArray('int64', MEBIBYTE)
    made[MEBIBYTE - 1] = 7n
    const array = new Growable('int64', { bytes: 0 }, made)
    array.ensure(MEBIBYTE + 1)
    expect(array.array.buffer).toBe(made.buffer)
    expect(array.array[MEBIBYTE - 1]).toBe(7n)
    expect(growableArray('uint8', MEBIBYTE / 4).buffer.growable).toBe(false)
  })

  it('of a plain buffer is copied', () => {
    const plain = new Uint8Array(new SharedArrayBuffer(1000))
    plain.fill(7)
    const array = new Growable('uint8', { bytes: 0 }, plain)
    array.ensure(1001)
    expect(array.array.buffer).not.toBe(plain.buffer)
    expect(array.array.subarray(0, 1000)).toEqual(plain)
  })

  it('copies a quarter of a mebibyte at most on its way to many elements', () => {
    const array = new Growable('uint8', { bytes: 0 })
    let copiedBytes = 0
    for (let length = 1; length < 16 * MEBIBYTE; length = array.array.length + 1) {
      const { buffer, byteLength } = array.array
      array.ensure(length)
      if (array.array.buffer !== buffer) copiedBytes = Math.max(copiedBytes, byteLength)
    }
    expect(copiedBytes).toBeLessThanOrEqual(MEBIBYTE / 4)
  })

  it('beyond its reservation is copied into a larger one', () => {
    const size = MEBIBYTE
    const array = new Growable(
      'uint8',
      { bytes: 0 },
      new Uint8Array(new SharedArrayBuffer(size, { maxByteLength: 2 * size }), 0, size),
    )
    const { buffer } = array.array
    array.array[size - 1] = 9
    array.ensureTight(buffer.maxByteLength)
    expect(array.array.buffer).toBe(buffer)
    array.ensureTight(buffer.maxByteLength + 1)
    expect(array.array.buffer).not.toBe(buffer)
    expect(array.array[size - 1]).toBe(9)
  })
})

describe('the reservation', () => {
  it.each([
    [0, 0],
    [1, 1],
    [MEBIBYTE / 4, MEBIBYTE / 4],
    [MEBIBYTE / 4 + 1, 2 ** 32],
    [2 ** 26 + 1, 64 * (2 ** 26 + 1)],
    [2 ** 29, 2 ** 35],
    [2 ** 29 + 1, 2 ** 35],
    [2 ** 35, 2 ** 35],
    [2 ** 35 + 1, 2 ** 35 + 1],
  ])('of %d bytes is %d', (sizeBytes, reserved) => {
    expect(reservationBytes(sizeBytes)).toBe(reserved)
  })

  it('is left out where there is not so much address space', () => {
    const buffer = reservedBuffer(2 * MEBIBYTE, 2 ** 52)
    expect(buffer.byteLength).toBe(2 * MEBIBYTE)
    expect(buffer.growable).toBe(false)
  })

  it('is not part of the length', () => {
    for (const size of [0, 1, MEBIBYTE / 4, MEBIBYTE / 4 + 1]) {
      const bytes = sharedBytes(size)
      expect(bytes.length).toBe(size)
      expect(bytes.buffer.byteLength).toBe(size)
    }
  })
})

describe('new memory', () => {
  const ranges: (readonly number[])[] = []
  beforeEach(() => {
    ranges.length = 0
    firstWriter.current = (buffer, start, end) => {
      expect(end).toBe(buffer.byteLength)
      ranges.push([start, end])
    }
  })
  afterEach(() => {
    firstWriter.current = null
  })

  it('is written first by another thread, but for what is filled at once', () => {
    const array = new Growable('uint32', { bytes: 0 })
    array.ensure(100_000)
    array.ensure(500_000)
    const [first, second] = [ranges[0]!, ranges[1]!]
    expect(first[0]).toBe(0)
    expect(second[0]).toBe(first[1])
    const before = array.sizeBytes
    array.ensure(before / 4 + 1)
    expect(ranges[2]).toEqual([before, array.sizeBytes])
  })

  it('is not where it is little', () => {
    new Growable('uint32', { bytes: 0 }).ensure(40_000)
    expect(ranges).toEqual([])
  })
})
