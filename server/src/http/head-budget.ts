/**
 * Limits what unfinished request heads take together. Node holds each in memory until it is whole,
 * up to its limit, before anything of ours sees the request.
 */
import type { Socket } from 'node:net'
import { Server as TlsServer } from 'node:tls'
import type { FastifyInstance } from 'fastify'
import { HEAD_SIZE_BYTES_MAX } from '#kernel/limits.ts'

const CHECK_MS = 100

interface Connection {
  /** Bytes read when the last request ended: what came since is a head. */
  readBytes: number
  /** Requests that have begun and are not answered: what comes now is a body, or will be counted later. */
  running: number
}

export class HeadBudget {
  readonly #limitBytes: number
  readonly #connections = new Map<Socket, Connection>()

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes
  }

  opened(socket: Socket): void {
    this.#connections.set(socket, { readBytes: 0, running: 0 })
    socket.once('close', () => this.#connections.delete(socket))
  }

  begun(socket: Socket): void {
    const connection = this.#connections.get(socket)
    if (connection !== undefined) connection.running++
  }

  ended(socket: Socket): void {
    const connection = this.#connections.get(socket)
    if (connection === undefined) return
    connection.running--
    connection.readBytes = socket.bytesRead
  }

  /** Closes the connections with the largest unfinished heads while all take too much. */
  check(): void {
    // So few that they cannot.
    if (this.#connections.size * HEAD_SIZE_BYTES_MAX <= this.#limitBytes) return
    const heads: { readonly socket: Socket; readonly bytes: number }[] = []
    let sumBytes = 0
    for (const [socket, { readBytes, running }] of this.#connections) {
      const bytes = running > 0 ? 0 : socket.bytesRead - readBytes
      if (bytes <= 0) continue
      heads.push({ socket, bytes })
      sumBytes += bytes
    }
    if (sumBytes <= this.#limitBytes) return
    heads.sort((one, other) => other.bytes - one.bytes)
    for (const { socket, bytes } of heads) {
      socket.destroy()
      sumBytes -= bytes
      if (sumBytes <= this.#limitBytes) return
    }
  }
}

export function limitHeads(app: FastifyInstance, limitBytes: number): void {
  const budget = new HeadBudget(limitBytes)
  const event = (app.server as object) instanceof TlsServer ? 'secureConnection' : 'connection'
  app.server.on(event, (socket: Socket) => budget.opened(socket))
  app.addHook('onRequest', (request, _reply, done) => {
    budget.begun(request.raw.socket)
    done()
  })
  app.addHook('onResponse', (request, _reply, done) => {
    budget.ended(request.raw.socket)
    done()
  })
  const timer = setInterval(() => budget.check(), CHECK_MS).unref()
  app.addHook('onClose', (_app, done) => {
    clearInterval(timer)
    done()
  })
}
