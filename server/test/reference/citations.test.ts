/**
 * What documents and comments refer to is there: relative links and their anchors, files of this
 * repository, decision records, and sections of documents.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, posix, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { piecesOf } from '../fixtures/reference-page.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const FOLDERS = ['docs', 'server', 'src', 'e2e', 'scripts', 'public']
const TEXT = /\.(?:tsx?|m[jt]s|md|css|py|golden)$/
/** Made by tools, or not ours. */
const SKIPPED = new Set(['node_modules', 'dist', '.git'])

function filesIn(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`
    if (SKIPPED.has(entry.name)) return []
    return entry.isDirectory() ? filesIn(path) : [path]
  })
}

const atRoot = readdirSync(root).filter((name) => name.endsWith('.md'))
const files = [...atRoot, ...FOLDERS.flatMap(filesIn)]
const texts = new Map(
  files
    .filter((file) => TEXT.test(file))
    .map((file) => [file, readFileSync(join(root, file), 'utf8')]),
)
/** Its links are those of the page that is made of it. */
const NOTES = 'server/tools/reference/rest-notes.md'
const documents = [...texts].filter(([file]) => file.endsWith('.md') && file !== NOTES)

function exists(path: string): boolean {
  return statSync(join(root, path), { throwIfNoEntry: false }) !== undefined
}

/** As GitHub makes them: of headings with equal texts, the later ones are counted. */
export function anchorsOf(page: string): ReadonlySet<string> {
  const counts = new Map<string, number>()
  const anchors = piecesOf(page).flatMap((piece) => {
    const heading = piece.kind === 'line' ? /^#+ (.*)$/.exec(piece.text)?.[1] : undefined
    if (heading === undefined) return []
    const plain = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase()
    const anchor = plain.replace(/[^\p{L}\p{N}_\- ]/gu, '').replaceAll(' ', '-')
    const count = counts.get(anchor) ?? 0
    counts.set(anchor, count + 1)
    return [count === 0 ? anchor : `${anchor}-${count}`]
  })
  return new Set(anchors)
}

/** Targets of links outside of code. */
function linksOf(page: string): string[] {
  return piecesOf(page).flatMap((piece) => {
    if (piece.kind === 'block') return []
    const text = piece.text.replace(/`[^`]*`/g, (code) => 'x'.repeat(code.length))
    return [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target)
  })
}

/** @returns what is wrong with a link of a file; null: nothing */
function linkFault(file: string, target: string): string | null {
  if (/^[a-z]+:/.test(target)) return null
  const [path = '', anchor] = target.split('#')
  const at = path === '' ? file : posix.normalize(posix.join(dirname(file), path))
  if (!exists(at)) return `${file}: ${target} does not exist`
  if (anchor === undefined || !at.endsWith('.md')) return null
  return anchorsOf(texts.get(at) ?? '').has(anchor)
    ? null
    : `${file}: ${target} has no such heading`
}

/** What looks like a file of this repository, with a heading behind `#` where there is one. */
const PATH = new RegExp(
  `(?<![\\w./@$:-])((?:${FOLDERS.join('|')})/[\\w./-]*\\w\\.(?:tsx?|m[jt]s|md|json|css|py|golden))\\b(?:#([\\w-]+))?`,
  'g',
)

/** They tell what was true when they were written. */
const isHistory = (file: string) => file.startsWith('docs/decisions/') || file === 'CHANGELOG.md'

function pathFaults(file: string, text: string): string[] {
  if (isHistory(file)) return []
  return [...text.matchAll(PATH)].flatMap(([, path = '', anchor]) => {
    if (!exists(path)) return [`${file} names ${path}, which does not exist`]
    if (anchor === undefined || anchorsOf(texts.get(path) ?? '').has(anchor)) return []
    return [`${file} names ${path}#${anchor}, which has no such heading`]
  })
}

const decisions = new Set(readdirSync(join(root, 'docs/decisions')).map((name) => name.slice(0, 4)))

function decisionFaults(file: string, text: string): string[] {
  return [...text.matchAll(/docs\/decisions\/(\d{4})/g)]
    .filter(([, number = '']) => !decisions.has(number))
    .map(([cited]) => `${file} cites ${cited}, which does not exist`)
}

/** By section or number. */
const ABSENT = [
  /gsql\.md(?:,? sections?)? \d/,
  /\bcontract(?:,? sections?)? \d+\.\d/i,
  /\b(?:console|house|design|specification)\.md\b/,
]

function absentDocuments(file: string, text: string): string[] {
  if (isHistory(file)) return []
  return ABSENT.flatMap((pattern) => {
    const cited = pattern.exec(text)?.[0]
    return cited === undefined ? [] : [`${file} cites "${cited}", which is not in the repository`]
  })
}

describe('citations', () => {
  it('are of documents of this repository', () => {
    const faults = [...texts].flatMap(([file, text]) => absentDocuments(file, text))
    expect(faults, 'cite docs/reference, ARCHITECTURE.md or a decision').toEqual([])
  })

  it('of documents link to files and headings that exist', () => {
    const faults = documents.flatMap(([file, text]) =>
      linksOf(text).flatMap((target) => linkFault(file, target) ?? []),
    )
    expect(faults, 'mend the link').toEqual([])
  })

  it('of comments and documents name files and headings that exist', () => {
    const faults = [...texts].flatMap(([file, text]) => pathFaults(file, text))
    expect(faults, 'mend the name, or what moved').toEqual([])
  })

  it('name decision records that exist', () => {
    const faults = [...texts].flatMap(([file, text]) => decisionFaults(file, text))
    expect(faults, 'mend the number').toEqual([])
  })

  it('are found where they are wrong', () => {
    const here = relative(root, fileURLToPath(import.meta.url))
    expect(linkFault('README.md', 'nothing.md')).toContain('does not exist')
    expect(linkFault('README.md', 'CONTRIBUTING.md#nothing')).toContain('no such heading')
    expect(linkFault('docs/api/data.md', '../../README.md#start')).toBeNull()
    expect(pathFaults(here, `see ${'docs'}/none.md.`)).toHaveLength(1)
    expect(pathFaults(here, `see ${'docs'}/api/README.md#nowhere`)).toHaveLength(1)
    expect(absentDocuments(here, `${'gsql'}.md 12.3, ${'contract'} 2.8`)).toHaveLength(2)
    expect(decisionFaults(here, `${'docs/decisions'}/9999`)).toHaveLength(1)
    expect([...anchorsOf('# A `b` (c)\n```\n# no\n```\n## A b c\n')]).toEqual(['a-b-c', 'a-b-c-1'])
  })
})
