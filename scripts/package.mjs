/**
 * `npm run package`: builds what is stale and packs the server as `dist/quiver-<version>.tgz`, which `npx` starts
 * on a machine with nothing but Node and npm (docs/decisions/0111).
 *
 * The package has one manifest, made here: the server's dependencies and no others, `bin`, and no script
 * that an installation would run. The folders lie as in a checkout, so that the launcher is the same.
 */
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

const SIZE_BYTES_MAX = 6_000_000

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = join(root, 'dist', 'package')
const launcher = ['quiver.cjs', 'node-versions.cjs', 'pinned-node.cjs', 'allocator.cjs'].map(
  (name) => join('scripts', name),
)

if (process.argv.includes('--refuse')) {
  process.stderr.write('quiver: the checkout is not a package; `npm run package` builds one\n')
  process.exit(1)
}

execFileSync(process.execPath, [join(root, 'scripts/build.mjs'), '--if-stale'], {
  stdio: 'inherit',
})
rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })
for (const path of [
  'dist/server',
  'dist/ui',
  'dist/manual',
  'LICENSE',
  'README.md',
  'CHANGELOG.md',
  ...launcher,
]) {
  cpSync(join(root, path), join(folder, path), { recursive: true, filter: isNeeded })
}
const manifest = manifestOf(readJson('package.json'), readJson('server/package.json'))
writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
const tarball = pack()
const { size } = statSync(tarball)
process.stdout.write(`${tarball} (${(size / 1e6).toFixed(2)} MB)\n`)
// A bare absolute path is a command to npx, and a relative one begins at the nearest package.json above.
process.stdout.write(`start it with: npx file:${tarball}\n`)
if (size > SIZE_BYTES_MAX) {
  process.stderr.write(`quiver: the package is larger than ${SIZE_BYTES_MAX} bytes\n`)
  process.exit(1)
}

/** Maps of sources and the manifest of Vite are of use in a checkout only. */
function isNeeded(path) {
  return !path.endsWith('.map') && basename(path) !== '.vite'
}

function manifestOf(product, server) {
  const { usearch, ...dependencies } = server.dependencies
  const { name, version, description, license } = product
  return {
    name,
    version,
    description,
    license,
    type: 'module',
    engines: { node: '^22.15.0 || >=23.11.0' },
    pinnedNode: product.dependencies.node,
    bin: { quiver: 'scripts/quiver.cjs' },
    files: ['dist', 'scripts', 'CHANGELOG.md'],
    dependencies,
    // Native code, for indexes of large vector attributes; without it they are searched one by one.
    optionalDependencies: { usearch },
  }
}

function pack() {
  const args = ['pack', '--json', '--pack-destination', join(root, 'dist')]
  const [{ filename }] = JSON.parse(execFileSync('npm', args, { cwd: folder, encoding: 'utf8' }))
  return join(root, 'dist', filename)
}

function readJson(path) {
  return JSON.parse(readFileSync(join(root, path), 'utf8'))
}
