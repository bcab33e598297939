/**
 * A link of the network that a test can cut, without any right over the system: it forwards TCP
 * connections from a port of its own.
 *
 * - `pass`: bytes go through.
 * - `refuse`: connections are reset, new ones, too, as by a host that is down.
 * - `swallow`: connections stay open and nothing arrives, as behind a broken switch. What was sent
 *   arrives when the link passes again, as TCP would send it again.
 */

import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { unusedPort } from '../fixtures/postgres-programs.ts'

export type LinkState = 'pass' | 'refuse' | 'swallow'

/** One connection through the link: the side that came, and the one that was made for it. */
interface Pair {
  readonly near: Socket
  readonly far: Socket
}

export class Link {
  readonly port: number
  readonly #server: Server
  readonly #pairs = new Set<Pair>()
  /** Accepted while the link swallowed: nothing is connected for them before it passes. */
  readonly #waiting = new Set<Socket>()
  #targetPort: number
  #state: LinkState = 'pass'

  private constructor(port: number, targetPort: number, server: Server) {
    this.port = port
    this.#targetPort = targetPort
    this.#server = server
    server.on('connection', (near) => this.#accept(near))
  }

  static async start(targetPort: number): Promise<Link> {
    for (;;) {
      const port = await unusedPort()
      const server = createServer({ pauseOnConnect: true, allowHalfOpen: true })
      const isListening = await new Promise<boolean>((resolve) => {
        server.once('error', () => resolve(false))
        server.listen(port, '127.0.0.1', () => resolve(true))
      })
      if (isListening) return new Link(port, targetPort, server)
    }
  }

  get state(): LinkState {
    return this.#state
  }

  get connectionCount(): number {
    return this.#pairs.size
  }

  /** Connections that came while it swallowed. */
  get waitingCount(): number {
    return this.#waiting.size
  }

  /** For connections from now on; the port of a server is known only once it listens. */
  set targetPort(port: number) {
    this.#targetPort = port
  }

  set(state: LinkState): void {
    if (state === this.#state) return
    this.#state = state
    if (state === 'refuse') this.reset()
    for (const { near, far } of this.#pairs) {
      for (const socket of [near, far]) {
        if (state === 'swallow') socket.pause()
        else socket.resume()
      }
    }
    if (state !== 'pass') return
    const waiting = [...this.#waiting]
    this.#waiting.clear()
    for (const near of waiting) this.#connect(near)
  }

  /** Ends all present connections, as a restart of the host in between would. */
  reset(): void {
    for (const { near, far } of this.#pairs) {
      near.resetAndDestroy()
      far.resetAndDestroy()
    }
    for (const near of this.#waiting) near.resetAndDestroy()
    this.#pairs.clear()
    this.#waiting.clear()
  }

  async close(): Promise<void> {
    const closed = once(this.#server, 'close')
    this.#server.close()
    this.#state = 'refuse'
    this.reset()
    await closed
  }

  #accept(near: Socket): void {
    near.on('error', () => near.destroy())
    if (this.#state === 'refuse') {
      near.resetAndDestroy()
      return
    }
    if (this.#state === 'pass') {
      this.#connect(near)
      return
    }
    this.#waiting.add(near)
    near.once('close', () => this.#waiting.delete(near))
  }

  #connect(near: Socket): void {
    near.setNoDelay(true)
    const far = connect({
      port: this.#targetPort,
      host: '127.0.0.1',
      noDelay: true,
      allowHalfOpen: true,
    })
    const pair = { near, far }
    this.#pairs.add(pair)
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      from.on('data', (bytes) => {
        if (!to.write(bytes) && to.writable) this.#holdUntilDrained(from, to)
      })
      from.on('end', () => to.end())
      from.on('error', () => to.resetAndDestroy())
      from.on('close', () => {
        this.#pairs.delete(pair)
        to.destroySoon()
      })
    }
    near.resume()
    if (this.#state === 'swallow') {
      near.pause()
      far.pause()
    }
  }

  #holdUntilDrained(from: Socket, to: Socket): void {
    from.pause()
    to.once('drain', () => {
      if (this.#state !== 'swallow') from.resume()
    })
  }
}
