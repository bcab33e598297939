/**
 * `npm test`: everything a change has to pass, in the order that fails fastest. Prints one closing
 * line with the counts of all runners together.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const reports = mkdtempSync(join(tmpdir(), 'quiver-test-'))
let passed = 0
let failed = 0

step('lint', ['run', '--silent', 'lint'])
step('types', ['run', '--silent', 'typecheck'])
unit()
browser()
rmSync(reports, { recursive: true, force: true })
process.stdout.write(`${passed} passed, ${failed} failed\n`)
process.exit(failed === 0 ? 0 : 1)

function step(name, args) {
  const started = Date.now()
  const result = spawnSync('npm', args, { cwd: root, stdio: 'inherit' })
  const seconds = ((Date.now() - started) / 1000).toFixed(1)
  process.stdout.write(`${name}: ${result.status === 0 ? 'ok' : 'FAILED'} (${seconds} s)\n`)
  if (result.status === 0) passed++
  else failed++
}

function unit() {
  const report = join(reports, 'unit.json')
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const result = spawnSync('vitest', ['run', ...reporters], options())
  const summary = existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : null
  passed += summary?.numPassedTests ?? 0
  failed += summary?.numFailedTests ?? 0
  if (result.status !== 0 && !summary?.numFailedTests) failed++
}

function browser() {
  const report = join(reports, 'browser.json')
  const result = spawnSync('playwright', ['test', '--reporter=list,json'], {
    ...options(),
    env: { ...options().env, PLAYWRIGHT_JSON_OUTPUT_NAME: report },
  })
  const summary = existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')).stats : null
  passed += (summary?.expected ?? 0) + (summary?.flaky ?? 0)
  failed += summary?.unexpected ?? 0
  if (result.status !== 0 && !summary?.unexpected) failed++
}

/** Tests that start a server as a process of its own start the built one; crash tests run long. */
function options() {
  const env = {
    QUIVER_CRASH_ROUNDS: '20',
    ...process.env,
    QUIVER_TEST_PROGRAM: join(root, 'dist', 'server', 'main.js'),
  }
  return { cwd: root, stdio: 'inherit', env }
}
