/** Turns what was measured into the table of `results.md`. */
import type { RowName } from './contender.ts'
import type { Measured } from './run.ts'

export interface RunDescription {
  readonly scale: number
  readonly rounds: number
  readonly machine: string
}

const titles: Readonly<Record<RowName, string>> = {
  lookup: 'one vertex by id (ours over HTTP, 32 connections)',
  hop1: 'edges of a vertex with attributes (ours over HTTP)',
  hop2count: '2-hop distinct count, per seed',
  hop3count: '3-hop distinct count, per seed',
  filteredSum: 'filtered sum over all edges',
  pagerank10: 'PageRank, 10 iterations',
  insertEdge: 'one durable edge, one client',
}

export function report(measured: readonly Measured[], run: RunDescription): string {
  const lines = [
    `# Bench results`,
    '',
    `Scale ${run.scale}, ${run.rounds} interleaved rounds, medians. ${run.machine}.`,
    "A ratio is the contender's time over ours: above 1, ours is faster. Made by `npm run bench`.",
    '',
    ...table(measured),
    '',
    ...loads(measured),
    '',
  ]
  return `${lines.join('\n')}\n`
}

function table(measured: readonly Measured[]): string[] {
  const ours = measured.find(({ name }) => name === 'quiver')
  const others = measured.filter((contender) => contender !== ours)
  const rows = (Object.keys(titles) as RowName[]).map((row) => {
    const base = ours === undefined ? null : median(ours, row)
    const cells = others.map((contender) => {
      const value = median(contender, row)
      if (value === null) return '–'
      return base === null ? time(value) : `${time(value)} (${(value / base).toPrecision(3)}×)`
    })
    return `| ${titles[row]} | ${base === null ? '–' : time(base)} | ${cells.join(' | ')} | ${agreement(measured, row)} |`
  })
  const names = others.map(({ name }) => name)
  return [
    `| row | quiver | ${names.join(' | ')} | answers |`,
    `|---|---|${names.map(() => '---|').join('')}---|`,
    ...rows,
  ]
}

function loads(measured: readonly Measured[]): string[] {
  const rows = measured
    .filter(({ load }) => load.seconds > 0)
    .map(({ name, load }) => {
      const disk = load.diskBytes === null ? '–' : mebibytes(load.diskBytes)
      const kind = load.durable ? 'durable' : 'not durable'
      return `| ${name} | ${load.seconds.toFixed(1)} s, ${kind} | ${mebibytes(load.memoryBytes)} | ${disk} |`
    })
  const extras = measured.flatMap(({ name, load }) =>
    Object.entries(load.extra ?? {}).map(([title, value]) => `| ${name}: ${title} | ${value} |`),
  )
  return [
    '| load | time | resident memory | disk |',
    '|---|---|---|---|',
    ...rows,
    '',
    '| figure | value |',
    '|---|---|',
    ...extras,
  ]
}

function agreement(measured: readonly Measured[], row: RowName): string {
  const answers = new Map<string, string[]>()
  for (const { name, rows } of measured) {
    const answer = rows.get(row)?.[0]?.answer
    if (answer === undefined) continue
    answers.set(String(answer), [...(answers.get(String(answer)) ?? []), name])
  }
  if (answers.size === 0) return '–'
  if (answers.size === 1) return `agree: ${[...answers.keys()][0]}`
  return [...answers].map(([answer, names]) => `${names.join(', ')}: ${answer}`).join('; ')
}

function median(contender: Measured, row: RowName): number | null {
  const values = (contender.rows.get(row) ?? []).map(({ seconds }) => seconds).sort((a, b) => a - b)
  return values[Math.floor(values.length / 2)] ?? null
}

function time(seconds: number): string {
  if (seconds >= 1) return `${seconds.toFixed(2)} s`
  if (seconds >= 0.001) return `${(seconds * 1000).toPrecision(3)} ms`
  return `${(seconds * 1_000_000).toPrecision(3)} µs`
}

function mebibytes(bytes: number): string {
  return `${(bytes / 1024 ** 2).toFixed(0)} MiB`
}
