/**
 * Holds the built console against its budgets, in bytes after gzip, as the server sends them:
 * what is needed for the first paint, what each page adds to that, and everything together.
 * Prints one line per budget; the exit code is 1 when one is exceeded.
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
 * What a page loads before it shows itself, beyond the first paint, in KiB; and, where it waits for
 * a drawing or editing part, what it needs with that. Half of it is shared and cached by whichever
 * page comes first. Goals, not floors: docs/decisions/0029 and 0043 say where they stand.
 */
const pageBudgets = [
  ['features/home/home-page', 25],
  ['features/login/login-page', 25],
  ['features/start/start-page', 30],
  ['features/data/data-page', 25],
  ['features/indexes/indexes-page', 25],
  ['features/access/access-page', 25],
  ['features/settings/settings-page', 25],
  ['features/statistics/statistics-page', 25],
  ['features/system/system-page', 25],
  ['features/queries/queries-page', 25],
  ['features/data/data-page', 130, 'features/data/components/json-tab', editor],
  // A query can be written and installed (a test in the browser holds the rest back) ...
  ['features/queries/queries-page', 120, editor],
  // ... and all that comes by itself has come.
  [
    'features/queries/queries-page',
    170,
    editor,
    'ui/code-editor/assistance',
    'features/queries/components/outcomes',
  ],
  ['features/explorer/explorer-page', 165, 'ui/graph-canvas/engine/engine'],
  ['features/schema/schema-page', 170, 'ui/graph-canvas/engine/engine'],
  ['features/statistics/statistics-page', 90, 'ui/chart/drawing'],
  ['features/system/system-page', 80, 'ui/chart/drawing'],
]

const first = reachable(['index.html'])
const rows = [
  ['requests for the first paint', first.size + 2, 6, ''],
  ['JavaScript for the first paint', gzippedKib(first), 210, 'KiB'],
  ['all style sheets', gzippedKib(files.filter((file) => file.endsWith('.css'))), 45, 'KiB'],
  ['all JavaScript', gzippedKib(files.filter((file) => file.endsWith('.js'))), 750, 'KiB'],
  ['largest font or image', largestAsset(), 20, 'KiB'],
  ...pageBudgets.map(([page, limit, ...parts]) => {
    const roots = [page, ...parts].map(sourceOf)
    const name = [page, ...parts].map(last).join(' + ')
    return [name, gzippedKib(reachable(roots).difference(first)), limit, 'KiB']
  }),
]

for (const [name, value, limit, unit] of rows) {
  const verdict = value > limit ? 'EXCEEDED' : 'ok'
  const figures = `${round(value)} of ${limit} ${unit}`.trimEnd()
  process.stdout.write(`${name.padEnd(46)} ${figures.padEnd(20)} ${verdict}\n`)
}
process.exitCode = rows.some(([, value, limit]) => value > limit) ? 1 : 0

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
