/** The store below our engine, asked without the server: many writers, each waiting for its commit. */
import { rmSync } from 'node:fs'
import { openSqliteStore } from '#storage/sqlite/sqlite-store.ts'
import { type RowResult, timed } from '../contender.ts'
import { COMMIT_SIZE_BYTES, COMMITS_PER_ROUND, WRITERS } from '../rows.ts'

const clock = { nowMs: () => Date.now(), monotonicMs: () => performance.now() }

export async function commits(directory: string): Promise<RowResult> {
  const store = await openSqliteStore({ directory, clock })
  const payload = new Uint8Array(COMMIT_SIZE_BYTES).fill(7)
  try {
    return await timed(COMMITS_PER_ROUND, async () => {
      await writeConcurrently(() => store.append(payload))
      return { commits: store.statistics().commitCount }
    })
  } finally {
    await store.close()
    rmSync(directory, { recursive: true })
  }
}

/** Every writer commits again as soon as its commit is durable, until the round is full. */
export async function writeConcurrently(commit: () => Promise<unknown>): Promise<void> {
  let begun = 0
  const writer = async () => {
    while (begun++ < COMMITS_PER_ROUND) await commit()
  }
  await Promise.all(Array.from({ length: WRITERS }, writer))
}
