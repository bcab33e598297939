import { describe, expect, it } from 'vitest'
import type { Statement } from '../ast-statement.ts'
import { OPERATORS_IN_ROW_MAX } from '../cursor.ts'
import { LineTable } from '../source.ts'
import { parse } from './parse.ts'

function bodyOf(body: string): readonly Statement[] {
  const { script, problems } = parse(`CREATE QUERY q() { ${body} }`)
  expect(problems).toEqual([])
  return script.queries[0]!.body
}

/** The first statement's value, as operators and names in prefix form. */
function shape(expression: string): string {
  const [statement] = bodyOf(`x = ${expression};`)
  return JSON.stringify(statement, (key, value) => (key === 'range' ? undefined : value))
    .replaceAll('"', '')
    .replace(/.*value:/, '')
}

function fromOf(pattern: string) {
  const [statement] = bodyOf(`R = SELECT s FROM ${pattern};`)
  if (statement?.kind !== 'assign' || statement.value.kind !== 'select')
    throw new Error('no SELECT')
  return statement.value.patterns
}

describe('parse', () => {
  it('binds bit operators tighter than comparisons and shifts looser than sums', () => {
    expect(shape('2 + 80 >> 4')).toContain('binary,operator:>>,left:{kind:binary,operator:+')
    expect(shape('a & 1 == 1')).toContain('operator:==,left:{kind:binary,operator:&')
  })

  it('reads ELSE IF as a chain when the ENDs say so', () => {
    const [statement] = bodyOf('IF a THEN x = 1; ELSE IF b THEN x = 2; ELSE x = 3; END;')
    expect(statement).toMatchObject({ kind: 'if', branches: [{}, {}], otherwise: [{}] })
  })

  it('reads ELSE IF as an IF of its own when it has its own END', () => {
    const [statement] = bodyOf('IF a THEN x = 1; ELSE IF b THEN x = 2; END; END;')
    expect(statement).toMatchObject({ kind: 'if', branches: [{}], otherwise: [{ kind: 'if' }] })
  })

  it('reads both kinds of ELSE IF in one query', () => {
    const body = bodyOf(
      'IF a THEN x = 1; ELSE IF b THEN x = 2; END; IF a THEN x = 1; ELSE IF b THEN x = 2; END; END;',
    )
    expect(body).toMatchObject([{ branches: [{}, {}] }, { branches: [{}] }])
  })

  it('tells V3 nodes from classic alternations', () => {
    expect(fromOf('(A|B):s -(E)- :t')[0]?.style).toBe('classic')
    expect(fromOf('(s:A|B)-[e:E]->(t)')[0]?.style).toBe('v3')
    expect(fromOf('(s)')[0]?.style).toBe('v3')
  })

  it.each([
    ['-[e:E]->', 'right'],
    ['<-[e:E]-', 'left'],
    ['<-[e:E]->', 'both'],
    ['-[e:E]-', 'any'],
    ['~[e:E]~', 'undirected'],
    ['<~[e:E]~', 'leftOrUndirected'],
    ['~[e:E]~>', 'rightOrUndirected'],
    ['- [e:E] - >', 'right'],
    ['-->', 'right'],
    ['--', 'any'],
  ])('reads the V3 arrow %s as %s', (arrow, direction) => {
    expect(fromOf(`(s)${arrow}(t)`)[0]?.edges[0]?.type).toMatchObject({ kind: 'atom', direction })
  })

  it.each([
    ['E', { kind: 'atom', direction: 'none' }],
    ['E>', { direction: 'right' }],
    ['<E', { direction: 'left' }],
    ['(A|B)>', { kind: 'alternatives', items: [{ direction: 'right' }, { direction: 'right' }] }],
    ['A>.<B', { kind: 'sequence' }],
    ['A>*', { kind: 'repeat', min: 0, max: null }],
    ['A>*2', { min: 2, max: 2 }],
    ['A*..3>', { min: 0, max: 3, item: { direction: 'right' } }],
  ])('reads the edge -(%s)-', (edge, expected) => {
    expect(fromOf(`S:s -(${edge})- T:t`)[0]?.edges[0]?.type).toMatchObject(expected)
  })

  it('keeps the text of PRINT items without white space', () => {
    const [statement] = bodyOf('PRINT A.size() > 10, "a b", S[S.x AS y];')
    if (statement?.kind !== 'print') throw new Error('no PRINT')
    expect(statement.items.map(({ text }) => text)).toEqual(['A.size()>10', '"a b"', 'S[S.xASy]'])
  })

  it('allows clause words as names where something is assigned or read', () => {
    expect(bodyOf('log = 1; count = 2; FOREACH x IN s DO file.println(x); END;')).toHaveLength(3)
  })

  it('refuses PRINT inside ACCUM', () => {
    const { problems } = parse('CREATE QUERY q() { R = SELECT s FROM S:s ACCUM PRINT s; }')
    expect(problems[0]?.message).toBe('PRINT is not allowed inside ACCUM or POST-ACCUM')
  })

  it('takes a row of operators at the limit and refuses one past it', () => {
    const row = (count: number) =>
      parse(`CREATE QUERY q() { x = 1${' + 1'.repeat(count)}; }`).problems
    expect(row(OPERATORS_IN_ROW_MAX)).toEqual([])
    expect(row(OPERATORS_IN_ROW_MAX + 1)[0]?.message).toContain('operators in a row')
  })

  it('refuses expressions nested too deep instead of overflowing the stack', () => {
    const { problems } = parse(`CREATE QUERY q() { x = ${'('.repeat(5000)}1; }`)
    expect(problems[0]?.message).toContain('nested deeper than')
  })
})

