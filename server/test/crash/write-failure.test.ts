import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { openSqliteStore } from '#storage/sqlite/sqlite-store.ts'

const CHILD = fileURLToPath(new URL('./write-failure-child.ts', import.meta.url))

it('a write that the system refuses makes the store read-only and loses nothing', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'quiver-failure-'))
  // In units of 512 or 1,024 bytes: at least 400 KB, below the length at which the log is copied.
  const command = 'ulimit -f 800; exec "$@"'
  const args = ['-c', command, 'sh', process.execPath, CHILD, directory]
  const told = JSON.parse(execFileSync('sh', args, { encoding: 'utf8' }))
  expect(told.codes).toEqual(['STORE_FAILED', 'STORE_READ_ONLY', 'STORE_READ_ONLY'])
  expect(told.state).toMatchObject({ kind: 'read-only', reason: expect.stringMatching('append') })
  expect(told.acknowledged).toBeGreaterThan(10)
  expect(told.readable).toBe(told.acknowledged)

  const clock = { nowMs: () => 0, monotonicMs: () => 0 }
  const store = await openSqliteStore({ directory, clock })
  let sequence = 0
  for await (const entry of store.readLog(0)) {
    sequence++
    expect(entry.payload[0]).toBe(sequence & 255)
  }
  // The refused entry may have reached the disk; nothing acknowledged may be missing.
  expect([told.acknowledged, told.acknowledged + 1]).toContain(sequence)
  await store.close()
  rmSync(directory, { recursive: true })
})
