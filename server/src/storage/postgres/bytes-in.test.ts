import type pg from 'pg'
import { describe, expect, it } from 'vitest'
import { BytesIn } from './bytes-in.ts'

const statement = { name: 'put', text: 'INSERT INTO t VALUES ($1, $2)' }
const bytes = Uint8Array.of(0, 0x80, 0xff, 0xc3)

const write = (numbers: number[]) =>
  new BytesIn({ statement, numbers, bytes: [bytes, Uint8Array.of(5)] })

/** What it sends, and what it asks the driver to prepare. */
function sent(query: BytesIn, { prepared = [] as string[], writable = true } = {}) {
  const pieces: Uint8Array[] = []
  const parsed: unknown[] = []
  query.submit({
    parsedStatements: Object.fromEntries(prepared.map((name) => [name, 'its text'])),
    parse: (asked: unknown) => parsed.push(asked),
    stream: {
      writable,
      cork: () => {},
      uncork: () => {},
      write: (piece: Uint8Array) => pieces.push(piece),
    },
  } as unknown as pg.Connection)
  return { message: Buffer.concat(pieces), pieces, parsed }
}

/** Cuts messages apart: a type, a length, a body. */
function messagesOf(stream: Buffer): [string, Buffer][] {
  const messages: [string, Buffer][] = []
  for (let at = 0; at < stream.length; ) {
    const end = at + 1 + stream.readInt32BE(at + 1)
    messages.push([stream.toString('latin1', at, at + 1), stream.subarray(at + 5, end)])
    at = end
  }
  return messages
}

describe('a statement with bytes', () => {
  it('is Bind, Execute and Sync, with numbers as texts and the bytes as they are', () => {
    const { message, pieces } = sent(write([2 ** 40, -7]))
    const [[bind, body], ...others] = messagesOf(message) as [
      [string, Buffer],
      ...[string, Buffer][],
    ]
    expect(bind).toBe('B')
    const values = Buffer.concat([
      ...[Buffer.from([0, 0, 0, 13]), Buffer.from('1099511627776')],
      ...[Buffer.from([0, 0, 0, 2]), Buffer.from('-7'), Buffer.from([0, 0, 0, 4]), bytes],
      Buffer.from([0, 0, 0, 1, 5]),
    ])
    const head = [0, ...Buffer.from('put\0'), 0, 4, 0, 0, 0, 0, 0, 1, 0, 1, 0, 4]
    expect(body).toEqual(Buffer.concat([Buffer.from(head), values, Buffer.from([0, 0])]))
    expect(others).toEqual([
      ['E', Buffer.alloc(5)],
      ['S', Buffer.alloc(0)],
    ])
    // Not a copy.
    expect(pieces.some(({ buffer }) => buffer === bytes.buffer)).toBe(true)
  })

  it('is prepared once for a connection', () => {
    const asked = { ...statement, types: [] }
    expect(sent(write([1])).parsed).toEqual([asked])
    expect(sent(write([1]), { prepared: ['put'] }).parsed).toEqual([])
  })

  it('sends nothing to a connection that is over', () => {
    expect(sent(write([1]), { writable: false }).pieces).toEqual([])
  })

  it('ends with the number of rows, or the error of the server', async () => {
    const written = write([1])
    written.handleCommandComplete({ text: 'INSERT 0 26' })
    written.handleReadyForQuery()
    expect(await written.ended).toBe(26)
    const failed = write([1])
    failed.handleError(new Error('refused'))
    await expect(failed.ended).rejects.toThrow('refused')
  })
})
