import { describe, expect, it } from 'vitest'
import { LOAD_TEXT_CHARS_MAX } from '#kernel/limits.ts'
import { linesOf } from './line-tokens.ts'

async function lines(chunks: string[], eol = '\n'): Promise<(string | null)[]> {
  const all: (string | null)[] = []
  for await (const group of linesOf(chunks, eol)) all.push(...group)
  return all
}

describe('lines over chunks', () => {
  it('are the same wherever a text is cut', async () => {
    for (const [text, eol] of [
      ['\ufeffab\r\ncd\n\nef', '\n'],
      ['a||b|||c||', '||'],
      ['a\r\nb\rc\r\n', '\r\n'],
    ] as const) {
      const whole = await lines([text], eol)
      for (let one = 0; one <= text.length; one++) {
        for (let other = one; other <= text.length; other++) {
          const cut = [text.slice(0, one), text.slice(one, other), text.slice(other)]
          if (cut[0] === '') continue
          expect(await lines(cut, eol), JSON.stringify(cut)).toEqual(whole)
        }
      }
    }
    expect(await lines(['a||b|||c||'], '||')).toEqual(['a', 'b', '|c'])
  })

  it('have at most so many characters, and do not hide the next line', async () => {
    const half = 'x'.repeat(LOAD_TEXT_CHARS_MAX / 2)
    expect(await lines([half, half, '\nb'])).toEqual([half + half, 'b'])
    expect(await lines([half, half, 'x\nb'])).toEqual([null, 'b'])
    expect(await lines([half, half, half, half, half, '\nb'])).toEqual([null, 'b'])
    expect(await lines([`${half}${half}x`])).toEqual([null])
  })
})
