/**
 * The process that the store crash test kills: a tiny database of counters over the real store.
 * Writer `w` appends `w 1`, `w 2`, … one after the other and prints each once it is acknowledged;
 * now and then the counters are folded into a blob. On start it recovers them and fails loudly when
 * an entry is missing or counted twice.
 *
 * Arguments: data directory or address of a shared store. Prints `ready <counters as JSON>`, then `w n` per acknowledged append.
 */
import { writeSync } from 'node:fs'
import { isStoreAddress } from '#storage/postgres/address.ts'
import { openPostgresStore } from '#storage/postgres/postgres-store.ts'
import type { FollowedEntry } from '#storage/shared-store.ts'
import { openSqliteStore } from '#storage/sqlite/sqlite-store.ts'
import type { LogEntry, Store } from '#storage/store.ts'
import { clock, optionsFor } from '../conformance/postgres-options.ts'
import { idleFollower } from '../fixtures/idle-follower.ts'

const WRITERS = 16
const FOLD_EVERY = 400

const place = process.argv[2]!
const store = isStoreAddress(place)
  ? await openPostgresStore({ ...optionsFor(place, 'one'), takeoverAfterMs: 60_000 })
  : await openSqliteStore({ directory: place, clock })
const counters = await recover(store)
if ('shared' in store) {
  // What the process before this one had under way may come in while this one starts.
  const apply = async (entries: readonly FollowedEntry[]) => {
    for (const entry of entries) if (entry.kind === 'commit') count(counters, entry)
  }
  await store.shared.follow({ ...idleFollower, apply })
}
print(`ready ${JSON.stringify(counters)}\n`)
if (process.argv[3] === 'check') await store.close()
else await Promise.all([...counters.keys()].map(write))

async function recover(from: Store): Promise<number[]> {
  const manifest = await from.readManifest()
  const recovered: number[] =
    manifest === null ? Array(WRITERS).fill(0) : JSON.parse(text(await from.readBlob('counters')))
  for await (const entry of from.readLog(manifest?.foldedSequence ?? 0)) count(recovered, entry)
  return recovered
}

function count(into: number[], { sequence, payload }: LogEntry): void {
  const [writer, value] = text(payload).split(' ').map(Number) as [number, number]
  if (into[writer] !== value - 1) {
    throw new Error(`entry ${sequence} is "${writer} ${value}" after ${into[writer]}`)
  }
  into[writer] = value
}

/** Straight to the pipe: what was printed before the kill is read after it. A full pipe is waited for. */
function print(text: string): void {
  while (true) {
    try {
      writeSync(1, text)
      return
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1)
    }
  }
}

async function write(writer: number): Promise<void> {
  while (true) {
    const value = counters[writer]! + 1
    const sequence = await store.append(new TextEncoder().encode(`${writer} ${value}`))
    counters[writer] = value
    print(`${writer} ${value}\n`)
    if (sequence % FOLD_EVERY === 0) await fold(sequence)
  }
}

/**
 * Promises settle in the order of the log, so right now the counters contain every entry up to
 * `sequence` and none behind it.
 */
async function fold(sequence: number): Promise<void> {
  const blob = new TextEncoder().encode(JSON.stringify(counters))
  const segments = store.beginSegments()
  await segments.writeBlob('counters', blob)
  await segments.writeBlob('ballast', new Uint8Array(100_000).fill(sequence))
  await segments.publish('', sequence)
}

function text(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes.slice())
}
