import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { directoryFiles } from './directory-files.ts'

const home = mkdtempSync(join(tmpdir(), 'quiver-files-'))
const all = join(home, 'query-files')
const root = join(all, 'g')
const outside = join(home, 'elsewhere')
mkdirSync(root, { recursive: true })
mkdirSync(outside)
mkdirSync(join(all, 'other'))
writeFileSync(join(outside, 'secret'), 'secret')
writeFileSync(join(all, 'other', 'secret'), 'secret')
writeFileSync(join(root, 'own'), 'own')
symlinkSync(outside, join(root, 'folder'))
symlinkSync(join(outside, 'secret'), join(root, 'file'))
symlinkSync(join(root, 'own'), join(root, 'inner'))
symlinkSync(outside, join(all, 'linked'))
const files = directoryFiles(all, 'g')
const bytes = new TextEncoder().encode('x\n')
const textAt = (path: string) => readFileSync(path, 'utf8')

afterAll(() => rmSync(home, { recursive: true, force: true }))

describe('files of queries', () => {
  it('lie inside the folder of the graph, by relative and by absolute paths', () => {
    const path = files.resolve('a/b.csv', 'write')
    expect(path).toBe(join(root, 'a', 'b.csv'))
    expect(files.resolve(join(root, 'a/../c'), 'read')).toBe(join(root, 'c'))
    files.write(path, bytes)
    expect(textAt(path)).toBe('x\n')
    expect(new TextDecoder().decode(files.read(path))).toBe('x\n')
    expect(readdirSync(join(root, 'a'))).toEqual(['b.csv'])
  })

  it.each([
    '..',
    '../other/secret',
    'a/../../other/secret',
    `${all}/other/secret`,
    '/etc/passwd',
    '',
    '.',
    './',
    'a\0b',
    `${root}x/y`,
    `${all}/G/own`,
  ])('are refused at %j', (path) => {
    expect(() => files.resolve(path, 'read')).toThrow('denied')
    expect(() => files.resolve(path, 'write')).toThrow('denied')
  })

  it('stay inside whatever letters of a name look like: case, composed letters, other dots', () => {
    for (const name of [
      '%2e%2e/x',
      '..\u2215x',
      '\u2024\u2024/x',
      'e\u0301',
      '\u00e9',
      'A',
      'a ',
    ]) {
      expect(files.resolve(name, 'write').startsWith(`${root}/`), name).toBe(true)
    }
  })

  it('are not read through a link, to a folder or to a file, outside or inside', () => {
    for (const name of ['folder/secret', 'file', 'inner']) {
      expect(() => files.read(files.resolve(name, 'read')), name).toThrow('denied')
    }
  })

  it('are not written through a link, and no folder is made behind one', () => {
    expect(() => files.write(files.resolve('folder/secret', 'write'), bytes)).toThrow('denied')
    expect(() => files.write(files.resolve('folder/new/x', 'write'), bytes)).toThrow('denied')
    expect(existsSync(join(outside, 'new'))).toBe(false)
    expect(textAt(join(outside, 'secret'))).toBe('secret')
    // In the place of a link comes the file; what the link led to stays.
    files.write(files.resolve('file', 'write'), bytes)
    expect(textAt(join(root, 'file'))).toBe('x\n')
    expect(textAt(join(outside, 'secret'))).toBe('secret')
  })

  it('are not those behind a link that has the name of a graph', () => {
    const linked = directoryFiles(all, 'linked')
    expect(() => linked.read(linked.resolve('secret', 'read'))).toThrow('denied')
    expect(() => linked.write(linked.resolve('x', 'write'), bytes)).toThrow('denied')
    expect(existsSync(join(outside, 'x'))).toBe(false)
  })

  it('that are not there, or are no files, cannot be read', () => {
    expect(() => files.read(files.resolve('none', 'read'))).toThrow('cannot be read')
    expect(() => files.read(files.resolve('a', 'read'))).toThrow('denied')
  })
})
