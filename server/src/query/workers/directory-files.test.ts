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
import type { NewFile } from '#query/runtime/output/files.ts'
import { directoryFiles, PARTIAL_FOLDER, removePartialFiles } from './directory-files.ts'

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
const files = directoryFiles({ path: all, writer: '0' }, 'g')
const bytes = new TextEncoder().encode('x\n')
const textAt = (path: string) => readFileSync(path, 'utf8')

function write(file: NewFile): void {
  file.write(bytes)
  file.complete()
}

const partials = () => readdirSync(join(all, PARTIAL_FOLDER))

afterAll(() => rmSync(home, { recursive: true, force: true }))

describe('files of queries', () => {
  it('lie inside the folder of the graph, by relative and by absolute paths', () => {
    const path = files.resolve('a/b.csv', 'write')
    expect(path).toBe(join(root, 'a', 'b.csv'))
    expect(files.resolve(join(root, 'a/../c'), 'read')).toBe(join(root, 'c'))
    const file = files.create(path)
    file.write(bytes)
    expect(existsSync(path)).toBe(false)
    file.complete()
    expect(textAt(path)).toBe('x\n')
    expect(Buffer.concat([...files.read(path)]).toString()).toBe('x\n')
    expect(readdirSync(join(root, 'a'))).toEqual(['b.csv'])
    expect(partials()).toEqual([])
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
    `${all}/.partial/0-1`,
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
    expect(() => files.create(files.resolve('folder/secret', 'write'))).toThrow('denied')
    expect(() => files.create(files.resolve('folder/new/x', 'write'))).toThrow('denied')
    expect(existsSync(join(outside, 'new'))).toBe(false)
    expect(textAt(join(outside, 'secret'))).toBe('secret')
    // In the place of a link comes the file; what the link led to stays.
    write(files.create(files.resolve('file', 'write')))
    expect(textAt(join(root, 'file'))).toBe('x\n')
    expect(textAt(join(outside, 'secret'))).toBe('secret')
  })

  it('are not those behind a link that has the name of a graph', () => {
    const linked = directoryFiles({ path: all, writer: '0' }, 'linked')
    expect(() => linked.read(linked.resolve('secret', 'read'))).toThrow('denied')
    expect(() => linked.create(linked.resolve('x', 'write'))).toThrow('denied')
    expect(existsSync(join(outside, 'x'))).toBe(false)
  })

  it('are not put behind a link that came while they were written', () => {
    const file = files.create(files.resolve('later/x', 'write'))
    file.write(bytes)
    rmSync(join(root, 'later'), { recursive: true })
    symlinkSync(outside, join(root, 'later'))
    expect(() => file.complete()).toThrow('denied')
    file.discard()
    expect(existsSync(join(outside, 'x'))).toBe(false)
  })

  it('leave nothing behind when they are discarded, or their writer is gone', () => {
    const path = (name: string) => files.resolve(name, 'write')
    const file = files.create(path('never'))
    file.write(bytes)
    file.discard()
    files.create(path('lost'))
    const other = directoryFiles({ path: all, writer: '1' }, 'g').create(path('other'))
    removePartialFiles({ path: all, writer: '0' })
    expect(partials()).toHaveLength(1)
    write(other)
    expect(partials()).toEqual([])
    expect(['never', 'lost', 'other'].map((name) => existsSync(path(name)))).toEqual([
      false,
      false,
      true,
    ])
  })

  it('that are not there, or are no files, cannot be read', () => {
    expect(() => files.read(files.resolve('none', 'read'))).toThrow('cannot be read')
    expect(() => files.read(files.resolve('a', 'read'))).toThrow('denied')
  })
})
