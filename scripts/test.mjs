/**
 * `npm test`: everything a change has to pass, in the order that fails fastest. Prints one closing
 * line with the counts of all runners together.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { bundleSources } from './test-sources.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const reports = mkdtempSync(join(tmpdir(), 'quiver-test-'))
/** What a test makes once for all others: a cluster of PostgreSQL, which is another user's. */
const templates = mkdtempSync(join(tmpdir(), 'quiver-templates-'))
chmodSync(templates, 0o755)
const ofServers = ['api', 'conformance', 'crash', 'model', 'queries', 'shared-store']
const measured = 'measured'
/**
 * Node runs the sources of servers itself, as it does in production: half the processor time of
 * files that start servers goes into the transformation of modules otherwise.
 */
const untransformed = ['--experimental.viteModuleRunner=false']
/** Tests of whole servers load the sources from it (docs/decisions/0159). */
const sources = join(root, 'node_modules/.cache/test-sources/sources.mjs')
const STEP_LIMIT_MS = 35 * 60 * 1000
/** With more failing files than this the cause is not chance, and nothing is run again. */
const SECOND_RUN_FILES_MAX = 8
const MESSAGE_LINES = 6
let passed = 0
/** Each with `file`, `name` and `message`. */
const failures = []
const flaky = []

// Neither has work for two cores all the time.
await Promise.all([
  step('lint', ['run', '--silent', 'lint']),
  step('types', ['run', '--silent', 'typecheck']),
])
await step('budgets', ['run', '--silent', 'budgets'])
await unit()
await browser()
for (const folder of [reports, templates]) rmSync(folder, { recursive: true, force: true })
printResult()
process.exit(failures.length === 0 ? 0 : 1)

async function step(name, args) {
  const started = Date.now()
  const ok = await run('npm', args, { cwd: root, stdio: 'inherit' })
  const seconds = ((Date.now() - started) / 1000).toFixed(1)
  process.stdout.write(`${name}: ${ok ? 'ok' : 'FAILED'} (${seconds} s)\n`)
  if (ok) passed++
  else failures.push({ file: null, name, message: 'see its output above' })
}

/**
 * What lies beside its source shares its workers, as in `npm run check`; tests of whole servers,
 * which change more than they put back, have one each. Of these three run at a time: many wait for
 * processes to start and to end, and two leave the cores idle then. Tests that measure run alone: other work on
 * the same cores lengthens what they measure.
 */
async function unit() {
  const apart = [...ofServers, measured].join(',')
  const folders = (names) => names.map((name) => `server/test/${name}/`)
  const others = ['--exclude', `server/test/{${apart}}/**`]
  await vitest('console', ['--no-isolate'], ['--exclude', 'server/**'])
  await vitest('beside', ['--no-isolate', ...untransformed], [...others, '--exclude', 'src/**'])
  await bundleSources(root, sources)
  process.env.QUIVER_TEST_SOURCES = sources
  await vitest('servers', ['--maxWorkers=3', ...untransformed], folders(ofServers))
  delete process.env.QUIVER_TEST_SOURCES
  await vitest('measured', ['--maxWorkers=1'], folders([measured]))
}

/**
 * Files with a failed test run a second time, alone: what passes then is counted as flaky, as in
 * the tests of the console (docs/decisions/0143).
 */
async function vitest(name, settings, choice) {
  const first = await vitestOnce(name, [...settings, ...choice])
  passed += first.passed
  const files = [...new Set(first.failures.map(({ file }) => file))]
  const again = files.length > 0 && files.length <= SECOND_RUN_FILES_MAX && !files.includes(null)
  if (!again) {
    failures.push(...first.failures)
    return
  }
  process.stdout.write(`${name}: once more, alone: ${files.join(', ')}\n`)
  const alone = settings.filter((setting) => !setting.startsWith('--maxWorkers'))
  const second = await vitestOnce(`${name}-again`, [...alone, '--maxWorkers=1', ...files])
  failures.push(...second.failures)
  // Something ended the run: what failed first has not passed since.
  if (second.failures.some(({ file }) => file === null)) {
    failures.push(...first.failures)
    return
  }
  const failedTwice = ({ file, name }) =>
    second.failures.some((failure) => failure.file === file && failure.name === name)
  const once = first.failures.filter((failure) => !failedTwice(failure))
  flaky.push(...once)
  passed += once.length
}

async function vitestOnce(name, args) {
  const started = Date.now()
  const report = join(reports, `${name}.json`)
  const reporters = ['--reporter=default', `--reporter=${join(root, 'scripts/test-report.mjs')}`]
  const settings = options()
  settings.env.QUIVER_TEST_REPORT = report
  const ok = await run('vitest', ['run', ...args, ...reporters], settings)
  const seconds = ((Date.now() - started) / 1000).toFixed(1)
  const result = existsSync(report)
    ? JSON.parse(readFileSync(report, 'utf8'))
    : { passed: 0, failures: [] }
  process.stdout.write(`${name}: ${ok ? 'ok' : 'FAILED'} (${seconds} s)\n`)
  if (!ok && result.failures.length === 0) {
    result.failures.push({ file: null, name, message: 'vitest ended with an error' })
  }
  return result
}

async function browser() {
  const started = Date.now()
  const report = join(reports, 'browser.json')
  const ok = await run('playwright', ['test', '--reporter=list,json'], {
    ...options(),
    env: { ...options().env, PLAYWRIGHT_JSON_OUTPUT_NAME: report },
  })
  const result = existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : null
  const specs = (result?.suites ?? []).flatMap(specsOf)
  const withStatus = (status) =>
    specs
      .filter(({ tests }) => tests.some((test) => test.status === status))
      .map(({ file, title, tests }) => ({
        file: `e2e/flows/${file}`,
        name: title,
        message: tests.flatMap(({ results }) => results).find(({ error }) => error)?.error.message,
      }))
  flaky.push(...withStatus('flaky'))
  failures.push(...withStatus('unexpected'))
  passed += (result?.stats.expected ?? 0) + (result?.stats.flaky ?? 0)
  if (!ok && !result?.stats.unexpected) {
    failures.push({ file: null, name: 'browser', message: 'playwright ended with an error' })
  }
  const seconds = ((Date.now() - started) / 1000).toFixed(1)
  process.stdout.write(`browser: ${ok ? 'ok' : 'FAILED'} (${seconds} s)\n`)
}

function specsOf(suite) {
  return [...(suite.specs ?? []), ...(suite.suites ?? []).flatMap(specsOf)]
}

/** Names what failed in the last lines, which are what is left of a long log. */
function printResult() {
  const list = (title, found) => {
    if (found.length === 0) return
    process.stdout.write(`\n${title}\n`)
    for (const { file, name, message } of found) {
      const lines = (message ?? '').split('\n').slice(0, MESSAGE_LINES)
      process.stdout.write(
        `- ${file ?? ''} ${name}\n${lines.map((line) => `    ${line}\n`).join('')}`,
      )
    }
  }
  list('Flaky, passed in the second run, to be mended:', flaky)
  list('Failed:', failures)
  const closing = flaky.length === 0 ? '' : `, ${flaky.length} flaky`
  process.stdout.write(`${passed} passed, ${failures.length} failed${closing}\n`)
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
    QUIVER_CRASH_ROUNDS: '4',
    QUIVER_TEST_TEMPLATES: templates,
    ...process.env,
    QUIVER_TEST_PROGRAM: join(root, 'dist', 'server', 'main.js'),
  }
  return { cwd: root, stdio: 'inherit', env }
}
