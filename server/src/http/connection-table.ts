/**
 * The open connections of the server and the share of them that an address may have.
 *
 * Nobody has to sign in to open a connection, so that one client could take all of them. At a limit
 * an idle connection gives way to the new one: of the address itself at the limit of an address, of
 * the address with the most connections at the limit of the server. Idle is what has no request
 * under way: kept alive, or with a head that is not whole yet, or before the end of the TLS handshake.
 */
import type { Socket } from 'node:net'
import { Server as TlsServer } from 'node:tls'
import type { FastifyInstance } from 'fastify'
import { addressGroup } from '#services/auth/login-limit.ts'
import type { AddressTest } from './client-address.ts'

export interface Connection {
  /** With TLS the one below until the handshake has ended. */
  socket: Socket
  readonly address: AddressConnections
  /** Requests that have begun and are not answered. */
  running: number
  /** Bytes read when the last request ended: what came since is a head. */
  readBytes: number
  /** Bytes written when somebody last looked, and when they last became more. */
  writtenBytes: number
  writtenMs: number
}

interface AddressConnections {
  readonly name: string
  readonly all: Set<Connection>
  /** The one that has been idle for the longest time first. */
  readonly idle: Set<Connection>
}

export interface ConnectionLimits {
  readonly countMax: number
  readonly perAddressMax: number
  /** Addresses that may have any share, such as those of proxies. */
  readonly isExempt: AddressTest
  /** A connection whose client took nothing of its answer for so long gives way, too. */
  readonly stalledAnswerMs: number
  /** Monotonic clock. */
  nowMs(): number
}

export class ConnectionTable {
  readonly #limits: ConnectionLimits
  readonly #addresses = new Map<string, AddressConnections>()
  readonly #bySocket = new Map<Socket, Connection>()
  /** Before the end of their handshakes, by their ends. */
  readonly #unsecured = new Map<string, Connection>()

  constructor(limits: ConnectionLimits) {
    this.#limits = limits
  }

  get count(): number {
    return this.#bySocket.size
  }

  connections(): Iterable<Connection> {
    return this.#bySocket.values()
  }

  /** @param isSecured false: a handshake has to follow */
  opened(socket: Socket, isSecured: boolean): void {
    const { remoteAddress } = socket
    const address = this.#connectionsOf(addressGroup(remoteAddress))
    if (remoteAddress === undefined || !this.#makeRoom(address, remoteAddress)) {
      this.#forgetAddress(address)
      socket.destroy()
      return
    }
    const counters = { running: 0, readBytes: 0, writtenBytes: 0, writtenMs: this.#limits.nowMs() }
    const connection = { socket, address, ...counters }
    address.all.add(connection)
    address.idle.add(connection)
    this.#bySocket.set(socket, connection)
    const ends = endsOf(socket)
    if (!isSecured) this.#unsecured.set(ends, connection)
    socket.once('close', () => {
      if (this.#unsecured.get(ends) === connection) this.#unsecured.delete(ends)
      this.#forget(connection)
    })
  }

  /** The handshake of a connection has ended: `socket` is what its requests come by. */
  secured(socket: Socket): void {
    const ends = endsOf(socket)
    const connection = this.#unsecured.get(ends)
    if (connection === undefined) return
    this.#unsecured.delete(ends)
    this.#bySocket.delete(connection.socket)
    connection.socket = socket
    this.#bySocket.set(socket, connection)
  }

  begun(socket: Socket): void {
    const connection = this.#bySocket.get(socket)
    if (connection === undefined) return
    connection.running++
    connection.address.idle.delete(connection)
  }

  ended(socket: Socket): void {
    const connection = this.#bySocket.get(socket)
    if (connection === undefined) return
    connection.running--
    connection.readBytes = socket.bytesRead
    if (connection.running === 0) connection.address.idle.add(connection)
  }

  /** Those without a request under way: HTTP does not know them before their handshake. */
  closeIdle(): void {
    for (const { idle } of [...this.#addresses.values()]) {
      for (const connection of [...idle]) this.#close(connection)
    }
  }

  closeAll(): void {
    for (const connection of [...this.#bySocket.values()]) this.#close(connection)
  }

  #makeRoom(address: AddressConnections, remoteAddress: string): boolean {
    const { countMax, perAddressMax, isExempt } = this.#limits
    if (address.all.size >= perAddressMax && !isExempt(remoteAddress))
      return this.#closeOne(address)
    if (this.count < countMax) return true
    const largestFirst = [...this.#addresses.values()].sort(
      (one, other) => other.all.size - one.all.size,
    )
    return largestFirst.some((other) => this.#closeOne(other))
  }

  /** @returns false when all are in use */
  #closeOne({ idle, all }: AddressConnections): boolean {
    const [oldest] = idle
    const closed = oldest ?? [...all].find((connection) => this.#isStalled(connection))
    if (closed === undefined) return false
    this.#close(closed)
    return true
  }

  /** The client has taken nothing of its answer for a while. */
  #isStalled(connection: Connection): boolean {
    const { socket, writtenBytes, writtenMs } = connection
    const nowMs = this.#limits.nowMs()
    const sentBytes = socket.bytesWritten - socket.writableLength
    if (socket.writableLength > 0 && sentBytes === writtenBytes) {
      return nowMs - writtenMs >= this.#limits.stalledAnswerMs
    }
    connection.writtenBytes = sentBytes
    connection.writtenMs = nowMs
    return false
  }

  #close(connection: Connection): void {
    this.#forget(connection)
    connection.socket.destroy()
  }

  #forget(connection: Connection): void {
    const { address, socket } = connection
    address.all.delete(connection)
    address.idle.delete(connection)
    this.#bySocket.delete(socket)
    this.#forgetAddress(address)
  }

  #connectionsOf(name: string): AddressConnections {
    const known = this.#addresses.get(name)
    if (known !== undefined) return known
    const made = { name, all: new Set<Connection>(), idle: new Set<Connection>() }
    this.#addresses.set(name, made)
    return made
  }

  #forgetAddress({ name, all }: AddressConnections): void {
    if (all.size === 0) this.#addresses.delete(name)
  }
}

/** The same for a socket and for the one of TLS over it. */
function endsOf({ remoteAddress, remotePort, localAddress }: Socket): string {
  return `${remoteAddress} ${remotePort} ${localAddress}`
}

export function trackConnections(app: FastifyInstance, limits: ConnectionLimits): ConnectionTable {
  const table = new ConnectionTable(limits)
  const isTls = (app.server as object) instanceof TlsServer
  app.server.on('connection', (socket: Socket) => table.opened(socket, !isTls))
  if (isTls) app.server.on('secureConnection', (socket: Socket) => table.secured(socket))
  app.addHook('onRequest', (request, _reply, done) => {
    table.begun(request.raw.socket)
    done()
  })
  app.addHook('onResponse', (request, _reply, done) => {
    table.ended(request.raw.socket)
    done()
  })
  return table
}
