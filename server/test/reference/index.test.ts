/** docs/README.md links every document, and README.md links docs/README.md. */
import { readdirSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { expect, it } from 'vitest'

const root = new URL('../../../', import.meta.url)
const docs = new URL('docs/', root)
const ATTACHED = /\.(webp|json|ya?ml|env|sql)$|^container\/Containerfile/

/** Paths from docs/, without anchors. */
function linksOf(page: string): Set<string> {
  const targets = page.matchAll(/\]\(([^)#\s]+)[^)]*\)/g)
  return new Set([...targets].map(([, target = '']) => posix.normalize(target)))
}

it('docs/README.md links every document, and the folder of decisions', () => {
  const links = linksOf(readFileSync(new URL('README.md', docs), 'utf8'))
  const files = readdirSync(docs, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.\w+$/.test(name) && name !== 'README.md' && !ATTACHED.test(name))
    .filter((name) => !name.startsWith('decisions/'))
  expect(files.length).toBeGreaterThan(25)
  expect(files.filter((name) => !links.has(name))).toEqual([])
  const others = readdirSync(root).filter((name) => name.endsWith('.md'))
  expect(others.filter((name) => !links.has(`../${name}`))).toEqual([])
  expect(links).toContain('decisions')
})

it('README.md links the index', () => {
  expect(linksOf(readFileSync(new URL('README.md', root), 'utf8'))).toContain('docs/README.md')
})
