import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openSqliteStore } from '#storage/sqlite/sqlite-store.ts'
import { flipBit } from '#storage/sqlite/test-directory.ts'
import { runBackup, runRepair, runRestore } from './store-commands.ts'

const clock = { nowMs: () => 0, monotonicMs: () => 0 }
let root: string

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'quiver-cli-'))
  const store = await openSqliteStore({ directory: join(root, 'data'), clock })
  await store.append(Uint8Array.of(1))
  await store.append(Uint8Array.of(2))
  await store.close()
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

describe('store commands', () => {
  it('back up, restore and say so', async () => {
    const data = join(root, 'data')
    const copy = join(root, 'copy')
    const back = join(root, 'back')
    expect(runBackup({ data, target: copy })).toEqual([`Backed up ${data} to ${copy}.`])
    expect(runRestore({ data: back, source: copy })[0]).toMatch(`Restored ${copy} to ${back}`)
    const store = await openSqliteStore({ directory: back, clock })
    expect(store.statistics().lastSequence).toBe(2)
    await store.close()
  })

  it('back up a directory that a server has open', async () => {
    const store = await openSqliteStore({ directory: join(root, 'data'), clock })
    runBackup({ data: join(root, 'data'), target: join(root, 'copy') })
    expect(() => runRepair({ data: join(root, 'data'), clock })).toThrow('is in use by process')
    await store.close()
  })

  it('tell what a repair found, kept and lost', () => {
    const data = join(root, 'data')
    expect(runRepair({ data, clock })).toEqual([
      `Nothing is damaged: ${data} holds commits up to 2.`,
    ])
    flipBit(join(data, 'log.db'), { table: 'groups', where: 'first_sequence = 2', offset: 24 })
    expect(runRepair({ data, clock })).toEqual([
      expect.stringMatching('frame 2 is damaged'),
      'Kept every commit up to 1; lost 1 behind it.',
      `The damaged log is now ${join(data, 'log.db.damaged-after-1')}.`,
    ])
  })
})
