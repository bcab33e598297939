/**
 * Holds the built console against its budgets, in bytes after gzip, as the server sends them:
 * what is needed for the first paint, what each page adds to that, and everything together.
 * Prints one line per budget; the exit code is 1 when one is exceeded.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'

const KIB = 1024
const built = fileURLToPath(new URL('../dist/ui/', import.meta.url))
const manifest = JSON.parse(readFileSync(join(built, '.vite/manifest.json'), 'utf8'))
const files = readdirSync(join(built, 'assets')).map((name) => `assets/${name}`)

/**
 * What a page loads before it can be used, with the drawing or editing part it waits for, beyond
 * the first paint; KiB. Half of it is shared and cached by whichever page comes first.
 */
const pageBudgets = {
  'features/home/home-page': 25,
  'features/login/login-page': 25,
  'features/schema/schema-page': [215, 'ui/graph-canvas/engine'],
  'features/data/data-page': [175, 'features/data/components/json-tab'],
  'features/explorer/explorer-page': [185, 'ui/graph-canvas/engine'],
  'features/queries/queries-page': [185, 'ui/code-editor/editor'],
  'features/indexes/indexes-page': 40,
  'features/statistics/statistics-page': [100, 'ui/chart/drawing'],
  'features/system/system-page': [105, 'ui/chart/drawing'],
  'features/access/access-page': 40,
  'features/settings/settings-page': 40,
}

const first = reachable(['index.html'])
const rows = [
  ['requests for the first paint', first.size + 2, 6, ''],
  ['JavaScript for the first paint', gzippedKib(first), 210, 'KiB'],
  ['all style sheets', gzippedKib(files.filter((file) => file.endsWith('.css'))), 45, 'KiB'],
  ['all JavaScript', gzippedKib(files.filter((file) => file.endsWith('.js'))), 750, 'KiB'],
  ['largest font or image', largestAsset(), 20, 'KiB'],
  ...Object.entries(pageBudgets).map(([page, budget]) => {
    const [limit, ...parts] = [budget].flat()
    const roots = [page, ...parts].map(sourceOf)
    const added = reachable(roots).difference(first)
    return [page.split('/').at(-1), gzippedKib(added), limit, 'KiB']
  }),
]

for (const [name, value, limit, unit] of rows) {
  const verdict = value > limit ? 'EXCEEDED' : 'ok'
  const figures = `${round(value)} of ${limit} ${unit}`.trimEnd()
  process.stdout.write(`${name.padEnd(32)} ${figures.padEnd(20)} ${verdict}\n`)
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

function sourceOf(name) {
  const key = [`src/${name}.tsx`, `src/${name}.ts`].find((path) => path in manifest)
  // A page that needs no file of its own is part of the first paint.
  return key ?? 'index.html'
}

function gzippedKib(names) {
  let bytes = 0
  for (const name of names) bytes += gzipSync(readFileSync(join(built, name)), { level: 6 }).length
  return bytes / KIB
}

function largestAsset() {
  const plain = new Set(['.js', '.css', '.map'])
  const sizes = files
    .filter((file) => !plain.has(extname(file)))
    .map((file) => readFileSync(join(built, file)).length / KIB)
  return Math.max(0, ...sizes)
}

function round(value) {
  return Number.isInteger(value) ? value : value.toFixed(1)
}
