/**
 * What tests need of the machine and npm does not bring: Chromium and PostgreSQL, from Debian's
 * packages. One installation brings both, since apt lets only one run at a time.
 */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import process from 'node:process'
import { chromiumPath, downloadChromium } from './chromium.mjs'
import { postgresFolder } from './postgres.mjs'

/** Where a release has no package of the shell, the browser's. */
const chromium = [
  'apt-get install -y -qq --no-install-recommends chromium-headless-shell >/dev/null ||',
  'apt-get install -y -qq --no-install-recommends chromium >/dev/null',
].join(' ')

/** The tests make their own nodes: the package makes and starts none. */
const noCluster = 'create_main_cluster = false'
const withoutClusters = [
  'mkdir -p /etc/postgresql-common/createcluster.d &&',
  `echo '${noCluster}' >/etc/postgresql-common/createcluster.d/quiver-tests.conf`,
].join(' ')
const postgres = [
  `${withoutClusters} &&`,
  'apt-get install -y -qq --no-install-recommends postgresql >/dev/null',
].join(' ')

/**
 * Begins to install what is missing, when root on a machine with apt.
 * @returns {() => Promise<void>} finishes; ends the process when something cannot be had
 */
export function beginInstallingForTests() {
  const missing = [
    ...(chromiumPath() === null ? [{ name: 'Chromium', command: chromium }] : []),
    ...(postgresFolder() === null ? [{ name: 'PostgreSQL', command: postgres }] : []),
  ]
  const ended = missing.length > 0 && hasApt() ? install(missing) : null
  return async () => {
    await ended
    if (chromiumPath() === null) await downloadChromium()
    if (postgresFolder() !== null) return
    process.stderr.write(
      'quiver: no PostgreSQL: install one, or name the folder of initdb in QUIVER_POSTGRES\n',
    )
    process.exit(1)
  }
}

/** Of a managed PostgreSQL of three nodes: `npm run shared-store -- --patroni`. */
export async function installPatroni() {
  const present = ['patroni', 'etcd'].every(
    (name) => spawnSync(name, ['--version']).error === undefined,
  )
  if (present) return
  if (!hasApt()) throw new Error('packages can only be installed as root, on a machine with apt')
  const command = 'apt-get install -y -qq --no-install-recommends patroni etcd-server >/dev/null'
  await install([{ name: 'Patroni and etcd', command: `${withoutClusters} && ${command}` }])
}

function hasApt() {
  return process.getuid?.() === 0 && spawnSync('apt-get', ['--version']).status === 0
}

function install(missing) {
  const names = missing.map(({ name }) => name).join(' and ')
  process.stderr.write(`quiver: installing ${names} for the tests (apt-get)\n`)
  const script = ['apt-get update -qq', ...missing.map(({ command }) => command)].join('; ')
  const environment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const options = { stdio: ['ignore', 'ignore', 'inherit'], env: environment }
  return once(spawn('sh', ['-c', script], options), 'exit')
}
