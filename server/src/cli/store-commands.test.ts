import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { AuthService } from '#services/auth/auth-service.ts'
import { LocalDocuments } from '#storage/documents.ts'
import { openSqliteStore } from '#storage/sqlite/sqlite-store.ts'
import { flipBit } from '#storage/sqlite/test-directory.ts'
import { runBackup, runRepair, runResetPassword, runRestore } from './store-commands.ts'

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

  it('reset a password that is lost, of users that there are', async () => {
    const data = join(root, 'data')
    const [told = ''] = await runResetPassword({ data, clock, user: '' })
    const password = /^The password of tigergraph is now (\S{20})$/.exec(told)?.[1] ?? ''
    const open = runResetPassword({ data, clock, user: 'ghost' })
    await expect(open).rejects.toThrow('The user ghost does not exist.')
    const nowhere = runResetPassword({ data: join(root, 'nowhere'), clock, user: '' })
    await expect(nowhere).rejects.toThrow('There is no data directory')
    const store = await openSqliteStore({ directory: data, clock })
    const isGraph = () => false
    const auth = await AuthService.open({ documents: new LocalDocuments(store), clock, isGraph })
    expect((await auth.logIn('tigergraph', password)).name).toBe('tigergraph')
    await expect(auth.logIn('tigergraph', 'tigergraph')).rejects.toThrow('wrong')
    expect(auth.users.passwordIsDefault).toBe(false)
    await expect(runResetPassword({ data, clock, user: '' })).rejects.toThrow('is in use')
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
