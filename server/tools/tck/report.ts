/** What the scenarios came to, as text. */
import type { Scenario } from './features.ts'
import type { Outcome } from './run-scenario.ts'

export interface Result {
  readonly scenario: Scenario
  readonly outcome: Outcome
}

const columns = [
  'pass',
  'refused',
  'failed',
  'broken',
  'wrong',
  'warned',
  'not raised',
  'skipped',
] as const

export function summaryOf(results: readonly Result[]): string {
  const groups = Map.groupBy(results, ({ scenario }) => scenario.group)
  const rows = [...groups].map(([group, ofGroup]) => [group, ...countsOf(ofGroup)])
  const asked = results.filter(({ outcome }) => outcome.kind !== 'skipped')
  const isError = ({ scenario }: Result) => scenario.expected.kind === 'error'
  const errors = asked.filter(isError)
  const answers = asked.filter((result) => !isError(result))
  return [
    ...aligned([['group', ...columns], ...rows, ['all', ...countsOf(results)]]),
    '',
    `${results.length} scenarios, ${asked.length} of them asked: ${share(asked)}`,
    `with an answer: ${share(answers)}; with an error: ${share(errors)}`,
    '',
    'Skipped, by what is missing:',
    ...causes(results, 'skipped', ({ outcome }) => generalised(outcome.message)),
    '',
    'Refused, by message:',
    ...causes(results, 'refused', ({ outcome }) =>
      generalised(outcome.message.replace(/^\S+ \S+ /, '')),
    ),
  ].join('\n')
}

/** The scenarios of some outcomes, with what was asked, expected and found. */
export function listOf(results: readonly Result[], kinds: readonly Outcome['kind'][]): string {
  return results
    .filter(({ outcome }) => kinds.includes(outcome.kind))
    .map(({ scenario, outcome }) => entryOf(scenario, outcome))
    .join('\n')
}

function entryOf({ group, name, setup, query, expected }: Scenario, outcome: Outcome): string {
  const wanted =
    expected.kind === 'error'
      ? [`error at ${expected.phase}: ${expected.detail}`]
      : [expected.columns, ...expected.rows].map((row) => `| ${row.join(' | ')} |`)
  const indented = (lines: readonly string[]) => lines.map((line) => `    ${line}`).join('\n')
  return [
    `${outcome.kind}: ${group} ${name}`,
    ...setup.map((text) => `  given\n${indented(text.split('\n'))}`),
    indented(query.split('\n')),
    `  expected\n${indented(wanted)}`,
    `  found\n${indented([outcome.message.slice(0, 2000)])}`,
    '',
  ].join('\n')
}

function share(results: readonly Result[]): string {
  const passed = results.filter(({ outcome }) => outcome.kind === 'pass').length
  return `${passed} of ${results.length} pass`
}

function countsOf(results: readonly Result[]): string[] {
  return columns.map((kind) => {
    const count = results.filter(({ outcome }) => outcome.kind === kind).length
    return count === 0 ? '-' : String(count)
  })
}

function causes(
  results: readonly Result[],
  kind: Outcome['kind'],
  causeOf: (result: Result) => string,
): string[] {
  const found = Map.groupBy(
    results.filter(({ outcome }) => outcome.kind === kind),
    causeOf,
  )
  return [...found]
    .toSorted(([, left], [, right]) => right.length - left.length)
    .map(([cause, ofCause]) => `  ${String(ofCause.length).padStart(5)}  ${cause}`)
}

/** Without the names and numbers of one scenario. */
function generalised(message: string): string {
  return message
    .split('\n')[0]!
    .replace(/"[^"]*"|'[^']*'/g, '"…"')
    .replace(/: \w+\.\w+$/, '')
    .slice(0, 140)
}

function aligned(rows: readonly (readonly string[])[]): string[] {
  const widths = rows[0]!.map((_, place) => Math.max(...rows.map((row) => row[place]!.length)))
  return rows.map((row) =>
    row
      .map((cell, place) => (place === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[place]!)))
      .join('  '),
  )
}
