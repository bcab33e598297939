/**
 * Builds `dist/`: the console (`dist/ui`, by Vite), the server (`dist/server`, by esbuild) and the manual (`dist/manual`,
 * from docs/).
 *
 * Every `*-worker.ts` under server/src is an entry of its own beside `main.js`, so that a worker
 * is found under the same name whether the sources or the bundle run. Installed packages stay
 * outside the bundle. With `--if-stale` nothing happens while a hash over all inputs is unchanged.
 * Files of the console are compressed here, once, and stand beside the plain ones (docs/decisions/0059).
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants } from 'node:zlib'

const root = fileURLToPath(new URL('..', import.meta.url))
const inputs = [
  'src',
  'public',
  'server/src',
  'server/contract',
  'index.html',
  'vite.config.ts',
  'package-lock.json',
  'package.json',
  'server/package.json',
  'scripts/build.mjs',
  'scripts/manual',
  'docs',
  'README.md',
  'CHANGELOG.md',
  'SECURITY.md',
]
/** Not in the manual: a change of these makes nothing stale. */
const outsideOfManual = /^docs\/(decisions|grafana)\//
const marker = join(root, 'dist', '.inputs')
const hash = hashOf(inputs)

if (process.argv.includes('--if-stale') && isCurrent()) process.exit(0)
// Every start comes as far as this, and loading the builders takes longer than the look at the inputs.
const [{ gzipAsync }, { build: esbuild }, { build: vite }, { buildManual }] = await Promise.all([
  import('@gfx/zopfli'),
  import('esbuild'),
  import('vite'),
  import('./manual/build.mjs'),
])
process.stderr.write('quiver: building the console and the server\n')
rmSync(join(root, 'dist'), { recursive: true, force: true })
await vite({ root, logLevel: 'warn' })
await buildManual(root, join(root, 'dist/manual'))
await Promise.all([
  compressFiles(join(root, 'dist/ui')),
  compressFiles(join(root, 'dist/manual')),
  buildServer(),
])
writeFileSync(marker, hash)

function isCurrent() {
  return existsSync(marker) && readFileSync(marker, 'utf8') === hash
}

/** The server sends these as they are: compressing anew for each reader costs it 70 ms a visit. */
async function compressFiles(folder) {
  const worthIt = (file) => /\.(js|css|html|svg|json)$/.test(file) && statSync(file).size >= 256
  for (const file of filesBelow(folder).filter(worthIt)) {
    const text = readFileSync(file)
    // Quality 11 takes three times as long as 10 for 2 % less.
    const params = { [constants.BROTLI_PARAM_QUALITY]: 10 }
    writeFileSync(`${file}.br`, brotliCompressSync(text, { params }))
    // One round: more make it 0.1 % smaller.
    writeFileSync(`${file}.gz`, await gzipAsync(text, { numiterations: 1 }))
  }
}

async function buildServer() {
  const sources = filesBelow(join(root, 'server/src'))
  const workers = sources.filter((file) => file.endsWith('-worker.ts'))
  await bundle([join(root, 'server/src/main.ts')], true)
  await bundle(workers, false)
}

/** @param {boolean} splitting what is imported when it is needed is a file of its own */
async function bundle(entries, splitting) {
  await esbuild({
    entryPoints: entries.map((file) => ({ in: file, out: basename(file, '.ts') })),
    outdir: join(root, 'dist/server'),
    bundle: true,
    splitting,
    chunkNames: 'main-[name]-[hash]',
    platform: 'node',
    format: 'esm',
    target: 'node22.15',
    packages: 'external',
    sourcemap: true,
    define: { __QUIVER_GIT_HASH__: JSON.stringify(gitHash()) },
    logLevel: 'warning',
  })
}

function gitHash() {
  try {
    return execFileSync('git', ['rev-parse', 'HEAD'], {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim()
  } catch {
    return '0'.repeat(40)
  }
}

function hashOf(paths) {
  const sum = createHash('sha256')
  for (const path of paths) {
    const absolute = join(root, path)
    if (!existsSync(absolute)) continue
    const files = statSync(absolute).isDirectory() ? filesBelow(absolute) : [absolute]
    for (const file of files.filter(isInput)) {
      sum.update(relative(root, file)).update('\0').update(readFileSync(file)).update('\0')
    }
  }
  return sum.digest('hex')
}

function isInput(file) {
  return !/\.test\.tsx?$/.test(file) && !outsideOfManual.test(relative(root, file))
}

function filesBelow(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
}
