/** The tables under "Coverage" of docs/reference/gsql/opencypher.md: what is refused is, and the other answers are as stated. */
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { GraphEngine } from '#graph/engine.ts'
import { compileFrontEnd } from '#query/bind/compile.ts'
import { compileQuery } from '#query/workers/plan.ts'
import { QueryRunner } from '../fixtures/query-runner.ts'
import { socialEngine } from '../fixtures/social-data.ts'

const page = readFileSync(
  new URL('../../../docs/reference/gsql/opencypher.md', import.meta.url),
  'utf8',
)

/** The cells of the rows of the table below a heading. */
function tableBelow(heading: string): string[][] {
  const [, section = ''] = page.split(`### ${heading}\n`)
  const lines = section.split(/\n#/)[0]!.split('\n')
  const rows = lines.filter((line) => line.startsWith('|')).slice(2)
  return rows.map((row) =>
    row
      .split(/(?<!\\)\|/)
      .slice(1, -1)
      .map((cell) => cell.trim().replaceAll('\\|', '|')),
  )
}

const codeOf = (cell: string) => cell.replace(/^`(.*)`$/, '$1')

let engine: GraphEngine
beforeAll(async () => {
  engine = await socialEngine()
})
afterAll(async () => {
  await engine.close()
})

function compiled(clauses: string) {
  const text = `INTERPRET OPENCYPHER QUERY () FOR GRAPH social {\n${clauses}\n}`
  return compileFrontEnd(text, engine.catalog, 'social')
}

describe('what openCypher has and is not available', () => {
  it.each(tableBelow('What is not available'))('%s', (_construct, example) => {
    const { diagnostics } = compiled(codeOf(example!))
    const errors = diagnostics.filter(({ severity }) => severity === 'error')
    expect(errors.map(({ message }) => message)).not.toEqual([])
    // A list of the tokens that might follow says nothing of the construct.
    expect(errors[0]!.message).not.toMatch(/expecting|token recognition/)
  })
})

describe('an answer that differs from that of openCypher', () => {
  it.each(tableBelow('Answers that differ'))('%s', (query, here) => {
    const { queries } = compiled(codeOf(query!))
    const runner = new QueryRunner(engine.catalog, engine)
    const json = runner.execute(compileQuery(queries[0]!, engine.catalog))
    expect(json.replace(/^\[\{"T[_\d]*":(.*)\}\]$/, '$1')).toBe(codeOf(here!))
  })
})

it('has rows in both tables', () => {
  expect(tableBelow('What is not available').length).toBeGreaterThan(20)
  expect(tableBelow('Answers that differ').length).toBeGreaterThan(3)
})
