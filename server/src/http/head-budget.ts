/**
 * Limits what unfinished request heads take together. Node holds each in memory until it is whole,
 * up to its limit, before anything of ours sees the request.
 */
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { HEAD_SIZE_BYTES_MAX } from '#kernel/limits.ts'
import type { ConnectionTable } from './connection-table.ts'

const CHECK_MS = 100

/** Closes the connections with the largest unfinished heads while all take too much. */
function checkHeads(table: ConnectionTable, limitBytes: number): void {
  // So few that they cannot.
  if (table.count * HEAD_SIZE_BYTES_MAX <= limitBytes) return
  const heads: { readonly socket: Socket; readonly bytes: number }[] = []
  let sumBytes = 0
  for (const { socket, readBytes, running } of table.connections()) {
    // What comes while a request runs is a body, or will be counted later.
    const bytes = running > 0 ? 0 : socket.bytesRead - readBytes
    if (bytes <= 0) continue
    heads.push({ socket, bytes })
    sumBytes += bytes
  }
  if (sumBytes <= limitBytes) return
  heads.sort((one, other) => other.bytes - one.bytes)
  for (const { socket, bytes } of heads) {
    socket.destroy()
    sumBytes -= bytes
    if (sumBytes <= limitBytes) return
  }
}

export function limitHeads(app: FastifyInstance, table: ConnectionTable, limitBytes: number): void {
  const timer = setInterval(() => checkHeads(table, limitBytes), CHECK_MS).unref()
  app.addHook('onClose', (_app, done) => {
    clearInterval(timer)
    done()
  })
}
