/** The least that a run shall show, and what it did show. The gates hold for two quiet cores. */

import { median } from './median.ts'
import type { Measured } from './participant.ts'
import type { ContenderName } from './registry.ts'
import { type RowName, rowKinds } from './rows.ts'

interface Gate {
  readonly title: string
  readonly least: string
  readonly reached: (measured: readonly Measured[]) => string | null
}

/** A single search is as short as its request; of eight in a run it is the search that counts. */
const onTwo = [
  ...(['pagerank10', 'filteredSum', 'searches'] as const),
  ...(['components', 'shortestPaths', 'triangles'] as const),
] as const

const gates: readonly Gate[] = [
  {
    title: 'bulk upsert over HTTP, durable, 1,000 fresh edges a request',
    least: '≥ 300,000 edges/s',
    reached: perSecond('upsert1000'),
  },
  {
    title: 'single edges over HTTP, durable, 64 clients',
    least: '≥ 10,000/s',
    reached: perSecond('insertEdge64'),
  },
  {
    title: 'memory with 16 bytes of attributes, both directions, vertices and ids',
    least: '≤ 40 B/edge',
    reached: (measured) => measured.find(isOurs)?.load.extra?.['graph in memory'] ?? null,
  },
  {
    title: 'disk with the same',
    least: '≤ 25 B/edge',
    reached: (measured) => measured.find(isOurs)?.load.extra?.['graph on the disk'] ?? null,
  },
  {
    title: 'restart, of 16M edges at scale 20',
    least: '≤ 3 s',
    reached: (measured) =>
      secondsOf(measured, 'quiver', 'restart')?.toFixed(2).concat(' s') ?? null,
  },
  { title: 'point reads over HTTP', least: '≥ 30,000/s', reached: perSecond('lookup') },
  {
    title: 'compiled PageRank over the hand-written loop',
    least: '≤ 1.25 ×',
    reached: overOther('pagerank10', 'loop'),
  },
  {
    title: 'compiled PageRank over GAP on one thread',
    least: '≤ 2.2 ×',
    reached: overOther('pagerank10', 'gap'),
  },
  {
    title: 'compiled PageRank on two threads over GAP on two',
    least: '≤ 2.2 ×',
    reached: onTwoOverGap('pagerank10'),
  },
  {
    title: 'triangles over GAP on one thread',
    least: '≤ 1 ×',
    reached: overOther('triangles', 'gap'),
  },
  {
    title: 'triangles on two threads over GAP on two',
    least: '≤ 1 ×',
    reached: onTwoOverGap('triangles'),
  },
  { title: '3-hop counts over Kuzu', least: '≤ 0.25 ×', reached: overOther('hop3count', 'kuzu') },
  { title: '3-hop counts over igraph', least: '≤ 1 ×', reached: overOther('hop3count', 'igraph') },
  ...onTwo.map((row) => ({
    title: `two threads over one: ${rowKinds[row].title}`,
    least: '≥ 1.6 ×',
    reached: (measured: readonly Measured[]) =>
      times(secondsOf(measured, 'quiver', row), secondsOf(measured, 'quiver', `${row}On2`)),
  })),
  ...(['breadthFirst', 'searches', 'components', 'shortestPaths', 'triangles'] as const).map(
    (row) => ({
      title: `compiled over the hand-written loop: ${rowKinds[row].title}`,
      least: '≤ 1.25 ×',
      reached: overOther(row, 'loop'),
    }),
  ),
  { title: 'commits at 256 writers', least: '≥ 50,000/s', reached: perSecond('commit256') },
]

export function gateLines(measured: readonly Measured[]): string[] {
  const rows = gates.flatMap(({ title, least, reached }) => {
    const value = reached(measured)
    return value === null ? [] : [`| ${title} | ${least} | ${value} |`]
  })
  return rows.length === 0 ? [] : ['| gate | at least | reached |', '|---|---|---|', ...rows]
}

/** Our time on two threads over that of GAP on two. */
function onTwoOverGap(row: 'pagerank10' | 'triangles'): Gate['reached'] {
  return (measured) =>
    times(secondsOf(measured, 'quiver', `${row}On2`), secondsOf(measured, 'gap2', row))
}

function isOurs({ name }: Measured): boolean {
  return name === 'quiver'
}

function secondsOf(
  measured: readonly Measured[],
  name: ContenderName,
  row: RowName,
): number | null {
  const contender = measured.find((one) => one.name === name)
  return contender === undefined ? null : median(contender.rows.get(row) ?? [])
}

function perSecond(row: RowName): Gate['reached'] {
  return (measured) => {
    const seconds = secondsOf(measured, 'quiver', row)
    return seconds === null ? null : `${Math.round(1 / seconds).toLocaleString('en')}/s`
  }
}

function overOther(row: RowName, other: ContenderName): Gate['reached'] {
  return (measured) => {
    return times(secondsOf(measured, 'quiver', row), secondsOf(measured, other, row))
  }
}

function times(seconds: number | null, others: number | null): string | null {
  return seconds === null || others === null ? null : `${(seconds / others).toFixed(2)} ×`
}
