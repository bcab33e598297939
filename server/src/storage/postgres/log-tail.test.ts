import { describe, expect, it } from 'vitest'
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
  /** Of parts that are read later. */
  readonly more?: readonly Row[]
}

async function read({ rows, isConfirmed = true, written = 1, mustWrite = false, more }: Answers) {
  const asked: string[] = []
  const session = {
    query: async ({ name }: Statement) => {
      asked.push(name ?? '')
      const found = name === 'follow' ? rows.map((row) => ({ ...row, written })) : (more ?? [])
      return { rows: found, count: found.length, command: 'SELECT', isConfirmed }
    },
  } as unknown as Session
  const instances = {
    name: 'two',
    run: 'r',
    confirm: async () => {
      asked.push('confirm')
      return true
    },
  } as unknown as Instances
  return { tail: await readTail(session, known, { instances, applied: 8, mustWrite }), asked }
}

describe('the end of the log', () => {
  it('is handed on when the write of the same statement is confirmed', async () => {
    const { tail, asked } = await read({ rows: [own, { ...next, bytes }] })
    expect(tail?.groups).toEqual([{ end: { first: 9, sequence: 9, crc: 5 }, bytes }])
    expect(asked).toEqual(['follow'])
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
    const { tail, asked } = await read({ rows, more: [{ part: 1, bytes: Buffer.from(' one') }] })
    expect(String(tail?.groups[0]?.bytes)).toBe('next one')
    expect(asked).toEqual(['follow', 'read-parts', 'confirm'])
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

  it('sooner for a while after a small commit, not after many bytes', () => {
    const looks = new Looks()
    looks.found(small, 5_000)
    expect(looks.pauseMs(5_900, false)).toBe(5)
    expect(looks.pauseMs(6_000, false)).toBe(20)
    looks.found(large, 7_000)
    expect(looks.pauseMs(7_001, false)).toBe(20)
  })

  it('sooner while a request waits', () => {
    const looks = new Looks()
    looks.found(large, 5_000)
    expect(looks.pauseMs(5_001, true)).toBe(5)
  })
})
