/**
 * The manual of `/docs` as static files: each Markdown page that docs/README.md links, in its order, with
 * one navigation, and the texts of all sections for the search in the page (docs/decisions/0114).
 */
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build as esbuild } from 'esbuild'
import { createMarkdown, escapeHtml, sectionsOf } from './markdown.mjs'

const here = fileURLToPath(new URL('.', import.meta.url))
const INDEX = 'docs/README.md'
/** For who changes Quiver itself: they lie in the repository. */
const NOT_SHOWN = ['ARCHITECTURE.md', 'CONTRIBUTING.md']

/** @param out an empty or absent directory; its files are served below /docs/ */
export async function buildManual(root, out) {
  const read = (path) => readFileSync(join(root, path), 'utf8')
  const chapters = chaptersOf(read(INDEX))
  const paths = [INDEX, ...chapters.flatMap(({ pages }) => pages)]
  const addresses = new Map([...new Set(paths)].map((path) => [path, addressOf(path)]))
  const markdown = createMarkdown()
  const sections = []
  const images = new Set()
  const names = new Map()
  const rendered = [...addresses.keys()].map((path) => {
    const page = markdown.page(read(path), linksFrom(path, addresses, images))
    names.set(path, page.title)
    sections.push(...sectionsOf(page, addresses.get(path)))
    return { path, page }
  })
  for (const { path, page } of rendered) {
    const target = join(out, fileOf(addresses.get(path)))
    mkdirSync(dirname(target), { recursive: true })
    writeFileSync(target, document(page, path, { chapters, addresses, names }))
  }
  for (const image of images) {
    const target = join(out, image.replace(/^docs\//, ''))
    mkdirSync(dirname(target), { recursive: true })
    copyFileSync(join(root, image), target)
  }
  mkdirSync(join(out, 'assets'), { recursive: true })
  writeFileSync(join(out, 'assets/sections.json'), JSON.stringify(sections))
  copyFileSync(join(here, 'style.css'), join(out, 'assets/style.css'))
  await esbuild({
    entryPoints: [join(here, 'page.js')],
    outfile: join(out, 'assets/page.js'),
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    logLevel: 'warning',
  })
}

/** The headings of the index with the pages that are linked below each. */
function chaptersOf(index) {
  const [, ...parts] = index.split(/^## /m)
  return parts
    .map((part) => ({
      title: part.slice(0, part.indexOf('\n')),
      pages: [...part.matchAll(/\]\(([^)#]+\.md)\)/g)]
        .map(([, target]) => posix.join('docs', target))
        .filter((path) => !NOT_SHOWN.includes(path)),
    }))
    .filter(({ pages }) => pages.length > 0)
}

/** `docs/api/README.md` is `/docs/api/index.html`, `docs/reference/gsql.md` is `/docs/reference/gsql.html`. */
function addressOf(path) {
  if (path === INDEX) return '/docs/'
  const inside = path.replace(/^docs\//, '')
  return `/docs/${inside.replace(/\/README\.md$/, '/index.md').replace(/\.md$/, '.html')}`
}

const fileOf = (address) => address.slice('/docs/'.length) || 'index.html'

/** @returns a target of the page at `path` as an address; null: it is not in the manual */
function linksFrom(path, addresses, images) {
  return (target) => {
    if (/^[a-z]+:/.test(target) || target.startsWith('#')) return target
    const [file, anchor] = target.split('#')
    const goal = posix.join(posix.dirname(path), file)
    if (/\.(webp|png|svg)$/.test(goal)) {
      images.add(goal)
      return `/docs/${goal.replace(/^docs\//, '')}`
    }
    const address = addresses.get(goal)
    if (address === undefined) return null
    return anchor === undefined ? address : `${address}#${anchor}`
  }
}

function document({ title, html, headings }, path, { chapters, addresses, names }) {
  const item = (one) => {
    const isHere = one === path
    const link = `<a href="${addresses.get(one)}"${isHere ? ' aria-current="page"' : ''}>${escapeHtml(names.get(one))}</a>`
    return `<li>${link}${isHere ? outline(headings) : ''}</li>`
  }
  const navigation = chapters.map(
    (chapter) =>
      `<h2>${escapeHtml(chapter.title)}</h2><ul>${chapter.pages.map(item).join('')}</ul>`,
  )
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)} · Quiver</title>
<link rel="stylesheet" href="/docs/assets/style.css">
<script type="module" src="/docs/assets/page.js"></script>
</head>
<body>
<a class="skip" href="#content">Skip to the text</a>
<header>
<a class="brand" href="/docs/">Quiver <span>manual</span></a>
<form role="search"><input id="search" type="search" placeholder="Search" aria-label="Search the manual" aria-controls="found" autocomplete="off"></form>
<a href="/ui/">Console</a>
<a href="/quiver/v1/docs">API</a>
<button id="menu" type="button" aria-expanded="false" aria-controls="pages">Pages</button>
<section id="found" aria-label="Search results" hidden></section>
</header>
<nav id="pages" aria-label="Pages">${navigation.join('')}</nav>
<main id="content">${html}</main>
</body>
</html>
`
}

/** Headings of the second level; a page with one or none needs no outline. */
function outline(headings) {
  const shown = headings.filter(({ level }) => level === 2)
  if (shown.length < 2) return ''
  const items = shown.map(({ id, text }) => `<li><a href="#${id}">${escapeHtml(text)}</a></li>`)
  return `<ul>${items.join('')}</ul>`
}
