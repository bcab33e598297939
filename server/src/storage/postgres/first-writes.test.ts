import { expect, it } from 'vitest'
import { writeFirst } from './first-writes.ts'

it('the first writing of memory leaves what others have written', async () => {
  const buffer = new SharedArrayBuffer(40_000_001, { maxByteLength: 50_000_000 })
  const bytes = new Uint8Array(buffer)
  for (let at = 0; at < bytes.length; at += 1_021) bytes[at] = at % 251
  const before = bytes.slice()
  await writeFirst({ buffer, start: 4_099, end: bytes.length })
  expect(Buffer.compare(bytes.slice(), before)).toBe(0)
})
