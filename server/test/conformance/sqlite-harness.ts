import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSqliteStore } from '#storage/sqlite/sqlite-store.ts'
import type { StoreHarness } from './store.ts'

const clock = { nowMs: () => 0, monotonicMs: () => performance.now() }

export function openSqliteHarness(): Promise<StoreHarness> {
  return open(emptyDirectory())
}

function emptyDirectory(): string {
  return mkdtempSync(join(tmpdir(), 'quiver-store-'))
}

async function open(directory: string): Promise<StoreHarness> {
  const store = await openSqliteStore({ directory, clock })
  const remove = async () => {
    await store.close()
    rmSync(directory, { recursive: true, force: true })
  }
  return {
    store,
    reopen: async () => {
      await store.close()
      return open(directory)
    },
    // The files as they are now are what a killed process would leave.
    reopenKilled: async () => {
      const copy = emptyDirectory()
      cpSync(directory, copy, { recursive: true })
      await remove()
      return open(copy)
    },
    remove,
  }
}
