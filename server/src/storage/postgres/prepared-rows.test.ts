import { PassThrough } from 'node:stream'
import type pg from 'pg'
import { describe, expect, it } from 'vitest'
import { PreparedRows } from './prepared-rows.ts'

const statement = { name: 'ask', text: 'SELECT $1, $2' }

function message(kind: string, body: Uint8Array = Buffer.alloc(0)): Buffer {
  const header = Buffer.alloc(5)
  header.write(kind, 'latin1')
  header.writeUInt32BE(body.length + 4, 1)
  return Buffer.concat([header, body])
}

const row = (...fields: number[]) => message('D', Buffer.from(fields))
const answer = [
  message('2'),
  row(0, 2, 0, 0, 0, 3, 0xff, 0x80, 0, 255, 255, 255, 255),
  row(0, 1, 0, 0, 0, 0),
  message('C', Buffer.from('SELECT 2\0')),
]
const ready = message('Z', Buffer.from('I'))

/** A connection of which nothing but the stream is real. */
function submitted(values: unknown[], { isPrepared = true, take = () => {} } = {}) {
  const stream = new PassThrough()
  const sent: Buffer[] = []
  stream.write = ((piece: Buffer) => sent.push(Buffer.from(piece)) > 0) as typeof stream.write
  const forwarded: Buffer[] = []
  stream.on('data', (piece: Buffer) => forwarded.push(piece))
  const parsed: unknown[] = []
  const taken: unknown[] = []
  const rows = new PreparedRows(statement, values, (fields) => {
    taken.push(fields.map((field) => field && [...field]))
    take()
  })
  rows.submit({
    parsedStatements: isPrepared ? { ask: statement.text } : {},
    parse: (asked: unknown) => parsed.push(asked),
    stream,
  } as unknown as pg.Connection)
  const receive = (bytes: Buffer) => stream.emit('data', bytes)
  return { rows, sent: () => Buffer.concat(sent), parsed, taken, forwarded, receive, stream }
}

describe('a prepared statement whose rows are taken', () => {
  it('is one piece: Bind with texts, binary results, Execute and Sync', () => {
    const { sent, parsed } = submitted([2 ** 40, 'zwölf'])
    const body = [0, ...Buffer.from('ask\0'), 0, 0, 0, 2]
    const values = [
      0,
      0,
      0,
      13,
      ...Buffer.from('1099511627776'),
      0,
      0,
      0,
      6,
      ...Buffer.from('zwölf'),
    ]
    const bind = message('B', Uint8Array.from([...body, ...values, 0, 1, 0, 1]))
    expect(sent()).toEqual(Buffer.concat([bind, message('E', Buffer.alloc(5)), message('S')]))
    expect(parsed).toEqual([])
  })

  it('is prepared where the connection does not know it', () => {
    const { parsed } = submitted([], { isPrepared: false })
    expect(parsed).toEqual([{ ...statement, types: [] }])
  })

  it.each([1, 3, 1_000])(
    'hands on its rows, and to the driver what concerns it, by %i bytes',
    (size) => {
      const { taken, forwarded, receive, stream } = submitted([])
      const bytes = Buffer.concat([...answer, message('N', Buffer.from('x')), ready])
      for (let at = 0; at < bytes.length; at += size) receive(bytes.subarray(at, at + size))
      expect(taken).toEqual([[[0xff, 0x80, 0], null], [[]]])
      expect(Buffer.concat(forwarded)).toEqual(
        Buffer.concat([message('N', Buffer.from('x')), ready]),
      )
      expect(stream.listenerCount('data')).toBe(1)
    },
  )

  it('notes what the taker throws, and hands on no more rows', () => {
    const failure = new Error('not mine')
    const take = () => {
      throw failure
    }
    const { rows, taken, receive } = submitted([], { take })
    receive(Buffer.concat([...answer, ready]))
    expect(rows.failure).toBe(failure)
    expect(taken).toHaveLength(1)
  })

  it('settles with the answer of the server', async () => {
    const failed = submitted([]).rows
    failed.handleError(new Error('refused'))
    await expect(failed.ended).rejects.toThrow('refused')
    const ended = submitted([]).rows
    ended.handleReadyForQuery()
    await expect(ended.ended).resolves.toBeUndefined()
  })
})
