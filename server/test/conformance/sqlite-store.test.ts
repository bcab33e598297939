import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSqliteStore } from '#storage/sqlite/sqlite-store.ts'
import { describeStore, type StoreHarness } from './store.ts'

const clock = { nowMs: () => 0, monotonicMs: () => performance.now() }

describeStore('sqlite store', () => open(mkdtempSync(join(tmpdir(), 'quiver-store-'))))

async function open(directory: string): Promise<StoreHarness> {
  const store = await openSqliteStore({ directory, clock })
  return {
    store,
    reopen: async () => {
      await store.close()
      return open(directory)
    },
    remove: async () => {
      await store.close()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}
