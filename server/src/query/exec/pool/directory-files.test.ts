import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { directoryFiles } from './directory-files.ts'

const home = mkdtempSync(join(tmpdir(), 'quiver-files-'))
const root = join(home, 'files')
mkdirSync(root)
mkdirSync(join(home, 'elsewhere'))
writeFileSync(join(home, 'elsewhere', 'secret'), 'secret')
symlinkSync(join(home, 'elsewhere'), join(root, 'link'))
const files = directoryFiles(root)

afterAll(() => rmSync(home, { recursive: true, force: true }))

describe('files of queries', () => {
  it('lie inside the directory, by relative and by absolute paths', () => {
    const path = files.resolve('a/b.csv')
    expect(path).toBe(join(root, 'a', 'b.csv'))
    expect(files.resolve(join(root, 'a/../c'))).toBe(join(root, 'c'))
    files.write(path, new TextEncoder().encode('x\n'))
    expect(readFileSync(path, 'utf8')).toBe('x\n')
    expect(new TextDecoder().decode(files.read(path))).toBe('x\n')
  })

  it.each(['..', '../files2/x', '/etc/passwd', '', '.', 'a\0b', `${root}x/y`])(
    'are refused at %j',
    (path) => {
      expect(() => files.resolve(path)).toThrow('denied')
    },
  )

  it('are not reached through a link that leads outside', () => {
    const path = files.resolve('link/secret')
    expect(() => files.read(path)).toThrow('denied')
    expect(() => files.write(path, new Uint8Array(1))).toThrow('denied')
    expect(readFileSync(join(home, 'elsewhere', 'secret'), 'utf8')).toBe('secret')
  })

  it('that are not there cannot be read', () => {
    expect(() => files.read(files.resolve('none'))).toThrow('cannot be read')
  })
})
