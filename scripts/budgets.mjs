/**
 * Checks the sizes of the built console, in KiB after gzip, as the server sends them. Limits hold
 * for what every visitor waits for: the first paint, the style sheets, fonts and images. What each
 * page loads beyond the first paint is printed without a limit (docs/decisions/0090).
 * Prints one line per figure; the exit code is 1 when a limit is exceeded.
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { extname, join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

const KIB = 1024
const built = fileURLToPath(new URL('../dist/ui/', import.meta.url))
const manifest = JSON.parse(readFileSync(join(built, '.vite/manifest.json'), 'utf8'))
const files = readdirSync(join(built, 'assets')).map((name) => `assets/${name}`)

const editor = 'ui/code-editor/editor'

/**
 * The pages, by the module that their address loads. A second entry for a page adds what it loads by
 * itself right after it has shown itself: an editor, a canvas, charts.
 */
const pages = [
  ['features/home/home-page'],
  ['features/login/login-page'],
  ['features/start/start-page'],
  ['features/data/data-page'],
  ['features/data/data-page', 'features/data/components/json-tab', editor],
  ['features/explorer/explorer-page'],
  ['features/explorer/explorer-page', 'ui/graph-canvas/engine/engine'],
  ['features/schema/schema-page'],
  ['features/schema/schema-page', 'ui/graph-canvas/engine/engine'],
  ['features/queries/queries-page'],
  ['features/queries/queries-page', editor],
  [
    'features/queries/queries-page',
    editor,
    'ui/code-editor/assistance',
    'features/queries/components/outcomes',
  ],
  ['features/indexes/indexes-page'],
  ['features/statistics/statistics-page'],
  ['features/statistics/statistics-page', 'ui/chart/drawing'],
  ['features/system/system-page'],
  ['features/system/system-page', 'ui/chart/drawing'],
  ['features/access/access-page'],
  ['features/settings/settings-page'],
]

const first = reachable(['index.html'])
const scripts = files.filter((file) => file.endsWith('.js'))
const rows = [
  ['requests for the first paint', first.size + 2, 6, ''],
  ['JavaScript for the first paint', gzippedKib(first), 260, 'KiB'],
  ['all style sheets', gzippedKib(files.filter((file) => file.endsWith('.css'))), 45, 'KiB'],
  ['largest font or image', largestAsset(), 32, 'KiB'],
  ['fonts of Latin text', latinFontsKib(), 60, 'KiB'],
  ...pages.map((modules) => {
    const name = modules.map(last).join(' + ')
    return [name, gzippedKib(reachable(modules.map(sourceOf)).difference(first)), null, 'KiB']
  }),
  ['all JavaScript', gzippedKib(scripts), null, 'KiB'],
]

for (const [name, value, limit, unit] of rows) {
  const figures = `${round(value)}${limit === null ? '' : ` of ${limit}`} ${unit}`.trimEnd()
  const verdict = limit === null ? '' : value > limit ? 'EXCEEDED' : 'ok'
  process.stdout.write(`${`${name.padEnd(46)} ${figures.padEnd(20)} ${verdict}`.trimEnd()}\n`)
}
process.exitCode = rows.some(([, value, limit]) => limit !== null && value > limit) ? 1 : 0

/** The two files that a page of Latin text loads; the others come with letters of their ranges. */
function latinFontsKib() {
  const latin = files.filter((file) => /-latin-wght-normal-.*\.woff2$/.test(file))
  return latin.reduce((sum, file) => sum + readFileSync(join(built, file)).length / KIB, 0)
}

/** The script files that some entries load before they run. */
function reachable(entries) {
  const seen = new Set()
  const found = new Set()
  const walk = (key) => {
    if (seen.has(key)) return
    seen.add(key)
    found.add(manifest[key].file)
    for (const next of manifest[key].imports ?? []) walk(next)
  }
  entries.forEach(walk)
  return found
}

function last(path) {
  return path.split('/').at(-1)
}

function sourceOf(name) {
  const key = [`src/${name}.tsx`, `src/${name}.ts`].find((path) => path in manifest)
  // A page that needs no file of its own is part of the first paint.
  return key ?? 'index.html'
}

function gzippedKib(names) {
  let bytes = 0
  for (const name of names) bytes += statSync(asSent(join(built, name))).size
  return bytes / KIB
}

/** Small files are sent as they are. */
function asSent(file) {
  return existsSync(`${file}.gz`) ? `${file}.gz` : file
}

function largestAsset() {
  const plain = new Set(['.js', '.css', '.map', '.gz', '.br'])
  const sizes = files
    .filter((file) => !plain.has(extname(file)))
    .map((file) => readFileSync(join(built, file)).length / KIB)
  return Math.max(0, ...sizes)
}

function round(value) {
  return Number.isInteger(value) ? value : value.toFixed(1)
}
