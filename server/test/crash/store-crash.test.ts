import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'vitest'
import { startPostgres } from '../fixtures/postgres.ts'
import { crashRounds, crashSeed, killRounds } from './kill-rounds.ts'

/** Each costs two starts of a process, and as many take-overs. */
const POSTGRES_ROUNDS_MAX = 5

describe('a store whose process is killed', () => {
  it(`finds every acknowledged entry exactly once, ${crashRounds} times (seed ${crashSeed})`, async () => {
    const directory = mkdtempSync(join(tmpdir(), 'quiver-crash-'))
    await killRounds(directory, crashRounds)
    rmSync(directory, { recursive: true })
  }, 600_000)

  it('finds them in PostgreSQL, too', async () => {
    const node = await startPostgres({ settings: { fsync: 'off' } })
    try {
      await killRounds(node.url({ schema: 'crash' }), Math.min(crashRounds, POSTGRES_ROUNDS_MAX))
    } finally {
      await node.remove()
    }
  }, 900_000)
})
