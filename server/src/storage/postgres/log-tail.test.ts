import { describe, expect, it } from 'vitest'
import type { TakeRow } from './copy-out.ts'
import type { Instances } from './instances.ts'
import { Looks, readTail } from './log-tail.ts'
import { ConnectionLostError, type Row, type Session, type Statement } from './session.ts'

const known = { first: 7, sequence: 8, crc: 99 }
const own = { first_sequence: 7, part: 0, parts: 1, last_sequence: 8, last_crc: 99, bytes: null }
const next = { first_sequence: 9, part: 0, parts: 1, last_sequence: 9, last_crc: 5 }
const bytes = Buffer.from('next')

interface Answers {
  readonly rows: readonly Row[]
  readonly isConfirmed?: boolean
  readonly written?: number
  readonly mustWrite?: boolean
  readonly expectsMany?: boolean
  /** Rows of further statements. */
  readonly more?: readonly (readonly Buffer[])[]
}

function int4(value: number): Buffer {
  const field = Buffer.alloc(4)
  field.writeInt32BE(value)
  return field
}

function int8(value: number): Buffer {
  const field = Buffer.alloc(8)
  field.writeBigInt64BE(BigInt(value))
  return field
}

async function read(answers: Answers) {
  const { rows, isConfirmed = true, written = 1, more } = answers
  const { mustWrite = false, expectsMany = false } = answers
  const statements: string[] = []
  const session = {
    query: async ({ name }: Statement) => {
      statements.push(name ?? '')
      return { rows: rows.map((row) => ({ ...row, written })), isConfirmed }
    },
    copyOut: async (_select: string, take: TakeRow) => {
      statements.push('copy')
      for (const fields of more ?? []) take(fields)
      return isConfirmed
    },
  } as unknown as Session
  const instances = {
    name: 'two',
    ordinal: 2,
    run: 'a-1',
    confirm: async () => {
      statements.push('confirm')
      return isConfirmed
    },
  } as unknown as Instances
  const options = { instances, applied: 8, mustWrite, expectsMany }
  return { tail: await readTail(session, known, options), statements }
}

describe('the end of the log', () => {
  it('is handed on when the write of the same statement is confirmed', async () => {
    const { tail, statements } = await read({ rows: [own, { ...next, bytes }] })
    const end = { first: 9, sequence: 9, crc: 5 }
    expect(tail?.groups).toEqual([{ end, bytes: new Uint8Array(bytes) }])
    expect(statements).toEqual(['follow'])
  })

  it.each([
    ['the standby has not confirmed', { isConfirmed: false }],
    ['that was read under a name that another process has', { written: 0 }],
  ])('is not handed on when it is one %s', async (_title, answer) => {
    const reading = read({ rows: [own, { ...next, bytes }], ...answer })
    await expect(reading).rejects.toThrow(ConnectionLostError)
  })

  it('needs no write when nothing is there, unless that has to be confirmed', async () => {
    expect((await read({ rows: [own], written: 0 })).tail?.groups).toEqual([])
    const reading = read({ rows: [own], written: 0, mustWrite: true })
    await expect(reading).rejects.toThrow(ConnectionLostError)
  })

  it('has a second write behind parts that are read later', async () => {
    const rows = [own, { ...next, parts: 2, bytes }]
    const { tail, statements } = await read({ rows, more: [[Buffer.from(' one')]] })
    expect(Buffer.from(tail?.groups[0]?.bytes ?? []).toString()).toBe('next one')
    expect(statements).toEqual(['follow', 'copy', 'confirm'])
  })

  describe('of many bytes', () => {
    const rows = [own, { ...next, bytes: null, is_left_out: true }]
    const more = [
      [int8(7), int4(0), int4(1), int8(8), int8(99), Buffer.alloc(0)],
      [int8(9), int4(0), int4(1), int8(9), int8(5), bytes],
    ]

    it('is read by a statement of its own, and has a write behind it', async () => {
      const { tail, statements } = await read({ rows, more, written: 0 })
      expect(tail?.groups).toEqual([
        { end: { first: 9, sequence: 9, crc: 5 }, bytes: new Uint8Array(bytes) },
      ])
      expect(statements).toEqual(['follow', 'copy', 'confirm'])
    })

    it('is not handed on while the standby has not confirmed it', async () => {
      const reading = read({ rows, more, isConfirmed: false })
      await expect(reading).rejects.toThrow(ConnectionLostError)
    })

    describe('that were expected', () => {
      const ownRow = [int8(7), int4(0), int4(1), int8(8), int8(99), Buffer.alloc(0)]
      const nextRow = [int8(9), int4(0), int4(1), int8(9), int8(5), bytes]
      const answer = (written: number, ...rows: readonly (readonly Buffer[])[]) => ({
        rows: [],
        expectsMany: true,
        more: rows.map((row) => [...row, int8(written)]),
      })

      it('comes with its write in one statement', async () => {
        const { tail, statements } = await read(answer(1, ownRow, nextRow))
        expect(tail?.groups).toEqual([
          { end: { first: 9, sequence: 9, crc: 5 }, bytes: new Uint8Array(bytes) },
        ])
        expect(statements).toEqual(['copy'])
      })

      it.each([
        ['the standby has not confirmed', 1, false],
        ['that was read under a name that another process has', 0, true],
      ])('is not handed on when it is one %s', async (_title, written, isConfirmed) => {
        const reading = read({ ...answer(written, ownRow, nextRow), isConfirmed })
        await expect(reading).rejects.toThrow(ConnectionLostError)
      })

      it('needs no write when nothing is there, unless that has to be confirmed', async () => {
        expect((await read(answer(0, ownRow))).tail?.groups).toEqual([])
        const reading = read({ ...answer(0, ownRow), mustWrite: true })
        await expect(reading).rejects.toThrow(ConnectionLostError)
      })

      it('is null when the known group is gone', async () => {
        expect((await read(answer(0))).tail).toBeNull()
      })
    })
  })

  it.each([
    ['is gone', []],
    ['is another one', [{ ...own, last_crc: 98 }]],
  ])('is null when the known group %s', async (_title, rows) => {
    expect((await read({ rows })).tail).toBeNull()
  })
})

describe('a follower looks', () => {
  const small = [{ end: known, bytes: Buffer.alloc(100) }]
  const large = [{ end: known, bytes: Buffer.alloc(100_000) }]

  it('every 20 ms while nothing comes', () => {
    expect(new Looks().pauseMs(5_000, false)).toBe(20)
  })

  it('sooner for a while after a small commit, later after many bytes', () => {
    const looks = new Looks()
    looks.found(small, 5_000)
    expect(looks.pauseMs(5_900, false)).toBe(5)
    expect(looks.pauseMs(6_000, false)).toBe(20)
    looks.found(large, 7_000)
    expect(looks.pauseMs(7_999, false)).toBe(40)
    expect(looks.pauseMs(8_000, false)).toBe(20)
  })

  it('for many bytes, for a while after more than a look brings with it', () => {
    const looks = new Looks()
    expect(looks.expectsMany(5_000)).toBe(false)
    looks.found(small, 5_000)
    expect(looks.expectsMany(5_001)).toBe(false)
    looks.found(large, 5_000)
    expect(looks.expectsMany(5_999)).toBe(true)
    expect(looks.expectsMany(6_000)).toBe(false)
  })

  it('sooner while a request waits', () => {
    const looks = new Looks()
    looks.found(large, 5_000)
    expect(looks.pauseMs(5_001, true)).toBe(5)
  })
})
