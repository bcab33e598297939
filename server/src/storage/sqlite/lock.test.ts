import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { hostname } from 'node:os'
import { describe, expect, it } from 'vitest'
import { DbError } from '#kernel/errors.ts'
import { lockDirectory } from './lock.ts'
import { openSqliteStore } from './sqlite-store.ts'
import { testClock as clock, testDirectory } from './test-directory.ts'

const HOLDER = `
  import { lockDirectory } from ${JSON.stringify(new URL('./lock.ts', import.meta.url).href)}
  lockDirectory(process.argv[1], { nowMs: () => 0, monotonicMs: () => 0 })
  globalThis.gc()
  console.log('locked')
  setInterval(() => undefined, 1000)
`

describe('lockDirectory', () => {
  it('names the process that holds the directory, past a garbage collection, and outlives nobody', async () => {
    using directory = testDirectory()
    const flags = ['--expose-gc', '--input-type=module', '-e', HOLDER]
    const child = spawn(process.execPath, [...flags, directory.path], {
      cwd: import.meta.dirname,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const exited = once(child, 'exit')
    try {
      await once(child.stdout, 'data')
      expect(failure(directory.path)).toMatchObject({
        code: 'STORE_LOCKED',
        message: `${directory.path} is in use by process ${child.pid} on ${hostname()}, started 1970-01-01T00:00:00.000Z`,
      })
    } finally {
      child.kill('SIGKILL')
      await exited
    }
    lockDirectory(directory.path, clock).release()
  })

  it('keeps a second store of the same process out', async () => {
    using directory = testDirectory()
    const store = await openSqliteStore({ directory: directory.path, clock })
    await expect(openSqliteStore({ directory: directory.path, clock })).rejects.toThrow(
      `in use by process ${process.pid} on ${hostname()}`,
    )
    await store.close()
    await (await openSqliteStore({ directory: directory.path, clock })).close()
  })

  it('needs no file that names the holder: a full disk has no room for it', () => {
    using directory = testDirectory()
    const { mkdirSync } = process.getBuiltinModule('node:fs')
    mkdirSync(`${directory.path}/lock.json.${process.pid}`)
    const lock = lockDirectory(directory.path, clock)
    expect(failure(directory.path)).toMatchObject({ code: 'STORE_LOCKED' })
    lock.release()
  })

  it('says why where no lock can be made', () => {
    using directory = testDirectory()
    const nowhere = `${directory.path}/missing`
    expect(failure(nowhere)).toMatchObject({
      code: 'STORE_FAILED',
      message: `cannot lock ${nowhere}: unable to open database file`,
    })
  })

  it('is let go when opening fails', async () => {
    using directory = testDirectory()
    const { writeFileSync } = process.getBuiltinModule('node:fs')
    writeFileSync(
      `${directory.path}/log.db`,
      'no database at all, but long enough to look like one',
    )
    await expect(openSqliteStore({ directory: directory.path, clock })).rejects.toThrow()
    lockDirectory(directory.path, clock).release()
  })
})

function failure(path: string): DbError | null {
  try {
    lockDirectory(path, clock).release()
    return null
  } catch (error) {
    if (error instanceof DbError) return error
    throw error
  }
}
