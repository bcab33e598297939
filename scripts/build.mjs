/**
 * Builds `dist/`: the console (`dist/ui`, by Vite) and the server (`dist/server`, by esbuild).
 *
 * Every `*-worker.ts` under server/src is an entry of its own beside `main.js`, so that a worker
 * is found under the same name whether the sources or the bundle run. Installed packages stay
 * outside the bundle. With `--if-stale` nothing happens while a hash over all inputs is unchanged.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { build as esbuild } from 'esbuild'
import { build as vite } from 'vite'

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
  'scripts/lean-contract.mjs',
  'scripts/lean-cytoscape.mjs',
  'scripts/lean-mantine.mjs',
]
const marker = join(root, 'dist', '.inputs')
const hash = hashOf(inputs)

if (process.argv.includes('--if-stale') && isCurrent()) process.exit(0)
process.stderr.write('quiver: building the console and the server\n')
rmSync(join(root, 'dist'), { recursive: true, force: true })
await vite({ root, logLevel: 'warn' })
await buildServer()
writeFileSync(marker, hash)

function isCurrent() {
  return existsSync(marker) && readFileSync(marker, 'utf8') === hash
}

async function buildServer() {
  const sources = filesBelow(join(root, 'server/src'))
  const workers = sources.filter((file) => file.endsWith('-worker.ts'))
  const entries = [join(root, 'server/src/main.ts'), ...workers].filter((file) => existsSync(file))
  await esbuild({
    entryPoints: entries.map((file) => ({ in: file, out: basename(file, '.ts') })),
    outdir: join(root, 'dist/server'),
    bundle: true,
    splitting: false,
    platform: 'node',
    format: 'esm',
    target: 'node26',
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
    for (const file of files.filter((name) => !/\.test\.tsx?$/.test(name))) {
      sum.update(relative(root, file)).update('\0').update(readFileSync(file)).update('\0')
    }
  }
  return sum.digest('hex')
}

function filesBelow(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
}
