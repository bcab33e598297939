import { expect, it } from 'vitest'
import { linesOf } from './lines.ts'

async function* inPieces(text: string, size: number) {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

it('cuts lines wherever the pieces end, and leaves empty ones out', async () => {
  const text = 'one\n\ntwo é😀\nthree\nlast'
  for (let size = 1; size <= 30; size++) {
    const lines: string[] = []
    for await (const line of linesOf(inPieces(text, size))) lines.push(Buffer.from(line).toString())
    expect(lines, `pieces of ${size}`).toEqual(['one', 'two é😀', 'three', 'last'])
  }
})