const failures: readonly [source: string, places: readonly string[]][] = [
  ['CREATE QUERY q() {\n  x = ;\n}', ["2:7 mismatched input ';'"]],
  [
    'CREATE QUERY q() {\n x = 1 +;\n y = 2;\n z = * 3;\n}',
    ["2:9 mismatched input ';'", "4:6 mismatched input '*'"],
  ],
  [
    'CREATE QUERY q() { S = SELECT s FORM S:s; }',
    ['1:33 mismatched input \'FORM\' expecting FROM; did you mean "FROM"?'],
  ],
  ['CREATE QUERY q( { }', ["1:17 mismatched input '{'"]],
  ['CREATE QUERY q() { x = 1;', ["1:26 mismatched input '<EOF>' expecting"]],
  ['CREATE QUERY q() { WHILE a LIMIT 3 x = 1; END; }', ["1:36 mismatched input 'x' expecting {"]],
  ['CREATE QUERY q() { S = SELECT s FROM S:s WHERE; }', ["1:47 mismatched input ';'"]],
  [
    'CREATE QUERY q() {\n x = 1\n PRINT x;\n y = 2\n @@z += 3;\n}',
    ["3:2 missing ';' before 'PRINT': mismatched", "5:2 missing ';' before '@@z': mismatched"],
  ],
  [
    'CREATE QUERY q() {\n S = SELECT s FROM S:s\n FOO s;\n x = 1 y = 2;\n}',
    ["3:2 mismatched input 'FOO'", "4:8 mismatched input 'y'"],
  ],
  [
    'CREATE QUERY q() {\n S = SELECT s FROM S:s\n ACCUM @@a += 1\n @@b += 2;\n PRINT S\n PRINT S;\n}',
    ["4:2 mismatched input '@@b'", "6:2 missing ';' before 'PRINT'"],
  ],
  ['hello', ["1:1 mismatched input 'hello'"]],
]

describe('syntax problems', () => {
  it('suggest no word for one that is spelled right', () => {
    const { problems } = parse('CREATE QUERY q() { x = SELECT.y; }')
    expect(problems[0]?.message).toContain("mismatched input 'SELECT'")
    expect(problems[0]?.message).not.toContain('did you mean')
  })

  it.each(failures)('of %j are reported at their places', (source, places) => {
    const lines = new LineTable(source)
    const found = parse(source).problems.map(({ message, range }) => {
      const { line, column } = lines.placeOf(range.start)
      return `${line}:${column} ${message}`
    })
    expect(found).toHaveLength(places.length)
    found.forEach((text, index) => {
      expect(text).toContain(places[index])
    })
  })
})
