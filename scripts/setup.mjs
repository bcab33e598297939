/**
 * Brings a fresh checkout to where `npm start` or `npm test` can run, with Node built-ins only,
 * since it runs before anything is installed. Does nothing that is already done: a second start
 * neither reinstalls nor rebuilds.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { beginInstallingForTests } from './debian.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const purpose = process.argv[2] ?? 'start'

installLibatomic()
// The packages of Debian and of npm come over the network at the same time.
const finishForTests = purpose === 'test' ? beginInstallingForTests() : null
const finishInstallation = installDependencies()
buildWhenStale()
finishInstallation()
await finishForTests?.()

/** The pinned Node is linked to it; a Debian without a compiler comes without it. */
function installLibatomic() {
  if (process.platform !== 'linux') return
  const path = `${process.env.PATH ?? ''}:/sbin:/usr/sbin`
  const { status, stdout } = spawnSync('ldconfig', ['-p'], {
    env: { ...process.env, PATH: path },
    encoding: 'utf8',
  })
  // Where nobody can tell, the installation will.
  if (status !== 0 || stdout.includes('libatomic.so.1')) return
  if (process.getuid?.() === 0 && spawnSync('apt-get', ['--version']).status === 0) {
    step('installing libatomic1, which the pinned Node needs (apt-get)')
    const script = 'apt-get update -qq; apt-get install -y -qq libatomic1 >/dev/null'
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    if (spawnSync('sh', ['-c', script], { stdio: 'inherit', env }).status === 0) return
  }
  fail(
    'libatomic.so.1 is missing, which the pinned Node needs: install libatomic1 (Debian, Ubuntu) or libatomic (Fedora)',
  )
}

/**
 * @returns what to do once the build has shown that everything is there: a package that npm left out, as it does
 *   for a Node that is too old, is not missed before
 */
function installDependencies() {
  const marker = join(root, 'node_modules', '.quiver-lock')
  const lock = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex')
  if (existsSync(marker) && readFileSync(marker, 'utf8') === lock) {
    return () => undefined
  }
  step('installing the pinned dependencies (npm ci)')
  // Also in a shell for production, where npm leaves out what the build needs.
  run('npm', ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'])
  return () => writeFileSync(marker, lock)
}

function buildWhenStale() {
  // The build runs on the pinned Node that `npm ci` has just brought.
  const node = join(root, 'node_modules', '.bin', 'node')
  run(node, [join(root, 'scripts', 'build.mjs'), '--if-stale'], () => {
    // The next start installs anew: what is installed may be the reason.
    rmSync(join(root, 'node_modules', '.quiver-lock'), { force: true })
  })
}

function run(command, args, onFailure = () => undefined) {
  const result = spawnSync(command, args, { cwd: root, stdio: 'inherit' })
  if (result.error || result.status !== 0) onFailure()
  if (result.error) fail(`${command} could not be started: ${result.error.message}`)
  if (result.status !== 0) fail(`${command} ${args.join(' ')} ended with status ${result.status}`)
}

function step(text) {
  process.stderr.write(`quiver: ${text}\n`)
}

function fail(text) {
  step(text)
  process.exit(1)
}
