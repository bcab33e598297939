import { renderToString } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { type Explanation, planRows } from '../model/plan.ts'
import { PlanDrawing } from './plan-drawing.tsx'

const step: Explanation['steps'][number] = {
  ...{ id: 0, line: 2, depth: 0, statement: 'SELECT', result: 'R', vectorSearches: [] },
  select: {
    start: {
      ...{ alias: 's', types: ['Person'], source: 'all', conditions: 2, indexes: [] },
      ...{ estimatedScan: 900, estimatedRows: 30 },
    },
    hops: [
      {
        ...{
          from: 's',
          to: 't',
          toTypes: ['City'],
          method: 'push',
          joins: false,
          backwards: false,
        },
        edges: [{ type: 'Lives', direction: 'out' }],
        ...{ repeat: null, conditions: 0, estimatedEdges: 60, estimatedRows: 60 },
      },
    ],
    ...{ accum: false, postAccum: 0, sorted: false, parallel: [], estimatedRows: 60 },
  },
}

const cost = { id: 0, executions: 2, timeMs: 1, rows: 1_800, edges: 99, threads: 1, kept: [41, 99] }

/** What the picture says, without its elements. */
function drawn(run: Explanation['run']): string {
  const rows = planRows({ graph: 'g', query: 'q', steps: [step], run })
  const picture = (
    <PlanDrawing
      {...{ label: 'Plan', rows, measured: run !== null, runningId: null, onLine: () => undefined }}
    />
  )
  return renderToString(picture)
    .replaceAll('<!-- -->', '')
    .replaceAll(/<[^>]*>/g, '|')
}

describe('a plan that is drawn', () => {
  it('says how many rows conditions are expected to keep', () => {
    const text = drawn(null)
    expect(text).toContain('|2 conditions, about 30|')
    expect(text).toContain('|about 60|')
    expect(text).not.toContain('kept')
  })

  it('says beside that how many all executions kept, once it was run', () => {
    const run = { rows: 1, edges: 1, elapsedMs: 1, peakMemoryBytes: 1, statements: [cost] }
    const text = drawn(run)
    expect(text).toContain('|2 conditions, about 60; 41 kept|')
    expect(text).toContain('|about 120; 99 kept|')
  })
})
