/**
 * Golden queries over graphs of their own: differences that the fuzzer has found, made small. The
 * lines of a graph (`fuzz/graph-spec.ts`) hold for the cases below them, up to the next graph.
 * `QUIVER_GOLDEN=write` puts the answers into the files; such a run fails at its end.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { arrayElements, formatGolden, type GoldenCase, parseGolden } from '../queries/golden.ts'
import { emptyGraph, type GraphSpec, parseLines } from './fuzz/graph-spec.ts'
import { openGraph } from './fuzz/open-graph.ts'
import { askedOracle, compare, type Given, prepare, runnerOf } from './fuzz/pair.ts'

const directory = join(import.meta.dirname, 'graphs')
const isWriting = process.env['QUIVER_GOLDEN'] === 'write'

interface GraphCase extends GoldenCase {
  readonly graph: GraphSpec
}

function casesOf(text: string): GraphCase[] {
  let graph = emptyGraph
  return parseGolden(text).map((golden) => {
    graph = parseLines(golden.kept) ?? graph
    return { ...golden, graph }
  })
}

function textOf(query: string): string {
  if (query.startsWith('OPENCYPHER')) return `INTERPRET ${query}`
  return query.startsWith('(') ? `INTERPRET QUERY ${query}` : `INTERPRET QUERY () { ${query} }`
}

function linesOf(given: Given): string[] {
  return given.kind === 'answer' ? arrayElements(given.results) : [`failed: ${given.message}`]
}

/** Each way to run it gives the same lines, and the oracle agrees. */
async function answerTo({ graph, query }: GraphCase): Promise<string[]> {
  const engine = await openGraph(graph)
  try {
    const text = textOf(query)
    const prepared = prepare(text, engine.catalog)
    if (!('plan' in prepared)) throw new Error(prepared.join('\n'))
    const of = () => engine
    const given = await runnerOf(of)(prepared)
    const inSegments = await runnerOf(of, { segmentItems: 1, usesIndexes: true })(prepared)
    expect(linesOf(inSegments)).toEqual(linesOf(given))
    expect(compare(askedOracle(text, engine.catalog, engine.view()), given)).toBe(null)
    await engine.rebuild()
    expect(linesOf(await runnerOf(of)(prepared)), 'after a rebuild').toEqual(linesOf(given))
    return linesOf(given)
  } finally {
    await engine.close()
  }
}

describe.each(readdirSync(directory))('%s', (file) => {
  const path = join(directory, file)
  const cases = casesOf(readFileSync(path, 'utf8'))
  const actual: (GoldenCase & { readonly actual: readonly string[] })[] = []

  it.each(cases.map((golden) => [golden.line, golden] as const))(
    'line %i',
    async (_line, golden) => {
      const lines = golden.query === '' ? [] : await answerTo(golden)
      actual.push({ ...golden, actual: lines })
      if (isWriting || golden.query === '') return
      expect(lines).toEqual(golden.expected)
      expect(golden.source).toBe('oracle')
    },
  )

  afterAll(() => {
    if (isWriting && actual.length === cases.length) writeFileSync(path, formatGolden(actual))
  })
})

it('counts only as a run that compares', () => {
  expect(isWriting, 'answers were written: look at the diff, then run again').toBe(false)
})
