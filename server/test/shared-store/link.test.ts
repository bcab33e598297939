import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Link } from './link.ts'

let echo: Server
let link: Link
const sockets: Socket[] = []

beforeEach(async () => {
  echo = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.pipe(socket)
  })
  echo.listen(0, '127.0.0.1')
  await once(echo, 'listening')
  link = await Link.start((echo.address() as { port: number }).port)
})
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  await link.close()
  echo.close()
})

describe('a link', () => {
  it('carries bytes both ways, more than its buffers hold, and the end', async () => {
    const socket = await open()
    const sent = Buffer.alloc(4_000_000, 'quiver')
    const received: Buffer[] = []
    socket.on('data', (bytes: Buffer) => received.push(bytes))
    socket.end(sent)
    await once(socket, 'end')
    expect(Buffer.concat(received).equals(sent)).toBe(true)
  })

  it('resets connections while it refuses, present ones and new ones', async () => {
    const present = await open()
    const gone = closed(present)
    link.set('refuse')
    await gone
    const late = connect({ port: link.port, host: '127.0.0.1' })
    late.on('error', () => undefined)
    await closed(late)
    link.set('pass')
    expect(await answer(await open(), 'again')).toBe('again')
  })

  it('swallows, and delivers what was sent when it passes again', async () => {
    const present = await open()
    expect(await answer(present, 'one')).toBe('one')
    link.set('swallow')
    const late = connect({ port: link.port, host: '127.0.0.1' })
    sockets.push(late)
    const answers = [answer(present, 'two'), answer(late, 'three')]
    const first = await Promise.race([...answers, pause(200)])
    expect(first).toBeUndefined()
    link.set('pass')
    expect(await Promise.all(answers)).toEqual(['two', 'three'])
  })
})

async function open(): Promise<Socket> {
  const socket = connect({ port: link.port, host: '127.0.0.1' })
  socket.on('error', () => undefined)
  sockets.push(socket)
  await once(socket, 'connect')
  return socket
}

function answer(socket: Socket, text: string): Promise<string> {
  socket.write(text)
  return once(socket, 'data').then(([bytes]) => String(bytes))
}

function pause(durationMs: number): Promise<undefined> {
  return new Promise((resolve) => setTimeout(() => resolve(undefined), durationMs))
}

/** `once` would fail with the reset that comes before. */
function closed(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    socket.once('close', () => resolve())
  })
}
