import { describe, expect, it } from 'vitest'
import { isDbError } from '#kernel/errors.ts'
import {
  decodeFrame,
  FRAME_HEADER_SIZE_BYTES,
  FRAME_PAYLOAD_SIZE_BYTES_MAX,
  LOG_START,
  type LogPosition,
  layOutFrame,
  sealFrames,
} from './frame.ts'

describe('commit-log frames', () => {
  it('give back sequence and payload, chained to the frame before', () => {
    const bytes = group(1, ['one', 'two'])
    const end = sealFrames(bytes, LOG_START)
    const first = decodeFrame(bytes, 0, LOG_START)
    const second = decodeFrame(bytes, first.sizeBytes, first)
    expect([text(first.payload), text(second.payload)]).toEqual(['one', 'two'])
    expect(end).toEqual({ sequence: 2, crc: second.crc })
  })

  it('keep sequences beyond 32 bits', () => {
    const previous = { sequence: 2 ** 40, crc: 7 }
    const bytes = group(2 ** 40 + 1, ['x'])
    sealFrames(bytes, previous)
    expect(decodeFrame(bytes, 0, previous).sequence).toBe(2 ** 40 + 1)
  })

  it('have exactly the documented bytes', () => {
    const bytes = group(3, ['A'])
    sealFrames(bytes, { sequence: 2, crc: 0x01020304 })
    expect(Buffer.from(bytes).toString('hex')).toBe(
      '51564631' + '0300000000000000' + '04030201' + '4dad249c' + '01000000' + '41',
    )
  })

  it('notice every single flipped bit', () => {
    const sound = group(1, ['payload'])
    sealFrames(sound, LOG_START)
    for (let bit = 0; bit < sound.length * 8; bit++) {
      const bytes = sound.slice()
      bytes[bit >> 3]! ^= 1 << (bit & 7)
      expect(() => decodeFrame(bytes, 0, LOG_START), `bit ${bit}`).toThrow(/frame 1 is damaged/)
    }
  })

  it('notice every shorter prefix', () => {
    const sound = group(1, ['payload'])
    sealFrames(sound, LOG_START)
    for (let length = 0; length < sound.length; length++) {
      expect(() => decodeFrame(sound.subarray(0, length), 0, LOG_START)).toThrow(/damaged/)
    }
  })

  it('notice a frame that stands in the place of another', () => {
    const bytes = group(1, ['one', 'two'])
    sealFrames(bytes, LOG_START)
    const second = FRAME_HEADER_SIZE_BYTES + 3
    expect(failure(bytes, second, LOG_START)).toMatch('frame 1 is damaged: frame 2 stands')
    expect(failure(bytes, second, { sequence: 1, crc: 1 })).toMatch('follows a frame with checksum')
  })

  it('refuse a payload one byte over the limit', () => {
    const payload = new Uint8Array(FRAME_PAYLOAD_SIZE_BYTES_MAX + 1)
    expect(() => layOutFrame(new Uint8Array(8), { offset: 0, sequence: 1 }, payload)).toThrow(
      'largest size',
    )
  })
})

function group(firstSequence: number, payloads: readonly string[]): Uint8Array {
  const encoded = payloads.map((payload) => new TextEncoder().encode(payload))
  const size = encoded.reduce((sum, bytes) => sum + FRAME_HEADER_SIZE_BYTES + bytes.length, 0)
  const target = new Uint8Array(size)
  let offset = 0
  encoded.forEach((payload, index) => {
    offset = layOutFrame(target, { offset, sequence: firstSequence + index }, payload)
  })
  return target
}

function failure(bytes: Uint8Array, offset: number, previous: LogPosition): string {
  try {
    decodeFrame(bytes, offset, previous)
  } catch (error) {
    if (isDbError(error, 'CORRUPT_LOG')) return error.message
    throw error
  }
  return 'no failure'
}

function text(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes)
}
