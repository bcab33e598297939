/**
 * A reporter of vitest that writes what `scripts/test.mjs` needs as JSON to the file that
 * QUIVER_TEST_REPORT names: `{passed, failures: [{file, name, message}]}`. A failure is a test that
 * failed, a file that could not be collected, or an error that no test caught; `file` is null where
 * vitest does not know the file.
 */
import { writeFileSync } from 'node:fs'
import process from 'node:process'

// biome-ignore lint/style/noDefaultExport: vitest takes the default export of a reporter's file.
export default class TestReport {
  onTestRunEnd(modules, unhandledErrors) {
    const failures = [...modules.flatMap(failuresOf), ...unhandledErrors.map(unhandled)]
    const passed = modules.flatMap((module) => [...module.children.allTests('passed')]).length
    writeFileSync(process.env['QUIVER_TEST_REPORT'], JSON.stringify({ passed, failures }))
  }
}

function failuresOf(module) {
  const file = module.relativeModuleId
  const tests = [...module.children.allTests('failed')].map((test) => ({
    file,
    name: test.fullName,
    message: messageOf(test.result().errors?.[0]),
  }))
  const suites = [...module.children.allSuites()].filter((suite) => suite.errors().length > 0)
  const outside = [...suites.flatMap((suite) => suite.errors()), ...module.errors()]
  return [
    ...tests,
    ...outside.map((error) => ({
      file,
      name: 'outside of its tests',
      message: messageOf(error),
    })),
  ]
}

function unhandled(error) {
  const file = error.VITEST_TEST_PATH ?? null
  return { file, name: error.VITEST_TEST_NAME ?? 'no test caught', message: messageOf(error) }
}

function messageOf(error) {
  return String(error?.message ?? error).slice(0, 2000)
}
