/**
 * Runs the scenarios of the openCypher TCK and says how many pass.
 *
 *     node server/tools/tck/run.ts folder [--report file] [--only text] [--list kind]
 *
 * The folder is `tck/features` of a copy of github.com/opencypher/openCypher; the graphs that scenarios name are read
 * from `graphs` beside it. Each scenario has an engine of its own in memory, with a schema made for its graph.
 * `--report` writes the scenarios that do not pass into a file, `--only` runs those whose group or name contains the
 * text, `--list wrong` prints those of one outcome. The exit code is 1 while an answer is wrong or an engine fails.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { readScenarios } from './features.ts'
import { listOf, type Result, summaryOf } from './report.ts'
import { type Outcome, runScenario } from './run-scenario.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    report: { type: 'string' },
    only: { type: 'string', default: '' },
    list: { type: 'string' },
  },
})
const [folder] = positionals
if (folder === undefined) throw new Error('the folder of the features is needed')

function namedGraph(name: string): readonly string[] {
  return [readFileSync(join(resolve(folder!, '../graphs'), name, `${name}.cypher`), 'utf8')]
}

const results: Result[] = []
for (const scenario of readScenarios(folder)) {
  if (!`${scenario.group} ${scenario.name}`.includes(values.only)) continue
  results.push({ scenario, outcome: await runScenario(scenario, namedGraph) })
}

const isDefect = ({ outcome }: Result) => outcome.kind === 'wrong' || outcome.kind === 'broken'
console.log(summaryOf(results))
if (values.list !== undefined) console.log(`\n${listOf(results, [values.list as Outcome['kind']])}`)
if (values.report !== undefined) {
  const kinds = ['wrong', 'broken', 'not raised', 'warned', 'failed', 'refused'] as const
  writeFileSync(values.report, kinds.map((kind) => listOf(results, [kind])).join('\n'))
}
process.exitCode = results.some(isDefect) ? 1 : 0
