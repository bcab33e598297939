import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { isDbError } from '#kernel/errors.ts'
import { type Fault, type FaultMoment, FaultyStore } from '#storage/faulty/faulty-store.ts'
import { createMemoryImage, MemoryStore } from '#storage/memory/memory-store.ts'
import { openSqliteStore } from '#storage/sqlite/sqlite-store.ts'
import type { Store } from '#storage/store.ts'
import { checkLoad, runLoad } from './store-load.ts'

const moments: readonly FaultMoment[] = ['before', 'torn', 'after']
const codes = ['STORE_FAILED', 'DISK_FULL'] as const
const writeCount = await countWrites()

describe('a store whose n-th write fails', () => {
  it('is tested with every write of the load', () => {
    expect(writeCount).toBe(36)
  })

  for (const moment of moments) {
    for (const code of codes) {
      it(`${moment} it is done, with ${code}, loses nothing acknowledged, for every n`, async () => {
        for (let operation = 1; operation <= writeCount; operation++) {
          const image = createMemoryImage()
          await failAndCheck({ operation, moment, code }, async () => new MemoryStore(image))
        }
      })
    }
    it(`${moment} it is done loses nothing acknowledged on SQLite, for every third n`, async () => {
      for (let operation = 1; operation <= writeCount; operation += 3) {
        const directory = mkdtempSync(join(tmpdir(), 'quiver-faulty-'))
        const clock = { nowMs: () => 0, monotonicMs: () => 0 }
        await failAndCheck({ operation, moment, code: 'STORE_FAILED' }, () =>
          openSqliteStore({ directory, clock }),
        )
        rmSync(directory, { recursive: true })
      }
    }, 30_000)
  }
})

/** The load meets the fault, reads still work, and after a restart everything is there. */
async function failAndCheck(fault: Fault, open: () => Promise<Store>): Promise<void> {
  const store = new FaultyStore(await open(), fault)
  const result = await runLoad(store)
  const codesSeen = result.failures.map((error) => (isDbError(error) ? error.code : String(error)))
  expect(codesSeen, `write ${fault.operation}`).toContain(fault.code)
  const others = codesSeen.filter((code) => code !== fault.code && code !== 'STORE_READ_ONLY')
  expect(others).toEqual([])
  expect(store.state.kind).toBe('read-only')
  await checkLoad(store, result)
  await store.close()
  const again = await open()
  await checkLoad(again, result)
  await again.close()
}

async function countWrites(): Promise<number> {
  const store = new FaultyStore(new MemoryStore(), null)
  const result = await runLoad(store)
  expect(result.failures).toEqual([])
  await checkLoad(store, result)
  return store.writeCount
}
