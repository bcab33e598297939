/** docs/reference/errors.md has an entry for each code; mended by `node server/tools/reference/errors.ts`. */
import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { errorsFile, errorsReference } from '../../tools/reference/errors-page.ts'

const sources = new URL('../../src/', import.meta.url)
const page = readFileSync(errorsFile, 'utf8')
const headings = [...page.matchAll(/^### (.+)$/gm)].map(([, code = '']) => code)
/** Of answers that are no errors. */
const SUCCESS = /^REST-000\d$/

it('is what the codes and their texts say', () => {
  const isSame = page === errorsReference()
  expect(isSame, 'write it anew: node server/tools/reference/errors.ts').toBe(true)
})

it('has an entry for each code that a source names, and one only', () => {
  const named = new Map<string, string>()
  for (const file of readdirSync(sources, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.ts') || file.endsWith('.test.ts')) continue
    const text = readFileSync(new URL(file, sources), 'utf8')
    for (const [, code = ''] of text.matchAll(/'((?:REST|GSQL|SYS|SEM|TYP|WARN)-\d+)'/g)) {
      named.set(code, file)
    }
  }
  expect(named.size).toBeGreaterThan(60)
  const missing = [...named].filter(([code]) => !SUCCESS.test(code) && !headings.includes(code))
  expect(missing).toEqual([])
  expect(new Set(headings).size).toBe(headings.length)
})

it('links entries that exist', () => {
  const anchors = new Set(
    [...page.matchAll(/^#+ (.+)$/gm)].map(([, text = '']) =>
      text.toLowerCase().replaceAll(' ', '-'),
    ),
  )
  const links = [...page.matchAll(/\]\(#([^)]+)\)/g)].map(([, anchor = '']) => anchor)
  expect(links.filter((anchor) => !anchors.has(anchor))).toEqual([])
})
