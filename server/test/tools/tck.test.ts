/**
 * Our own scenarios of openCypher (`server/test/opencypher`), in the form of the TCK and asked by its runner
 * (`server/tools/tck`): each passes. The last tests show what the runner calls a failure.
 */
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { readScenarios, type Scenario, scenariosOf } from '../../tools/tck/features.ts'
import { summaryOf } from '../../tools/tck/report.ts'
import { runScenario } from '../../tools/tck/run-scenario.ts'
import { parseValue } from '../../tools/tck/values.ts'

const folder = fileURLToPath(new URL('../opencypher', import.meta.url))

function noGraphs(): never {
  throw new Error('no graphs are named')
}

describe('our scenarios of openCypher', () => {
  for (const scenario of readScenarios(folder)) {
    it(scenario.name, async () => {
      const { kind, message } = await runScenario(scenario, noGraphs)
      expect(kind, message).toBe('pass')
    })
  }
})

/** A feature of one scenario with these steps. */
function scenarioOf(
  query: string,
  then: string,
  given = 'CREATE (:A {x: 1}), (:A {x: 2})',
): Scenario {
  const text = (body: string) => `      """\n      ${body}\n      """`
  return scenariosOf(
    [
      'Feature: F',
      '  Scenario: S',
      '    Given an empty graph',
      '    And having executed:',
      text(given),
      '    When executing query:',
      text(query),
      `    Then ${then}`,
    ].join('\n'),
    'clauses/match/F.feature',
  )[0]!
}

const rows = (...lines: string[]) =>
  ['the result should be, in order:', ...lines.map((line) => `| ${line} |`)].join('\n      ')

async function outcomeOf(...parts: Parameters<typeof scenarioOf>): Promise<string> {
  return (await runScenario(scenarioOf(...parts), noGraphs)).kind
}

describe('the runner of the TCK', () => {
  const query = 'MATCH (a:A) RETURN a.x AS x ORDER BY x'
  const error = 'a SyntaxError should be raised at compile time: UnexpectedSyntax'

  it('tells a right answer from wrong values, order and number of rows', async () => {
    expect(await outcomeOf(query, rows('x', '1', '2'))).toBe('pass')
    expect(await outcomeOf(query, rows('x', '1', '3'))).toBe('wrong')
    expect(await outcomeOf(query, rows('x', '2', '1'))).toBe('wrong')
    expect(await outcomeOf(query, rows('x', '1'))).toBe('wrong')
    expect(await outcomeOf(query, rows('x', '1', '2', '2'))).toBe('wrong')
    expect(await outcomeOf('RETURN 1 AS x', rows('x', "'1'"))).toBe('wrong')
    expect(await outcomeOf('RETURN 1 AS x', rows('x', 'null'))).toBe('wrong')
  })

  it('tells an answer from an error, and a refusal from what cannot be asked', async () => {
    expect(await outcomeOf(query, error)).toBe('not raised')
    expect(await outcomeOf('RETURN missing', error)).toBe('pass')
    expect(await outcomeOf('RETURN missing', rows('x', '1'))).toBe('refused')
    expect(await outcomeOf('RETURN 1 / 0 AS x', rows('x', '1'))).toBe('failed')
    expect(await outcomeOf('MERGE (a:A) RETURN a', rows('a', '(:A)'))).toBe('skipped')
    expect(await outcomeOf('RETURN date() AS x', rows('x', '1'))).toBe('skipped')
    expect(await outcomeOf(query, rows('x', '1'), 'CREATE (:A {x: 1}), (:A)')).toBe('skipped')
  })

  it('tells a wrong answer with a warning of the difference from one without', async () => {
    expect(await outcomeOf("RETURN 1 = 'a' AS x", rows('x', 'false'))).toBe('pass')
    expect(await outcomeOf("RETURN 1 = 'a' AS x", rows('x', 'true'))).toBe('warned')
    expect(await outcomeOf('RETURN 1.5 = 2.5 AS x', rows('x', 'true'))).toBe('wrong')
  })

  it('finds nodes by labels and properties, relationships by type and properties', async () => {
    const given = "CREATE (:A {x: 1})-[:T {y: 0.5}]->(:B {s: 'b'})"
    const match = 'MATCH (a)-[r]->(b) RETURN a, r, b'
    const answer = (line: string) => outcomeOf(match, rows('a | r | b', line), given)
    expect(await answer("(:A {x: 1}) | [:T {y: 0.5}] | (:B {s: 'b'})")).toBe('pass')
    expect(await answer("(:A {x: 2}) | [:T {y: 0.5}] | (:B {s: 'b'})")).toBe('wrong')
    expect(await answer("(:A) | [:T {y: 0.5}] | (:B {s: 'b'})")).toBe('wrong')
    expect(await answer("(:A {x: 1}) | [:T] | (:B {s: 'b'})")).toBe('wrong')
    expect(await answer("(:A {x: 1}) | [:U {y: 0.5}] | (:B {s: 'b'})")).toBe('wrong')
    expect(await answer("(:A {x: 1}) | [:T {y: 0.5}] | (:C {s: 'b'})")).toBe('wrong')
  })

  it('keeps parallel relationships apart', async () => {
    const given = 'CREATE (a:A), (b:B), (a)-[:T]->(b), (a)-[:T]->(b)'
    const count = 'MATCH (:A)-[r:T]->() RETURN count(r) AS n'
    expect(await outcomeOf(count, rows('n', '2'), given)).toBe('pass')
    const one = 'MATCH (:A)-[r:T]->() RETURN r, 1 AS n'
    expect(await outcomeOf(one, rows('r | n', '[:T] | 1', '[:T] | 1'), given)).toBe('pass')
  })

  it('counts by group', async () => {
    const scenario = scenarioOf(query, rows('x', '1', '2'))
    const outcome = await runScenario(scenario, noGraphs)
    const summary = summaryOf([{ scenario, outcome }])
    expect(summary).toMatch(/^clauses\/match +1 +- /m)
    expect(summary).toContain('1 scenarios, 1 of them asked: 1 of 1 pass')
  })

  it('reads values as the TCK writes them', () => {
    expect(parseValue("[1, -2.5, 'it\\'s', null, {a: true}]")).toEqual({
      kind: 'list',
      items: [
        { kind: 'int', value: 1n },
        { kind: 'float', value: -2.5 },
        { kind: 'string', value: "it's" },
        { kind: 'null' },
        { kind: 'map', members: new Map([['a', { kind: 'bool', value: true }]]) },
      ],
    })
    expect(parseValue('(:A:B {x: []})')).toEqual({
      kind: 'node',
      labels: ['A', 'B'],
      properties: new Map([['x', { kind: 'list', items: [] }]]),
    })
    expect(() => parseValue('1 2')).toThrow('no value of the TCK')
  })
})
