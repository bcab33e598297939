import { describe, expect, it } from 'vitest'
import { type DatabaseKind, openDatabase, openExisting } from './database.ts'
import { tamper, testDirectory } from './test-directory.ts'

const first: DatabaseKind = {
  title: 'test file',
  applicationId: 4711,
  corruptCode: 'CORRUPT_SEGMENT',
  pageSizeBytes: 4096,
  journalMode: 'truncate',
  upgrades: ['CREATE TABLE one (id INTEGER)'],
}
const second: DatabaseKind = { ...first, upgrades: [...first.upgrades, 'CREATE TABLE two (id)'] }

describe('openDatabase', () => {
  it('brings an older format up to date and keeps its content', () => {
    using directory = testDirectory()
    const options = { path: `${directory.path}/file.db` }
    const old = openDatabase(first, options)
    old.exec('INSERT INTO one VALUES (5)')
    old.close()
    const upgraded = openDatabase(second, options)
    expect(upgraded.prepare('SELECT id FROM one').get()).toEqual({ id: 5 })
    expect(upgraded.prepare('SELECT count(*) AS n FROM two').get()).toEqual({ n: 0 })
    upgraded.close()
  })

  it('refuses a newer format', () => {
    using directory = testDirectory()
    const options = { path: `${directory.path}/file.db` }
    openDatabase(second, options).close()
    expect(() => openDatabase(first, options)).toThrow(
      /has format version 2; this program knows versions up to 1. Start a newer Quiver/,
    )
    const refusal = expect.objectContaining({ code: 'UNSUPPORTED_FORMAT' })
    expect(() => openDatabase(first, options)).toThrow(refusal)
  })

  it('refuses a file that is not ours', () => {
    using directory = testDirectory()
    const options = { path: `${directory.path}/file.db` }
    openDatabase(first, options).close()
    tamper(options.path, 'PRAGMA application_id = 1')
    expect(() => openDatabase(first, options)).toThrow('is no Quiver test file')
  })
})

describe('openExisting', () => {
  it('creates nothing', () => {
    using directory = testDirectory()
    expect(() => openExisting(first, `${directory.path}/none.db`)).toThrow('there is no test file')
  })
})
