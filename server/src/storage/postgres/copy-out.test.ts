import { describe, expect, it } from 'vitest'
import { BinaryRows, int4Of, int8Of } from './copy-out.ts'

/** Rows of (int, bigint, bytes). */
function streamOf(rows: readonly (readonly [number, number, Buffer | null])[]): Buffer {
  const parts = [Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1'), int4(0), int4(2), Buffer.from('ab')]
  for (const [place, number, bytes] of rows) {
    const big = Buffer.alloc(8)
    big.writeBigInt64BE(BigInt(number))
    parts.push(int2(3), int4(4), int4(place), int4(8), big, int4(bytes?.length ?? -1))
    if (bytes !== null) parts.push(bytes)
  }
  return Buffer.concat([...parts, int2(-1)])
}

function int2(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeInt16BE(value)
  return bytes
}

function int4(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(value)
  return bytes
}

const rows: [number, number, Buffer | null][] = [
  [0, 2 ** 40 + 1, Buffer.from([0, 0x80, 0xff, 0xc3, 0x28])],
  [-1, -5, null],
  [7, 0, Buffer.alloc(0)],
  [8, 1, Buffer.alloc(300, 0xfe)],
]

function read(stream: Buffer, sizeBytes: number): unknown[] {
  const taken: unknown[] = []
  const reader = new BinaryRows(([place, number, bytes]) => {
    taken.push([int4Of(place), int8Of(number), bytes == null ? null : Buffer.from(bytes)])
  })
  // One buffer for all pieces, as the driver has it.
  const buffer = Buffer.alloc(sizeBytes)
  for (let at = 0; at < stream.length; at += sizeBytes) {
    const size = stream.copy(buffer, 0, at, at + sizeBytes)
    reader.push(buffer.subarray(0, size))
  }
  return taken
}

describe('rows in the binary format', () => {
  it.each([1, 2, 7, 64, 10_000])('come out as they were, in pieces of %i bytes', (sizeBytes) => {
    expect(read(streamOf(rows), sizeBytes)).toEqual(rows)
  })

  it('are refused when they are text', () => {
    expect(() => read(Buffer.from('1\t2\t\\\\xff\n1\t2\t\\\\xff\n'), 100)).toThrow('binary format')
  })
})
