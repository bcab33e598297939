/** The promises of SECURITY.md name the tests that hold them, and the documents their links. */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))
const text = readFileSync(join(root, 'SECURITY.md'), 'utf8')
const promises = [...text.matchAll(/^\| (\d+) \| \*\*.*\| (`server\/.*`) \|$/gm)]

describe('the promises of SECURITY.md', () => {
  it('are ten, by number', () => {
    expect(promises.map(([, number]) => Number(number))).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  })

  it.each(promises.map(([, number, tests]) => [number, tests!] as const))(
    '%s names tests that are there and test something',
    (_number, tests) => {
      const paths = [...tests.matchAll(/`([^`]+)`/g)].map(([, path]) => path!)
      expect(paths.length).toBeGreaterThan(0)
      for (const path of paths) {
        expect(path).toMatch(/\.test\.ts$/)
        expect(existsSync(join(root, path)), path).toBe(true)
        expect(readFileSync(join(root, path), 'utf8'), path).toMatch(
          /^\s*(it|describe)\w*(\.each\(.*\))?\(/m,
        )
      }
    },
  )
})

describe('links of the documents on security', () => {
  it.each(['SECURITY.md', 'docs/operations/hardening.md'])('of %s lead somewhere', (document) => {
    const folder = join(root, dirname(document))
    const links = [
      ...readFileSync(join(root, document), 'utf8').matchAll(/\]\(([^)#:]+)(#[^)]*)?\)/g),
    ]
    expect(links.length).toBeGreaterThan(0)
    for (const [, target] of links) expect(existsSync(join(folder, target!)), target).toBe(true)
  })
})
