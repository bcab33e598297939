/**
 * A lean HTTP/1.1 load generator on raw sockets: keep-alive, one request in flight per socket, no
 * header parsing beyond the length. It has to cost less than the server it measures, since both
 * share the machine.
 */
import { connect, type Socket } from 'node:net'

export interface LoadTarget {
  readonly host: string
  readonly port: number
}

export function requestBytes(
  target: LoadTarget,
  method: string,
  path: string,
  body?: Buffer,
): Buffer {
  const length = body === undefined ? '' : `Content-Length: ${body.length}\r\n`
  const head = Buffer.from(
    `${method} ${path} HTTP/1.1\r\nHost: ${target.host}:${target.port}\r\n${length}\r\n`,
  )
  return body === undefined ? head : Buffer.concat([head, body])
}

export interface LoadSource {
  /** The next request, null when there are no more. */
  next(): Buffer | null
  /** Given the body of every answer that carries its length. */
  readonly onBody?: (body: Buffer) => void
  /** Given status line and headers of every answer. */
  readonly onHead?: (head: string) => void
}

/**
 * Sends requests over `connections` sockets until `next` has no more; resolves with the number of
 * answers. Fails on the first answer that is not 200 or carries `"error":true`.
 */
export async function drive(
  target: LoadTarget,
  connections: number,
  source: LoadSource,
): Promise<number> {
  const counts = await Promise.all(
    Array.from({ length: connections }, () => driveOne(target, source)),
  )
  return counts.reduce((sum, count) => sum + count, 0)
}

/** Sends the requests one behind the other over one connection. */
export async function driveInOrder(
  target: LoadTarget,
  requests: readonly Buffer[],
  onBody?: (body: Buffer) => void,
): Promise<void> {
  let sent = 0
  const next = () => requests[sent++] ?? null
  await drive(target, 1, onBody === undefined ? { next } : { next, onBody })
}

function driveOne(target: LoadTarget, { next, onBody, onHead }: LoadSource): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket: Socket = connect(target.port, target.host)
    socket.setNoDelay(true)
    let count = 0
    let pending: Buffer = Buffer.alloc(0)
    const send = (): void => {
      const request = next()
      if (request === null) {
        socket.end()
        resolve(count)
      } else {
        socket.write(request)
      }
    }
    socket.on('connect', send)
    socket.on('error', reject)
    socket.on('data', (chunk: Buffer) => {
      pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk])
      const frame = answerFrame(pending)
      if (frame === null || pending.length < frame.end) return
      const { bodyStart, end } = frame
      const text = pending.toString('latin1', 0, Math.min(end, 600))
      if (!text.startsWith('HTTP/1.1 200') || text.includes('"error":true')) {
        socket.destroy()
        reject(new Error(`refused: ${text}`))
        return
      }
      onHead?.(pending.toString('latin1', 0, bodyStart))
      onBody?.(pending.subarray(bodyStart, end))
      pending = pending.subarray(end)
      count++
      send()
    })
  })
}

/** Where the answer's body begins and ends; null while neither can be told. */
function answerFrame(bytes: Buffer): { readonly bodyStart: number; readonly end: number } | null {
  const headEnd = bytes.indexOf('\r\n\r\n')
  if (headEnd < 0) return null
  const bodyStart = headEnd + 4
  const head = bytes.toString('latin1', 0, headEnd).toLowerCase()
  const length = /content-length: (\d+)/.exec(head)
  if (length !== null) return { bodyStart, end: bodyStart + Number(length[1]) }
  const last = bytes.indexOf('0\r\n\r\n', bodyStart)
  return last < 0 ? null : { bodyStart, end: last + 5 }
}
