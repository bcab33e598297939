/** The manual at /docs/: every page and link of it, its policy, and what its search is made from. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildManual } from '../../../scripts/manual/build.mjs'
import { startServer, type TestServer } from '../fixtures/server.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const directory = mkdtempSync(join(tmpdir(), 'quiver-manual-'))
/** Markup by its path below /docs/. */
const pages = new Map<string, string>()
let server: TestServer

beforeAll(async () => {
  await buildManual(root, directory)
  for (const name of readdirSync(directory, { recursive: true, encoding: 'utf8' })) {
    if (name.endsWith('.html')) pages.set(name, readFileSync(join(directory, name), 'utf8'))
  }
  server = await startServer({ manualDirectory: directory })
})
afterAll(async () => {
  await server.close()
  rmSync(directory, { recursive: true })
})

const attributes = (html: string, name: string): string[] =>
  [...html.matchAll(new RegExp(` ${name}="([^"]*)"`, 'g'))].map(([, value = '']) => value)

it('has a page for each document of docs/ but decisions, and the first page leads to it', () => {
  const documents = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md') && !name.startsWith('decisions/'))
    .map((name) => name.replace(/(^|\/)README\.md$/, '$1index.md').replace(/\.md$/, '.html'))
  expect(documents.length).toBeGreaterThan(25)
  expect(documents.filter((name) => !pages.has(name))).toEqual([])
  const linked = new Set(attributes(pages.get('index.html') ?? '', 'href'))
  const address = (name: string) => `/docs/${name === 'index.html' ? '' : name}`
  expect(documents.filter((name) => !linked.has(address(name)))).toEqual([])
})

it('has no link into nothing: files, pages and anchors exist', () => {
  const dead: string[] = []
  for (const [name, html] of pages) {
    for (const target of [...attributes(html, 'href'), ...attributes(html, 'src')]) {
      if (/^https?:|^\/ui\/$|^\/quiver\/v1\/docs$/.test(target)) continue
      const [path = '', anchor] = target.split('#')
      const file = path === '' ? name : path.replace(/^\/docs\//, '') || 'index.html'
      const page = pages.get(file)
      const exists = page !== undefined || existsSync(join(directory, file))
      const hasAnchor = anchor === undefined || page?.includes(` id="${anchor}"`)
      if (!exists || !hasAnchor) dead.push(`${name}: ${target}`)
    }
  }
  expect(dead).toEqual([])
})

it('loads nothing from elsewhere, and has no script and no style inside of a page', () => {
  for (const [name, html] of pages) {
    expect(html, name).not.toMatch(/<script(?! type="module" src="\/docs\/assets\/page\.js">)/)
    expect(html, name).not.toMatch(/<style|\sstyle=|\son\w+="/)
    expect(attributes(html, 'src').filter((src) => !src.startsWith('/docs/'))).toEqual([])
  }
})

it('is served with a policy that allows nothing foreign', async () => {
  const page = await server.request('GET', '/docs/')
  expect(page.status).toBe(200)
  expect(page.headers['content-type']).toContain('text/html')
  expect(page.headers['content-security-policy']).toContain("default-src 'none';script-src 'self'")
  expect((await server.request('GET', '/docs')).text).toBe(page.text)
  expect((await server.request('GET', '/docs/reference/errors.html')).status).toBe(200)
  expect((await server.request('GET', '/docs/api/index.html')).text).toContain(
    'The HTTP interface by example',
  )
  for (const absent of ['/docs/none.html', '/docs/..%2f..%2fpackage.json']) {
    expect((await server.request('GET', absent)).status).toBe(404)
  }
})

it('searches every section, by its address', () => {
  const text = readFileSync(join(directory, 'assets/sections.json'), 'utf8')
  const sections: { address: string; title: string; text: string }[] = JSON.parse(text)
  const addresses = sections.map(({ address }) => address)
  expect(new Set(addresses).size).toBe(addresses.length)
  const entry = sections.find(({ address }) => address === '/docs/reference/errors.html#rest-30001')
  expect(entry?.title).toBe('REST-30001')
  expect(entry?.text).toContain('What to do')
})
