/**
 * Entry of the segment thread of a shared store: packing and unpacking parts takes processor time, and
 * a connection of its own keeps them out of the way of commits.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import '#kernel/buffer-pool.ts'
import { assert } from '#kernel/assert.ts'
import type { Clock } from '#kernel/clock.ts'
import { cutIntoParts, type StoredBlob } from '../segment/blob.ts'
import type { Handlers } from '../thread/messages.ts'
import { serveRequests } from '../thread/serve-requests.ts'
import { BlobRows } from './blob-rows.ts'
import { writeFirst } from './first-writes.ts'
import { Link, Nodes, type StoreTimers } from './link.ts'
import type {
  BlobCounts,
  BlobShare,
  ReadShare,
  SegmentProtocol,
  SegmentRole,
} from './segment-protocol.ts'
import { ConnectionLostError } from './session.ts'

const clock: Clock = { nowMs: () => Date.now(), monotonicMs: () => performance.now() }
const timers: StoreTimers = {
  after: (ms, call) => {
    const timer = setTimeout(call, ms)
    return () => clearTimeout(timer)
  },
  every: (ms, call) => {
    const timer = setInterval(call, ms).unref()
    return () => clearInterval(timer)
  },
}

assert(parentPort !== null, 'the segment worker runs as a worker thread')
serveRequests(parentPort, () => ({ handlers: handlersOf(workerData as SegmentRole) }))

function handlersOf({ address, bytesPerSecondMax }: SegmentRole): Handlers<SegmentProtocol> {
  const nodes = new Nodes({ address, clock, timers })
  const link = new Link(nodes)
  const pace = new Pace(bytesPerSecondMax)
  return {
    writePiece: ({ number, counts, bytes }) => writePiece(link, pace, { number, counts, bytes }),
    readBlob: (blob) => readBlob(link, blob),
    readShare: (share) => readShare(link, share),
    writeFirst,
    watch: ({ first }) => watch(link, first),
    close: async () => {
      await link.close()
      nodes.close()
      return null
    },
  }
}

interface Piece {
  readonly number: number
  readonly counts: BlobCounts
  readonly bytes: Uint8Array
}

/** One part a transaction. A part whose outcome is open is written again: its bytes are the same. */
async function writePiece(link: Link, pace: Pace, piece: Piece): Promise<BlobCounts> {
  const blob = { number: piece.number, ...piece.counts }
  for (const part of cutIntoParts(blob, piece.bytes)) {
    await pace.wait(part.bytes.length)
    await link.repeat(async (session) => {
      const answer = await session.query(
        {
          name: 'write-part',
          text: `INSERT INTO parts VALUES ($1, $2, $3, $4, $5) ON CONFLICT (blob, part)
            DO UPDATE SET crc = excluded.crc, codec = excluded.codec, bytes = excluded.bytes`,
        },
        [piece.number, part.place, part.crc, part.codec, bufferOf(part.bytes)],
      )
      if (!answer.isConfirmed) throw new ConnectionLostError('the standby has not confirmed a part')
    })
  }
  return { partCount: blob.partCount, sizeBytes: blob.sizeBytes, crc32: blob.crc32 }
}

async function readBlob(link: Link, blob: StoredBlob): Promise<Uint8Array<SharedArrayBuffer>> {
  const rows = new BlobRows(blob)
  await link.repeat((session) => rows.read(session))
  return rows.whole()
}

async function readShare(link: Link, { blob, ...share }: BlobShare): Promise<ReadShare> {
  const rows = new BlobRows(blob, share)
  await link.repeat((session) => rows.read(session))
  return rows.share
}

const WATCH_LOOK_MS = 20
const WATCH_MS = 1_000

/** For an idle follower. The message carries no data: its receiver reads the log itself. */
async function watch(link: Link, first: number): Promise<boolean> {
  const endMs = clock.monotonicMs() + WATCH_MS
  while (clock.monotonicMs() < endMs) {
    await pause(WATCH_LOOK_MS)
    let isThere = false
    await link.use((session) =>
      session.rows(anyBehind, [first], () => {
        isThere = true
      }),
    )
    if (isThere) return true
  }
  return false
}

const anyBehind = {
  name: 'watch',
  text: 'SELECT 1 FROM log WHERE first_sequence > $1 ORDER BY first_sequence LIMIT 1',
}

/** Keeps the mean rate below a limit, without making up for pauses. */
class Pace {
  readonly #bytesPerSecondMax: number
  #freeMs = 0

  constructor(bytesPerSecondMax: number) {
    this.#bytesPerSecondMax = bytesPerSecondMax
  }

  async wait(sizeBytes: number): Promise<void> {
    const nowMs = clock.monotonicMs()
    const startMs = Math.max(nowMs, this.#freeMs)
    this.#freeMs = startMs + (sizeBytes / this.#bytesPerSecondMax) * 1_000
    if (startMs > nowMs) await pause(startMs - nowMs)
  }
}

function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
}
