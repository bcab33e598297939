/** Turns what was measured into the tables of `results.md`. */
import { gateLines } from './gates.ts'
import { median } from './median.ts'
import type { Measured } from './participant.ts'
import { type ContenderName, contenderKinds } from './registry.ts'
import { type RowName, rowKinds, rowNames, WARM_UP_ROUNDS } from './rows.ts'

export interface RunDescription {
  readonly scale: number
  readonly rounds: { readonly light: number; readonly heavy: number }
  readonly machine: string
  /** How fast it was, a sentence. */
  readonly speed: string
  /** Who did not take part, and why. */
  readonly leftOut: ReadonlyMap<ContenderName, string>
}

export function report(measured: readonly Measured[], run: RunDescription): string {
  const { light, heavy } = run.rounds
  const lines = [
    `## Scale ${run.scale}`,
    '',
    `Medians of ${light} interleaved rounds (${heavy} where it loads or restarts). ${run.machine}.`,
    'From the filtered sum to the triangles each row is asked three times a round, of which the fastest counts,',
    `after ${WARM_UP_ROUNDS} rounds that do not count, for ours, the loop and graphology: what is compiled while it runs.`,
    run.speed,
    "A ratio is the contender's figure over ours: above 1, ours is faster or smaller. Made by `npm run bench`.",
    '',
    ...table(measured),
    '',
    ...sizes(measured),
    '',
    ...extras(measured),
    '',
    ...gateLines(measured),
    '',
    ...[...run.leftOut].map(([name, why]) => `LEFT OUT: ${contenderKinds[name].title}: ${why}.`),
  ]
  return `${lines.join('\n').trimEnd()}\n`
}

/** One text per name on which contenders differ; none when all agree. */
export function disagreement(measured: readonly Measured[], row: RowName): string[] {
  return [...answersByName(measured, row)]
    .filter(([, values]) => values.size > 1)
    .map(([name, values]) => {
      const sides = [...values].map(([value, contenders]) => `${value} (${contenders.join(', ')})`)
      return `${name} DIFFERS: ${sides.join(' / ')}`
    })
}

function table(measured: readonly Measured[]): string[] {
  const { ours, others } = sides(measured)
  const rows = rowNames.map((row) => {
    const base = ours === undefined ? null : median(ours.rows.get(row) ?? [])
    const cells = others.map((contender) => cell(median(contender.rows.get(row) ?? []), base, time))
    const columns = [
      rowKinds[row].title,
      cell(base, null, time),
      ...cells,
      agreement(measured, row),
    ]
    return `| ${columns.join(' | ')} |`
  })
  return [head('row', others, ['answers']), ...rows]
}

function sizes(measured: readonly Measured[]): string[] {
  const { ours, others } = sides(
    measured.filter(({ name, load }) => load.seconds !== null || name === 'quiver'),
  )
  const figures: readonly (readonly [string, (of: Measured) => number | null, Format])[] = [
    ['first load, the way the contender offers', ({ load }) => load.seconds, time],
    ['resident memory', ({ load }) => load.memoryBytes, mebibytes],
    ['disk', ({ load }) => load.diskBytes, mebibytes],
  ]
  const rows = figures.map(([title, figure, format]) => {
    const base = ours === undefined ? null : figure(ours)
    const cells = others.map((contender) => cell(figure(contender), base, format))
    return `| ${[title, cell(base, null, format), ...cells].join(' | ')} |`
  })
  return [head('size', others), ...rows]
}

function extras(measured: readonly Measured[]): string[] {
  const rows = measured.flatMap(({ name, load }) =>
    Object.entries(load.extra ?? {}).map(([title, value]) => `| ${name}: ${title} | ${value} |`),
  )
  return rows.length === 0 ? [] : ['| figure | value |', '|---|---|', ...rows]
}

function sides(measured: readonly Measured[]) {
  const ours = measured.find(({ name }) => name === 'quiver')
  return { ours, others: measured.filter((contender) => contender !== ours) }
}

function head(first: string, others: readonly Measured[], last: readonly string[] = []): string {
  const titles = [first, 'quiver', ...others.map(({ name }) => contenderKinds[name].title), ...last]
  return `| ${titles.join(' | ')} |\n|${'---|'.repeat(titles.length)}`
}

type Format = (value: number) => string

function cell(value: number | null, base: number | null, format: Format): string {
  if (value === null) return '–'
  return base === null ? format(value) : `${format(value)} (${(value / base).toPrecision(3)}×)`
}

function agreement(measured: readonly Measured[], row: RowName): string {
  const answers = answersByName(measured, row)
  if (answers.size === 0) return '–'
  const different = disagreement(measured, row)
  if (different.length > 0) return different.join('; ')
  return `agree: ${[...answers].map(([name, values]) => `${name} ${[...values.keys()][0]}`).join(', ')}`
}

/** For each name in the answers of a row: the values given, and by whom. */
function answersByName(
  measured: readonly Measured[],
  row: RowName,
): ReadonlyMap<string, ReadonlyMap<string, string[]>> {
  const answers = new Map<string, Map<string, string[]>>()
  for (const { name: contender, rows } of measured) {
    for (const { answer } of rows.get(row) ?? []) {
      for (const [name, value] of Object.entries(answer ?? {})) {
        const values = answers.get(name) ?? new Map<string, string[]>()
        const givers = values.get(String(value)) ?? []
        if (!givers.includes(contender)) givers.push(contender)
        answers.set(name, values.set(String(value), givers))
      }
    }
  }
  return answers
}

function time(seconds: number): string {
  if (seconds >= 1) return `${seconds.toFixed(2)} s`
  if (seconds >= 0.001) return `${(seconds * 1000).toPrecision(3)} ms`
  return `${(seconds * 1_000_000).toPrecision(3)} µs`
}

function mebibytes(bytes: number): string {
  return `${(bytes / 1024 ** 2).toFixed(0)} MiB`
}
