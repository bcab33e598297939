import { describe, expect, it } from 'vitest'
import { createRandom } from '#kernel/prng.ts'
import { decodePart, encodePart, PART_CODEC, PartDamagedError } from './part-codec.ts'

const random = createRandom(7)
const numbers = <Value>(count: number, next: (index: number) => Value): Value[] =>
  Array.from({ length: count }, (_, index) => next(index))

describe('a part is stored', () => {
  it('packed when its numbers are small', () => {
    expect(stored(Uint32Array.from(numbers(5000, () => 1 + random.below(255))))).toEqual({
      codec: PART_CODEC.words,
      bytesPerValue: 1,
    })
  })

  it('as differences when its numbers ascend', () => {
    let id = 0
    const ids = numbers(5000, () => (id += random.below(1000)))
    expect(stored(Uint32Array.from(ids))).toMatchObject({ codec: PART_CODEC.differences })
  })

  it('as whole numbers when they are decimals', () => {
    const prices = numbers(5000, () => random.below(100_000) / 100)
    expect(stored(Float64Array.from(prices))).toEqual({
      codec: PART_CODEC.decimals,
      bytesPerValue: 2,
    })
  })

  it('compressed when it is text', () => {
    const text = numbers(5000, (i) => `name_${i % 503}_${i}`).join(',')
    expect(stored(new TextEncoder().encode(text))).toMatchObject({ codec: PART_CODEC.zstd })
  })

  it('as it is when nothing makes it smaller', () => {
    expect(stored(noise(4096))).toEqual({ codec: PART_CODEC.raw, bytesPerValue: 1 })
    expect(stored(new Uint8Array(100))).toEqual({ codec: PART_CODEC.raw, bytesPerValue: 1 })
  })
})

describe('the very bytes come back', () => {
  const doubles = (values: readonly number[]) => Float64Array.from(values)
  const many = (...values: readonly number[]) => numbers(1000, (i) => values[i % values.length]!)
  const cases: Record<string, Float64Array | Uint32Array | Uint8Array> = {
    'nothing but zeros': new Uint8Array(100_000),
    'the largest and the smallest word': Uint32Array.from(many(0, 0xffffffff)),
    'words of 32 bits': Uint32Array.from(numbers(3000, () => random.below(2 ** 32))),
    'words that descend': Uint32Array.from(numbers(3000, (i) => 1e9 - i * 77)),
    'a length that is no multiple of a word': noise(4099).fill(3),
    'a block that is not full': Uint32Array.from(numbers(1025, (i) => i * 3)),
    'minus zero among decimals': doubles(many(1.25, -0, 3.5)),
    'NaN among decimals': doubles(many(1.25, Number.NaN)),
    'infinities among decimals': doubles(many(1.25, Number.POSITIVE_INFINITY)),
    'one number that is no decimal': doubles([...many(1.25, 2.5), Math.PI]),
    'decimals far apart': doubles(many(-1e12, 1e12, 0.5)),
    'negative decimals': doubles(numbers(2000, (i) => -i / 1000)),
    'numbers beyond safe integers': doubles(many(2 ** 60, 2 ** 60 + 256)),
    noise: noise(70_000),
  }
  for (const [title, values] of Object.entries(cases)) {
    it(`of ${title}`, () => {
      const bytes = new Uint8Array(values.buffer)
      const { codec, bytes: encoded } = encodePart(bytes)
      expect(encoded.length).toBeLessThanOrEqual(bytes.length)
      expect(decoded(codec, encoded, bytes.length + 16).subarray(0, bytes.length)).toEqual(bytes)
    })
  }

  it('of shared memory at any place', () => {
    const shared = new Uint8Array(new SharedArrayBuffer(9001)).fill(7).subarray(1)
    const { codec, bytes } = encodePart(shared)
    expect(decoded(codec, bytes, 9000)).toEqual(new Uint8Array(9000).fill(7))
  })

  it('of a stored part that is not aligned', () => {
    const ids = Uint32Array.from(numbers(1000, (i) => i))
    const { codec, bytes } = encodePart(new Uint8Array(ids.buffer))
    const moved = new Uint8Array(bytes.length + 3)
    moved.set(bytes, 3)
    expect(decoded(codec, moved.subarray(3), 4000)).toEqual(new Uint8Array(ids.buffer))
  })
})

describe('a damaged part is refused', () => {
  const ids = encodePart(new Uint8Array(Uint32Array.from(numbers(1000, (i) => i * 5)).buffer))
  const changed = (at: number, value: number) => {
    const bytes = ids.bytes.slice()
    bytes[at] = value
    return bytes
  }

  it('when it is cut off anywhere', () => {
    for (let length = 0; length < ids.bytes.length; length++) {
      const cut = ids.bytes.slice(0, length)
      expect(() => decoded(ids.codec, cut, 4000)).toThrow(PartDamagedError)
    }
  })

  it('when its header or a width is impossible', () => {
    const refused = [changed(0, 1), changed(3, 0xff), changed(4, 9), changed(8 + 8 * 4, 33)]
    for (const bytes of refused) {
      expect(() => decoded(ids.codec, bytes, 4000)).toThrow(PartDamagedError)
    }
  })

  it('when it is larger than what is left of its blob', () => {
    for (const codec of [ids.codec, PART_CODEC.raw]) {
      expect(() => decoded(codec, ids.bytes, 16)).toThrow(PartDamagedError)
    }
    const text = encodePart(new TextEncoder().encode('again and '.repeat(1000)))
    expect(() => decoded(text.codec, text.bytes, 9999)).toThrow(PartDamagedError)
  })

  it('when its codec is unknown', () => {
    expect(() => decoded(9, ids.bytes, 4000)).toThrow('there is no codec 9')
  })
})

function stored(values: Float64Array | Uint32Array | Uint8Array) {
  const { codec, bytes } = encodePart(new Uint8Array(values.buffer))
  return { codec, bytesPerValue: Math.floor(bytes.length / values.length) }
}

function decoded(codec: number, bytes: Uint8Array, sizeBytes: number): Uint8Array {
  const target = new Uint8Array(sizeBytes)
  decodePart(codec, bytes, target)
  return target
}

function noise(sizeBytes: number): Uint8Array {
  return Uint8Array.from({ length: sizeBytes }, () => random.below(256))
}
