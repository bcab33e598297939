import { describe, expect, it } from 'vitest'
import { tinySocial } from '../../../test/fixtures/tiny-social.ts'
import { selectedRun } from './editor-selection.ts'

const context = { catalog: tinySocial, graph: 'social' }

/** What is run of a text with its selection between two `|`. */
function run(marked: string) {
  const start = marked.indexOf('|')
  const end = marked.indexOf('|', start + 1) - 1
  const text = marked.replaceAll('|', '')
  return { ...selectedRun(text, { start, end }, context), selected: text.slice(start, end) }
}

const QUERY = `CREATE QUERY top(INT least = 3, STRING name, VERTEX<City> home) {
  SumAccum<INT> @@count;
  |R = SELECT s FROM Person:s LIMIT least;
  PRINT R; // all|
  PRINT @@count;
}`

describe('a selection to run', () => {
  it('is sent as it is where it is a query', () => {
    for (const query of [
      'CREATE OR REPLACE QUERY b(INT n) { PRINT n; }',
      'INTERPRET QUERY (INT n) { PRINT n; }',
      'SELECT s FROM Person:s LIMIT 3;',
    ]) {
      const found = run(`CREATE QUERY a() { PRINT 1; }\n|${query}|\n`)
      expect(found).toMatchObject({ text: query, problems: [], message: '' })
      expect(found.parameters).toEqual(query.includes('INT n') ? ['n'] : [])
    }
  })

  it('is the body of an anonymous query else, with the parameters that it names', () => {
    const { text, selected, parameters, problems } = run(QUERY)
    expect(text).toBe(`INTERPRET QUERY (INT least = 3) { ${selected}\n}`)
    expect([parameters, problems]).toEqual([['least'], []])
  })

  it('keeps graph, syntax and language of the query it was taken from', () => {
    const gsql = run('CREATE QUERY a() FOR GRAPH social SYNTAX v2 {\n|PRINT 1;|\n}')
    expect(gsql.text).toBe('INTERPRET QUERY () FOR GRAPH social SYNTAX v2 { PRINT 1;\n}')
    const cypher = run(
      'CREATE OPENCYPHER QUERY a(STRING who) {\n|MATCH (p:Person) WHERE p.name = $who RETURN p.name|\n}',
    )
    expect(cypher.text).toMatch(/^INTERPRET OPENCYPHER QUERY \(STRING who\) \{ MATCH/)
    expect([cypher.parameters, cypher.problems]).toEqual([['who'], []])
  })

  it('tells what is wrong at its place in the whole text', () => {
    const text = 'CREATE QUERY a() {\n  SumAccum<INT> @@n;\n  |PRINT 1;\n  PRINT @@n;|\n}'
    const { problems, message } = run(text)
    const at = text.replaceAll('|', '').lastIndexOf('@@n')
    expect(problems).toMatchObject([{ from: at, to: at + 3, severity: 'error' }])
    expect(message).toContain('line 4, col 9')
    const open = run('CREATE QUERY a() {\n  |R = SELECT s FROM|\n  Person:s;\n}')
    expect(open.problems.length).toBeGreaterThan(0)
    expect(open.problems.every(({ from }) => from >= 21 && from <= 38)).toBe(true)
    expect(new Set(open.message.match(/line \d+/g))).toEqual(new Set(['line 2']))
  })

  it('judges a query by its own text, and statements as statements', () => {
    expect(run('|CREATE QUERY a() { PRINT nobody; }|').message).toContain('in query a')
    expect(run('|SELECT s FROM Persn:s;|').message).toContain('Persn')
    expect(run('|PRINT nobody;|').message).toContain('nobody')
    expect(run('|nonsense here|').problems).not.toEqual([])
  })

  it('asks which of several queries is meant', () => {
    const { message } = run('|CREATE QUERY a() { PRINT 1; }\nCREATE QUERY b() { PRINT 2; }|')
    expect(message).toContain('2 queries are selected')
  })
})
