import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { PassThrough } from 'node:stream'
import { afterEach, describe, expect, it } from 'vitest'
import { Messages, StoreSocket, takeRows } from './row-stream.ts'

function message(kind: string, body = Buffer.alloc(0)): Buffer {
  const header = Buffer.alloc(5)
  header.write(kind, 'latin1')
  header.writeUInt32BE(body.length + 4, 1)
  return Buffer.concat([header, body])
}

const rows = [Buffer.from('first'), Buffer.alloc(1_000, 7), Buffer.alloc(0), Buffer.from('last')]
const begin = message('H', Buffer.from([1, 0, 0]))
const end = Buffer.concat([message('c'), message('C', Buffer.from('COPY 4\0'))])
const ready = message('Z', Buffer.from('I'))
const notice = message('N', Buffer.from('behind'))
const copied = Buffer.concat([begin, ...rows.map((row) => message('d', row)), end, ready])

function* piecesOf(bytes: Buffer, sizeBytes: number): Iterable<Buffer> {
  for (let at = 0; at < bytes.length; at += sizeBytes) yield bytes.subarray(at, at + sizeBytes)
}

describe('messages', () => {
  it.each([1, 2, 5, 6, 64, 100_000])('come out whole, in pieces of %i bytes', (sizeBytes) => {
    const taken: Buffer[] = []
    const messages = new Messages((one) => {
      taken.push(Buffer.from(one))
      return true
    })
    // One buffer for all pieces, as the socket has it.
    const buffer = Buffer.alloc(Math.min(sizeBytes, copied.length))
    for (const piece of piecesOf(copied, sizeBytes)) {
      expect(messages.push(buffer.subarray(0, piece.copy(buffer)))).toBeNull()
    }
    expect(Buffer.concat(taken)).toEqual(copied)
    expect(taken).toHaveLength(rows.length + 4)
  })

  it('end with the last one, wherever the piece goes on', () => {
    const messages = new Messages((one) => one[0] !== 'Z'.charCodeAt(0))
    expect(messages.push(Buffer.concat([copied, notice]))).toBe(copied.length)
  })

  it('are refused when they are none', () => {
    expect(() => new Messages(() => true).push(Buffer.from('HTTP/1.1 400'))).toThrow('no message')
  })
})

describe('a stream whose rows are taken', () => {
  it.each([1, 7, 100_000])('hands everything else to its listeners, by %i bytes', (sizeBytes) => {
    const stream = new PassThrough()
    const others: Buffer[] = []
    const taken: Buffer[] = []
    const listener = (piece: Buffer) => others.push(piece)
    stream.on('data', listener)
    takeRows(stream, (row) => taken.push(Buffer.from(row)))
    for (const piece of piecesOf(Buffer.concat([copied, notice]), sizeBytes)) {
      stream.emit('data', piece)
    }
    expect(taken).toEqual(rows)
    expect(Buffer.concat(others)).toEqual(Buffer.concat([begin, end, ready, notice]))
    expect(stream.listeners('data')).toEqual([listener])
  })

  it('is taken again by a statement that begins with the end of the one before', () => {
    const stream = new PassThrough()
    const taken: Buffer[] = []
    let repeats = 2
    stream.on('data', (piece: Buffer) => {
      if (piece[0] === 'Z'.charCodeAt(0) && repeats-- > 0) takeRows(stream, take)
    })
    const take = (row: Buffer) => taken.push(Buffer.from(row))
    takeRows(stream, take)
    stream.emit('data', Buffer.concat([copied, copied, copied]))
    expect(taken).toEqual([...rows, ...rows, ...rows])
    expect(stream.listenerCount('data')).toBe(1)
  })

  it('ends when the server sends no messages', async () => {
    const stream = new PassThrough()
    takeRows(stream, () => undefined)
    const failed = once(stream, 'error')
    stream.emit('data', Buffer.from('HTTP/1.1 400 Bad Request'))
    await expect(failed).resolves.toMatchObject([{ message: expect.stringMatching('no message') }])
  })
})

describe('a socket', () => {
  let close = () => {}

  afterEach(() => close())

  /** A server that sends so many bytes, and the socket on its other side. */
  async function connected(sent: readonly Buffer[]): Promise<StoreSocket> {
    const server = createServer((socket: Socket) => {
      for (const bytes of sent) socket.write(bytes)
      socket.end()
    })
    close = () => void server.close()
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const socket = new StoreSocket()
    socket.connect((server.address() as AddressInfo).port, '127.0.0.1')
    return socket
  }

  it('gives each listener bytes that stay, and rows bytes of one memory', async () => {
    const large = Buffer.alloc(3_000_000, 'abc')
    const answer = Buffer.concat([message('d', large), end, ready])
    const socket = await connected([answer, notice])
    const others: Buffer[] = []
    const taken: Buffer[] = []
    socket.on('data', (piece: Buffer) => others.push(piece))
    takeRows(socket, (row) => taken.push(Buffer.from(row)))
    await once(socket, 'close')
    expect(taken.map((row) => row.equals(large))).toEqual([true])
    expect(Buffer.concat(others)).toEqual(Buffer.concat([end, ready, notice]))
  })

  it('ends with the server', async () => {
    const sent = Buffer.alloc(1_000_000, 'xyz')
    const socket = await connected([sent])
    const pieces: Buffer[] = []
    socket.on('data', (piece: Buffer) => pieces.push(piece))
    await once(socket, 'close')
    expect(Buffer.concat(pieces).equals(sent)).toBe(true)
  })
})
