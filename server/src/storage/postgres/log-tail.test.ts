import { describe, expect, it } from 'vitest'
import type { TakeRow } from './copy-out.ts'
import type { Instances } from './instances.ts'
import { GroupMemory } from './log-rows.ts'
import { Looks, readTail } from './log-tail.ts'
import type { NamedStatement } from './prepared-rows.ts'
import { ConnectionLostError, type Session } from './session.ts'

const known = { first: 7, sequence: 8, crc: 99 }
const bytes = Buffer.from('next')
/** Fields of a row of the log, in their order. */
const own = [int8(7), int4(0), int4(1), int8(8), int8(99), Buffer.alloc(0)]
const next = [int8(9), int4(0), int4(1), int8(9), int8(5), bytes]

interface Answers {
  readonly rows: readonly (readonly Buffer[])[]
  /** The bytes are to be read by another statement. */
  readonly isLarge?: boolean
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
  const { mustWrite = false, expectsMany = false, isLarge = false } = answers
  const statements: string[] = []
  const session = {
    rows: async ({ name }: NamedStatement, _values: readonly unknown[], take: TakeRow) => {
      statements.push(name)
      const isLeftOut = Buffer.from([isLarge ? 1 : 0])
      for (const row of rows) take([...row, isLeftOut, int8(written)])
      return isConfirmed
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
  const memory = new GroupMemory()
  const options = { instances, applied: 8, mustWrite, expectsMany, memory }
  return { tail: await readTail(session, known, options), statements }
}

describe('the end of the log', () => {
  it('is handed on when the write of the same statement is confirmed', async () => {
    const { tail, statements } = await read({ rows: [own, next] })
    const end = { first: 9, sequence: 9, crc: 5 }
    expect(tail?.groups).toEqual([{ end, bytes: new Uint8Array(bytes) }])
    expect(statements).toEqual(['follow'])
  })

  it.each([
    ['the standby has not confirmed', { isConfirmed: false }],
    ['that was read under a name that another process has', { written: 0 }],
  ])('is not handed on when it is one %s', async (_title, answer) => {
    const reading = read({ rows: [own, next], ...answer })
    await expect(reading).rejects.toThrow(ConnectionLostError)
  })

  it('needs no write when nothing is there, unless that has to be confirmed', async () => {
    expect((await read({ rows: [own], written: 0 })).tail?.groups).toEqual([])
    const reading = read({ rows: [own], written: 0, mustWrite: true })
    await expect(reading).rejects.toThrow(ConnectionLostError)
  })

  it('has a second write behind parts that are read later', async () => {
    const rows = [own, next.with(2, int4(2))]
    const { tail, statements } = await read({ rows, more: [[Buffer.from(' one')]] })
    expect(Buffer.from(tail?.groups[0]?.bytes ?? []).toString()).toBe('next one')
    expect(statements).toEqual(['follow', 'copy', 'confirm'])
  })

  describe('of many bytes', () => {
    const isLarge = true
    const rows = [own, next.with(5, Buffer.alloc(0))]
    const more = [own, next]

    it('is read by a statement of its own, and has a write behind it', async () => {
      const { tail, statements } = await read({ rows, more, isLarge, written: 0 })
      expect(tail?.groups).toEqual([
        { end: { first: 9, sequence: 9, crc: 5 }, bytes: new Uint8Array(bytes) },
      ])
      expect(statements).toEqual(['follow', 'copy', 'confirm'])
    })

    it('is not handed on while the standby has not confirmed it', async () => {
      const reading = read({ rows, more, isLarge, isConfirmed: false })
      await expect(reading).rejects.toThrow(ConnectionLostError)
    })

    describe('that were expected', () => {
      const answer = (written: number, ...rows: readonly (readonly Buffer[])[]) => ({
        rows: [],
        expectsMany: true,
        more: rows.map((row) => [...row, int8(written)]),
      })

      it('comes with its write in one statement', async () => {
        const { tail, statements } = await read(answer(1, own, next))
        expect(tail?.groups).toEqual([
          { end: { first: 9, sequence: 9, crc: 5 }, bytes: new Uint8Array(bytes) },
        ])
        expect(statements).toEqual(['copy'])
      })

      it.each([
        ['the standby has not confirmed', 1, false],
        ['that was read under a name that another process has', 0, true],
      ])('is not handed on when it is one %s', async (_title, written, isConfirmed) => {
        const reading = read({ ...answer(written, own, next), isConfirmed })
        await expect(reading).rejects.toThrow(ConnectionLostError)
      })

      it('needs no write when nothing is there, unless that has to be confirmed', async () => {
        expect((await read(answer(0, own))).tail?.groups).toEqual([])
        const reading = read({ ...answer(0, own), mustWrite: true })
        await expect(reading).rejects.toThrow(ConnectionLostError)
      })

      it('is null when the known group is gone', async () => {
        expect((await read(answer(0))).tail).toBeNull()
      })
    })
  })

  it.each([
    ['is gone', []],
    ['is another one', [own.with(4, int8(98))]],
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

describe('memory for groups', () => {
  it('is used again from one reading to the next', () => {
    const memory = new GroupMemory()
    memory.take(1_000)
    memory.take(500)
    memory.reuse()
    const [first, second] = [memory.take(1_000), memory.take(500)]
    expect([first.buffer === second.buffer, first.length, second.length]).toEqual([
      true,
      1_000,
      500,
    ])
    expect([first.byteOffset, second.byteOffset]).toEqual([0, 1_000])
    expect(memory.take(1).buffer, 'there is no room').not.toBe(first.buffer)
    memory.reuse()
    expect(memory.take(1_000).byteOffset).toBe(0)
  })

  it('is not kept for what is larger than usual', () => {
    const memory = new GroupMemory()
    memory.take(10_000_000)
    memory.reuse()
    expect(memory.take(10_000_000).buffer.byteLength).toBe(10_000_000)
  })
})
