import { describe, expect, it } from 'vitest'
import {
  arrowsOf,
  declarationCount,
  type Explanation,
  type Hop,
  hopWords,
  misjudged,
  type PlanStep,
  parallelWords,
  planRows,
  repeatWords,
  searchWords,
  sourceWords,
  stepOfLine,
} from './plan.ts'

const all = {
  alias: 's',
  types: ['A'],
  source: 'all',
  indexes: [],
  conditions: 0,
  estimatedScan: 300,
  estimatedRows: 1,
}

const hop: Hop = {
  from: 's',
  to: 't',
  toTypes: ['Account'],
  edges: [{ type: 'Transfer', direction: 'out' }],
  method: 'push',
  joins: false,
  backwards: false,
  repeat: null,
  conditions: 0,
  estimatedEdges: 5_000,
  estimatedRows: 5_000,
}

function step(id: number, line: number, hops: readonly Hop[] | null): PlanStep {
  const start = { ...all, types: ['Account'], estimatedRows: 100 }
  const select =
    hops === null
      ? null
      : { start, hops, accum: false, postAccum: 0, sorted: false, parallel: [], estimatedRows: 100 }
  return { id, line, depth: 0, statement: 'SELECT', result: 'R', select, vectorSearches: [] }
}

const steps = [step(0, 2, null), step(1, 3, [hop]), step(2, 3, null), step(3, 9, [hop])]

function explained(statements: NonNullable<Explanation['run']>['statements'] | null): Explanation {
  const run =
    statements === null
      ? null
      : { rows: 1, edges: 1, elapsedMs: 10, peakMemoryBytes: 0, statements }
  return { graph: 'g', query: 'q', steps, run }
}

const cost = (id: number, timeMs: number, edges: number, executions = 1) => ({
  id,
  executions,
  timeMs,
  rows: 7,
  edges,
  threads: 1,
  kept: [],
})

describe('planRows', () => {
  it('have no cost before a run, and what one execution is expected to read', () => {
    const rows = planRows(explained(null))
    expect(rows.map((row) => row.cost)).toEqual([null, null, null, null])
    expect(rows.map((row) => row.expectedEdges)).toEqual([null, 5_000, null, 5_000])
    expect(rows.map((row) => row.expectedRows)).toEqual([null, 300, null, 300])
  })

  it('have after a run what each step cost, its part of the whole, and nothing where it never was', () => {
    const rows = planRows(explained([cost(0, 1, 0), cost(1, 3, 15_000, 3)]))
    expect(rows.map((row) => row.cost?.timeShare)).toEqual([0.25, 0.75, undefined, undefined])
    expect(rows[1]).toMatchObject({ expectedEdges: 15_000, expectedRows: 900 })
    expect(rows[3]?.cost).toBeNull()
  })

  it('divide no time by zero', () => {
    expect(planRows(explained([cost(0, 0, 0)]))[0]?.cost?.timeShare).toBe(0)
  })
})

describe('declarationCount', () => {
  it('counts what a query begins with, unless it is one alone', () => {
    const count = (...statements: readonly string[]) =>
      declarationCount(
        statements.map((statement, id) => ({
          step: { ...step(id, id, null), statement },
          cost: null,
          expectedEdges: null,
          expectedRows: null,
        })),
      )
    expect(count('DECLARE', 'SET', 'DECLARE', 'SELECT', 'SET', 'SET')).toBe(3)
    expect(count('DECLARE', 'SELECT')).toBe(0)
    expect(count('DECLARE', 'SET')).toBe(2)
  })
})

describe('misjudged', () => {
  const verdict = (edges: number) => misjudged(planRows(explained([cost(1, 1, edges)]))[1]!)

  it('tells an estimate from ten times off on', () => {
    expect([verdict(50_000), verdict(50_001), verdict(500), verdict(499)]).toEqual([
      null,
      'more',
      null,
      'fewer',
    ])
  })

  it('is silent without a run', () => {
    expect(misjudged(planRows(explained(null))[1]!)).toBeNull()
  })
})

describe('stepOfLine', () => {
  it('finds the first step of a line', () => {
    expect([stepOfLine(steps, 3), stepOfLine(steps, 4), stepOfLine(steps, undefined)]).toEqual([
      1,
      null,
      null,
    ])
  })
})

describe('the words of a plan', () => {
  it('say how often a hop is repeated', () => {
    expect(repeatWords(null)).toBeNull()
    expect(repeatWords({ min: 1, max: 1 })).toBe('1 time')
    expect(repeatWords({ min: 1, max: 3 })).toBe('1 to 3 times')
    expect(repeatWords({ min: 2, max: null })).toBe('2 times or more')
  })

  it('say where a SELECT starts', () => {
    expect(sourceWords(all)).toBe('every vertex of the type')
    expect(sourceWords({ ...all, types: ['A', 'B'] })).toBe('every vertex')
    expect(sourceWords({ ...all, source: 'Seeds' })).toBe('from Seeds')
    expect(sourceWords({ ...all, source: 'expression' })).toBe('from an expression')
    expect(sourceWords({ ...all, indexes: ['by_name'] })).toBe('found by the index by_name')
  })

  it('say what threads may share', () => {
    const select = step(0, 1, [])?.select
    expect(select).not.toBeNull()
    if (select === null) return
    expect(parallelWords(select)).toBe('')
    expect(parallelWords({ ...select, parallel: ['targets', 'vertices'] })).toBe(
      'threads may share its targets and POST-ACCUM by vertex',
    )
  })

  it('say how a hop is walked', () => {
    expect(hopWords({ ...hop, backwards: true, joins: true })).toBe(
      'from each vertex along its edges, against the way it is written, only to test that both ends meet',
    )
  })
})

describe('arrowsOf', () => {
  it('has an arrow at each end that some edge points to, and none for undirected edges', () => {
    const towards = (...directions: readonly string[]) =>
      arrowsOf({ ...hop, edges: directions.map((direction) => ({ type: 'E', direction })) })
    expect(towards('out')).toEqual({ left: false, right: true })
    expect(towards('in', 'out')).toEqual({ left: true, right: true })
    expect(towards('both')).toEqual({ left: false, right: false })
  })
})

it('says how vectors are searched', () => {
  const search = { attribute: 'Doc.emb', candidates: 12_000, width: null }
  expect(searchWords({ ...search, method: 'index', width: 128 })).toBe(
    'Doc.emb among 12,000, by its HNSW index',
  )
  expect(searchWords({ ...search, method: 'building' })).toContain('until its index is made')
  expect(searchWords({ ...search, method: 'scan' })).toBe('Doc.emb among 12,000, by looking at all')
})
