/**
 * `npm test`: everything a change has to pass, in the order that fails fastest. Prints one closing
 * line with the counts of all runners together.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const reports = mkdtempSync(join(tmpdir(), 'quiver-test-'))
const ofServers = ['api', 'conformance', 'crash', 'model', 'queries']
const measured = 'measured'
/** Several servers over a pair of PostgreSQL: processes enough for one worker. */
const shared = 'shared-store'
const STEP_LIMIT_MS = 35 * 60 * 1000
let passed = 0
let failed = 0
let flaky = 0

await step('lint', ['run', '--silent', 'lint'])
await step('types', ['run', '--silent', 'typecheck'])
await step('budgets', ['run', '--silent', 'budgets'])
await unit()
await browser()
rmSync(reports, { recursive: true, force: true })
const closing = flaky === 0 ? '' : `, ${flaky} flaky: to be mended, see "flaky" above`
process.stdout.write(`${passed} passed, ${failed} failed${closing}\n`)
process.exit(failed === 0 ? 0 : 1)

async function step(name, args) {
  const started = Date.now()
  const ok = await run('npm', args, { cwd: root, stdio: 'inherit' })
  const seconds = ((Date.now() - started) / 1000).toFixed(1)
  process.stdout.write(`${name}: ${ok ? 'ok' : 'FAILED'} (${seconds} s)\n`)
  if (ok) passed++
  else failed++
}

/**
 * What lies beside its source shares its workers, as in `npm run check`; tests of whole servers,
 * which change more than they put back, have one each. Tests that measure run alone: other work on
 * the same cores lengthens what they measure.
 */
async function unit() {
  const apart = [...ofServers, measured, shared].join(',')
  await vitest('beside', ['--no-isolate', '--exclude', `server/test/{${apart}}/**`])
  await vitest(
    'servers',
    ofServers.map((folder) => `server/test/${folder}/`),
  )
  await vitest('shared', ['--maxWorkers', '1', `server/test/${shared}/`])
  await vitest('measured', ['--maxWorkers', '1', `server/test/${measured}/`])
}

async function vitest(name, args) {
  const report = join(reports, `${name}.json`)
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const ok = await run('vitest', ['run', ...args, ...reporters], options())
  const summary = existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : null
  passed += summary?.numPassedTests ?? 0
  failed += summary?.numFailedTests ?? 0
  if (!ok && !summary?.numFailedTests) failed++
}

async function browser() {
  const report = join(reports, 'browser.json')
  const ok = await run('playwright', ['test', '--reporter=list,json'], {
    ...options(),
    env: { ...options().env, PLAYWRIGHT_JSON_OUTPUT_NAME: report },
  })
  const summary = existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')).stats : null
  flaky += summary?.flaky ?? 0
  passed += (summary?.expected ?? 0) + (summary?.flaky ?? 0)
  failed += summary?.unexpected ?? 0
  if (!ok && !summary?.unexpected) failed++
}

/**
 * Runs a command in a process group of its own, and ends the whole group with it or at the limit:
 * a process that a failed test left behind would hold the output open, and the caller would wait.
 */
async function run(command, args, settings) {
  const child = spawn(command, args, { ...settings, detached: true })
  const limit = setTimeout(() => {
    process.stdout.write(
      `${command} ${args[0]}: not done after ${STEP_LIMIT_MS / 60_000} minutes\n`,
    )
    endGroup(child.pid)
  }, STEP_LIMIT_MS)
  const interrupt = () => {
    endGroup(child.pid)
    process.exit(130)
  }
  process.once('SIGINT', interrupt)
  process.once('SIGTERM', interrupt)
  const [status] = await once(child, 'exit')
  clearTimeout(limit)
  process.off('SIGINT', interrupt)
  process.off('SIGTERM', interrupt)
  endGroup(child.pid)
  return status === 0
}

function endGroup(pid) {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // Nothing of the group is left.
  }
}

/** Tests that start a server as a process of its own start the built one; crash tests run long. */
function options() {
  const env = {
    QUIVER_CRASH_ROUNDS: '6',
    ...process.env,
    QUIVER_TEST_PROGRAM: join(root, 'dist', 'server', 'main.js'),
  }
  return { cwd: root, stdio: 'inherit', env }
}
