import { describe, expect, it } from 'vitest'
import { decodePercents } from './percent.ts'
import { createRandom } from './prng.ts'

describe('decodePercents', () => {
  it.each([
    ['plain + text', 'plain + text'],
    ['100%25 %41', '100% A'],
    ['%F0%9F%98%80', '😀'],
    ['a+b 100%25 %zz % %41', 'a+b 100% %zz % A'],
    ['%E2%82', '%E2%82'],
    ['%E2%82%41%E2%82%AC', '%E2%82A€'],
    ['%FF%C3%A9%', '%FFé%'],
    ['%ED%A0%80', '%ED%A0%80'],
    ['%', '%'],
    ['%C1%81 %C0%80', '%C1%81 %C0%80'],
    ['%E0%9F%BF%E0%A0%80', '%E0%9F%BF\u0800'],
    ['%F0%8F%BF%BF%F0%90%80%80', '%F0%8F%BF%BF\u{10000}'],
    ['%F4%8F%BF%BF%F4%90%80%80', '\u{10ffff}%F4%90%80%80'],
    ['%F0%9F%98', '%F0%9F%98'],
    ['%e2%82%4', '%e2%82%4'],
    ['%80%bf%f5', '%80%bf%f5'],
  ])('reads %j as %j', (text, decoded) => {
    expect(decodePercents(text)).toBe(decoded)
  })

  it('agrees with a decoder of bytes on random escapes', () => {
    const random = createRandom(7)
    const bytes = '00 41 7f 80 8f 90 9f a0 bf c1 c2 df e0 e1 ed EF F0 f1 F4 f5 ff'.split(' ')
    for (let round = 0; round < 3_000; round++) {
      let text = ''
      for (let at = 0; at < 12; at++) {
        text += random.below(20) === 0 ? '%8' : `%${bytes[random.below(bytes.length)]}`
      }
      expect(decodePercents(text), text).toBe(decodedByRuns(text))
    }
  })
})

/** Character by character, by the platform's decoder. */
function decodedByRuns(text: string): string {
  let result = ''
  for (let at = 0; at < text.length; ) {
    const length = [3, 6, 9, 12].find((one) => isCharacter(text.slice(at, at + one), one)) ?? 0
    const piece = text.slice(at, at + Math.max(1, length))
    result += length > 0 ? decodeURIComponent(piece) : piece
    at += piece.length
  }
  return result
}

function isCharacter(piece: string, length: number): boolean {
  if (piece.length !== length || !/^(%[0-9a-f]{2})+$/i.test(piece)) return false
  try {
    return Array.from(decodeURIComponent(piece)).length === 1
  } catch {
    return false
  }
}
