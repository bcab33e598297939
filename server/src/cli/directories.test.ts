import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { checkDirectories } from './directories.ts'

const home = mkdtempSync(join(tmpdir(), 'quiver-directories-'))
const at = (name: string) => join(home, name)
mkdirSync(at('data'))
mkdirSync(at('real'))
symlinkSync(at('real'), at('link'))
afterAll(() => rmSync(home, { recursive: true, force: true }))

const defaults = {
  data: at('data'),
  files: at('data/files'),
  queryFiles: at('data/query-files'),
  exports: at('data/exports'),
  tls: null,
}
const check = (changes: Partial<typeof defaults>) => () =>
  checkDirectories({ ...defaults, ...changes })

describe('the directories of files', () => {
  it('lie in the data directory or elsewhere', () => {
    expect(check({})).not.toThrow()
    expect(check({ files: at('a'), queryFiles: at('b'), exports: at('c') })).not.toThrow()
    // A common beginning of names is no containment.
    expect(check({ files: at('a'), exports: at('ab') })).not.toThrow()
  })

  it.each([
    [{ files: at('x'), exports: at('x') }, '--files', '--exports'],
    [{ files: at('x'), exports: at('x/exports') }, '--files', '--exports'],
    [{ queryFiles: at('x/q'), exports: at('x') }, '--query-files', '--exports'],
    [{ files: at('x/y/z'), queryFiles: at('x/y') }, '--files', '--query-files'],
    [{ files: `${at('x')}/.`, queryFiles: at('y/../x') }, '--files', '--query-files'],
    [{ files: at('link/a'), exports: at('real') }, '--files', '--exports'],
  ])('must not contain one another: %j', (changes, first, second) => {
    expect(check(changes)).toThrow(first)
    expect(check(changes)).toThrow(second)
    expect(check(changes)).toThrow('must not contain one another')
  })

  it.each([
    at('data'),
    home,
    '/',
    at('data/log.db'),
    at('data/segments.db-journal/x'),
    at('data/audit.log'),
    at('data/log.end'),
    at('data/rebuildnow'),
  ])('must not contain the files of the store: %s', (place) => {
    for (const option of ['files', 'queryFiles', 'exports'] as const) {
      expect(check({ [option]: place })).toThrow('must not contain the')
    }
  })

  it('must not contain the private key', () => {
    const tls = { cert: at('x/cert.pem'), key: at('x/key.pem') }
    expect(() => checkDirectories({ ...defaults, files: at('x'), tls })).toThrow('cert.pem')
    expect(() => checkDirectories({ ...defaults, files: at('y'), tls })).not.toThrow()
  })
})
