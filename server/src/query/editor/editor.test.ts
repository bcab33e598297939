import { describe, expect, it } from 'vitest'
import { tinySocial } from '../../../test/fixtures/tiny-social.ts'
import { complete, diagnose, hover } from './editor.ts'

const context = { catalog: tinySocial, graph: 'social' }

/** Labels offered at the `|` of a query body. */
function offered(body: string): string[] {
  const marked = `CREATE QUERY q(VERTEX<City> home, INT depth) {\n${body}\n}`
  const offset = marked.indexOf('|')
  const found = complete(marked.replace('|', ''), offset, context)
  return found?.options.map(({ label }) => label) ?? []
}

function hovered(body: string): string | undefined {
  const marked = `CREATE QUERY q(VERTEX<City> home, INT depth) {\n${body}\n}`
  const offset = marked.indexOf('|')
  return hover(marked.replace('|', ''), offset, context)?.text
}

describe('completion', () => {
  it('offers the attributes of the types an alias can have', () => {
    const labels = offered('R = SELECT t FROM Person:s -(Lives>)- :t WHERE t.|')
    expect(labels).toEqual(['name', 'population', 'area', 'emb', 'type', 'outdegree'])
  })

  it('offers edge attributes', () => {
    expect(offered('R = SELECT s FROM Person:s -(Follows>:e)- :t WHERE e.we| > 1;')).toEqual([
      'weight',
      'type',
    ])
  })

  it('offers edge types that connect the ends of the hop', () => {
    expect(offered('R = SELECT s FROM City:s -(L|>)- :t;')).toEqual(['Lives', 'Likes'])
    expect(offered('R = SELECT s FROM Person:s -(|)- City:t;')).toEqual(['Lives', 'Likes'])
  })

  it('offers types, sets and parameters at vertex positions', () => {
    const labels = offered('Start = {Person.*}; R = SELECT s FROM |')
    expect(labels).toEqual(expect.arrayContaining(['Start', 'home', 'Person', 'City', 'Post']))
  })

  it('offers accumulators by their marks', () => {
    const declared = 'SumAccum<INT> @count, @@total, @@other;'
    expect(offered(`${declared} PRINT @@t|`)).toEqual(['@@total', '@@other'])
    expect(offered(`${declared} R = SELECT s FROM Person:s ACCUM s.@|`)).toEqual(['@count'])
  })

  it('offers the methods of an accumulator, mutators in statements', () => {
    expect(offered('MapAccum<STRING, INT> @@m; PRINT @@m.|')).toEqual(
      expect.arrayContaining(['size', 'get', 'containsKey']),
    )
    expect(offered('MapAccum<STRING, INT> @@m; @@m.|')).toEqual(
      expect.arrayContaining(['clear', 'remove']),
    )
  })

  it('offers names, functions and keywords in expressions', () => {
    const labels = offered('INT x; R = SELECT s FROM Person:s WHERE |')
    expect(labels).toEqual(expect.arrayContaining(['s', 'x', 'depth', 'home', 'sqrt', 'NOT']))
  })

  it('offers what has a fixed spelling where nothing parses', () => {
    expect(offered('IF IF |')).toEqual(
      expect.arrayContaining(['SELECT', 'SumAccum', 'Person', 'Knows']),
    )
  })

  it('offers nothing inside strings, comments and numbers', () => {
    expect(offered('PRINT "ab|c";')).toEqual([])
    expect(offered('# comm|ent')).toEqual([])
    expect(offered('PRINT 12|;')).toEqual([])
  })
})

describe('hover', () => {
  it('names the function that the manual explains, and nothing else', () => {
    const text = 'CREATE QUERY q(INT n) { PRINT TO_STRING(n), n; }'
    const at = (word: string) => hover(text, text.indexOf(word), context)
    expect(at('TO_STRING')?.topic).toBe('to_string')
    expect(at('n;')?.text).toBe('n: INT')
    expect(at('n;')).not.toHaveProperty('topic')
  })

  it('says what people say of a type and its attributes', () => {
    const [person, ...others] = tinySocial.vertexTypes
    const [first, ...rest] = person!.attributes
    const attributes = [{ ...first!, description: 'As on the card.' }, ...rest]
    const described = { ...person!, description: 'Anybody.', attributes }
    const catalog = { ...tinySocial, vertexTypes: [described, ...others] }
    const text = 'CREATE QUERY q() { S = {Person.*}; }'
    const said = hover(text, text.indexOf('Person'), { catalog, graph: 'social' })?.text ?? ''
    const [name, description, attribute] = said.split('\n')
    expect([name, description]).toEqual(['vertex Person', 'Anybody.'])
    expect(attribute).toBe(`  ${first!.name} ${first!.type.kind}: As on the card.`)
  })

  it('shows types of names, attributes and accumulators', () => {
    expect(hovered('PRINT de|pth;')).toBe('depth: INT')
    expect(hovered('R = SELECT s FROM Person:s WHERE s.a|ge > 1;')).toBe('s.age: INT')
    expect(hovered('SetAccum<VERTEX<City>> @@c; PRINT @@|c;')).toBe('@@c: SET<VERTEX<City>>')
  })

  it('shows the signature of a function', () => {
    expect(hovered('PRINT sub|str("abc", 1);')).toContain('substr(string, int[, int]): STRING')
  })

  it('describes vertex and edge types', () => {
    expect(hovered('S = {Ci|ty.*};')).toBe(
      'vertex City\n  name STRING\n  population UINT\n  area FLOAT',
    )
    expect(hovered('R = SELECT s FROM Person:s -(Li|ves)- :t;')).toContain(
      'directed edge Lives (Person -> City)',
    )
  })

  it('is silent elsewhere', () => {
    expect(hovered('PRI|NT 1;')).toBeUndefined()
  })
})

describe('diagnose', () => {
  it('knows the queries that can be called', () => {
    const text = 'CREATE QUERY q() { PRINT twice(2) AS four; }'
    const queryText = (name: string) =>
      name === 'twice' ? 'CREATE QUERY twice(INT n) RETURNS (INT) { RETURN 2 * n; }' : null
    expect(diagnose(text, { ...context, queryText })).toEqual([])
    expect(diagnose(text, context)).toMatchObject([{ severity: 'error', code: 'SEM-45' }])
  })

  it('gives offsets of what is wrong', () => {
    const text = 'CREATE QUERY q() { PRINT y; }'
    expect(diagnose(text, context)).toEqual([
      { from: 25, to: 26, severity: 'error', code: 'SEM-9001', message: '"y" is not declared' },
    ])
  })
})
