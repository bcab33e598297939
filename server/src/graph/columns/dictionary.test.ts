import { describe, expect, it } from 'vitest'
import { Dictionary } from './dictionary.ts'

const encoder = new TextEncoder()

function codeOf(dictionary: Dictionary, text: string): number {
  const bytes = encoder.encode(text)
  return dictionary.codeOf(bytes, 0, bytes.length)
}

/** Those of the strings 1 to `count` whose code is another number. */
function wrong(dictionary: Dictionary, count: number): number[] {
  const numbers = Array.from({ length: count }, (_, index) => index + 1)
  return numbers.filter((number) => codeOf(dictionary, `string ${number}`) !== number)
}

describe('a dictionary', () => {
  it('has one code for each string, whatever is added while its hash is replaced', () => {
    const meter = { bytes: 0 }
    const dictionary = new Dictionary(meter)
    for (let i = 1; i < 9_000; i++) {
      codeOf(dictionary, `string ${i}`)
      if (i % 100 === 0) expect(wrong(dictionary, i)).toEqual([])
      if (i % 100 === 0) expect(meter.bytes).toBe(dictionary.sizeBytes)
    }
    dictionary.release(true)
    expect(meter.bytes).toBe(0)
  })

  it('copies 32 slots of a full hash for each string that is added', () => {
    const meter = { bytes: 0 }
    const dictionary = new Dictionary(meter)
    for (let i = 1; i < 4096; i++) codeOf(dictionary, `string ${i}`)
    const slotBytes = 8
    const beside = () => dictionary.sizeBytes - dictionary.heap.sizeBytes
    const alone = beside()
    for (let i = 4096; i < 4096 + 8192 / 32 - 1; i++) {
      codeOf(dictionary, `string ${i}`)
      expect(beside()).toBeGreaterThanOrEqual(alone + 16_384 * slotBytes)
    }
    codeOf(dictionary, `string ${4096 + 8192 / 32 - 1}`)
    expect(beside()).toBeLessThan(alone + 16_384 * slotBytes)
    expect(wrong(dictionary, 4096 + 8192 / 32 - 1)).toEqual([])
  })
})
