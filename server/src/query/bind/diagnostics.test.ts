import { describe, expect, it } from 'vitest'
import { tinySocial } from '../../../test/fixtures/tiny-social.ts'
import { compileFrontEnd } from './compile.ts'
import { DIAGNOSTICS_MAX } from './core/reports.ts'

function diagnosticsOf(source: string): string[] {
  return compileFrontEnd(source, tinySocial, 'social').diagnostics.map(
    ({ code, place, message }) => `${code} ${place.line}:${place.column} ${message}`,
  )
}

/** `body` alone, in a query without parameters, from line 2. */
function bodyDiagnostics(body: string): string[] {
  return diagnosticsOf(
    `CREATE QUERY q(INT n, VERTEX<Person> p, SET<STRING> names, STRING t) {\n${body}\n}`,
  )
}

/** Code, source, and what must be said where: the whole table is generated into tests. */
const table: readonly (readonly [code: string, body: string, ...expected: string[]])[] = [
  ['SEM-45', 'PRINT foo(1);', 'SEM-45 2:7 undefined function or tuple type "foo"'],
  ['SEM-45', 'PRINT sqr(1);', 'undefined function or tuple type "sqr"; did you mean "sqrt"?'],
  ['SEM-45', 'SumAccum<Foo> @@x;', 'SEM-45 2:10 no type "Foo"'],
  [
    'SEM-50',
    'R = SELECT t FROM Person:s -(Knows:e)- Person:t HAVING s.age > 1;',
    'SEM-50 2:56 alias "s" is not the selected one',
  ],
  [
    'SEM-50',
    'R = SELECT t FROM Person:s -(Knows:e)- Person:t ORDER BY e.since;',
    'SEM-50 2:58 alias "e" is not the selected one',
  ],
  [
    'TYP-158',
    'R = SELECT s FROM Person:s WHERE s.agee > 1;',
    'TYP-158 2:36 no attribute "agee" on Person; did you mean "age"?',
  ],
  [
    'TYP-158',
    'SumAccum<INT> @@x; R = SELECT s FROM (City|Post):s ACCUM @@x += s.length + s.population;',
    'no combination of types has all attributes',
  ],
  ['TYP-158', 'TYPEDEF TUPLE<INT a> T; HeapAccum<T>(1, b) @@h;', 'tuple T has no field "b"'],
  [
    'TYP-8029',
    'R = SELECT s FROM (s:Person)~[:Follows]~(t);',
    'TYP-8029 2:32 edge type "Follows" is directed',
  ],
  ['WARN-2', 'R = SELECT s FROM City:s -(Knows)- :t;', 'WARN-2 2:26 this pattern can never match'],
  ['WARN-5', 'R = SELECT s FROM Person:s WHERE s.score == 1.5;', 'WARN-5 2:34 exact comparison'],
  ['WARN-5', 'R = SELECT s FROM Person:s WHERE s.score BETWEEN 1 AND 2;', 'WARN-5 2:34'],
  ['SEM-9001', 'PRINT x;', 'SEM-9001 2:7 "x" is not declared'],
  ['SEM-9001', 'INT count1; PRINT cont1;', '"cont1" is not declared; did you mean "count1"?'],
  ['SEM-9001', 'PRINT @@total;', 'accumulator "@@total" is not declared'],
  ['SEM-9001', 'R = SELECT u FROM Person:s;', 'SEM-9001 2:12 "u" is not a vertex alias'],
  ['SEM-9001', 'x = 1;', 'SEM-9001 2:1 "x" is not declared'],
  ['SEM-9002', 'INT x; STRING x;', 'SEM-9002 2:15 "x" is already declared in this block'],
  ['SEM-9002', 'SumAccum<INT> @@a, @@a;', 'accumulator "@@a" is already declared'],
  ['SEM-9002', 'SumAccum<INT> @a; SumAccum<INT> EDGE @a;', '"@a" is already declared'],
  ['SEM-9002', 'SumAccum<INT> EDGE @a; SumAccum<INT> @a;', '"@a" is already declared'],
  ['SEM-9002', 'SumAccum<INT> EDGE @a, @a;', '"@a" is already declared'],
  [
    'SEM-9003',
    'S = {Persn.*};',
    'SEM-9003 2:6 no vertex type or vertex set "Persn"; did you mean "Person"?',
  ],
  ['SEM-9003', 'SetAccum<VERTEX<Persn>> @@s;', 'no vertex type "Persn"; did you mean "Person"?'],
  [
    'SEM-9004',
    'R = SELECT t FROM Person:s -(Know)- :t;',
    'SEM-9004 2:30 no edge type "Know"; did you mean "Knows"?',
  ],
  [
    'SEM-9005',
    'R = SELECT s FROM Person:s -((Knows.Knows)*1..2)- :t;',
    'not supported yet: a repetition of concatenated edges without one count',
  ],
  ['SEM-9005', 'STRING s; PRINT evaluate(s);', 'evaluate of a text that is computed'],
  [
    'SEM-9006',
    'SumAccum<INT> @@x; R = SELECT s FROM Person:s ACCUM @@x = 1;',
    '"@@x =" is not allowed in ACCUM',
  ],
  [
    'SEM-9006',
    'R = SELECT s FROM Person:s ACCUM s.age = 1;',
    'vertex attributes are written in POST-ACCUM',
  ],
  ['SEM-9006', 'BREAK;', 'SEM-9006 2:1 BREAK stands outside a loop'],
  ['SEM-9006', 'PRINT 1 IS NULL;', 'IS NULL asks about parameters only'],
  ['SEM-9007', 'PRINT pow(2);', 'SEM-9007 2:7 pow takes 2 argument(s), not 1'],
  [
    'SEM-9007',
    'MapAccum<INT, INT> @@m; FOREACH x IN @@m DO PRINT x; END;',
    '2 variable(s) per round, not 1',
  ],
  [
    'SEM-9010',
    'R = SELECT s FROM Person:s LIMIT 3 OFFSET 2;',
    'SEM-9010 2:28 OFFSET needs ORDER BY',
  ],
  ['SEM-9011', 'n = 2;', 'SEM-9011 2:1 "n" is a parameter: parameters cannot be assigned'],
  [
    'SEM-9007',
    'GroupByAccum<INT a, SumAccum<INT> b> @@g; @@g += (1, 2 -> 3);',
    '1 key(s) and 1 value(s)',
  ],
  ['SEM-9006', 'GroupByAccum<SumAccum<INT> b, INT a> @@g;', 'stand before its accumulators'],
  ['TYP-9001', 'INT x = "a";', 'TYP-9001 2:9 cannot use STRING as INT'],
  [
    'TYP-9001',
    'PRINT "a" + 1;',
    'operator + does not take STRING and INT; use to_string for numbers',
  ],
  [
    'TYP-9001',
    'SetAccum<STRING> @@s; @@s += 1;',
    'SetAccum reading as SET<STRING> does not take INT',
  ],
  ['TYP-9001', 'PRINT 1.5 % 2;', 'operator % does not take DOUBLE and INT'],
  ['TYP-9002', 'R = SELECT s FROM Person:s WHERE s.name == 3;', 'cannot compare STRING with INT'],
  ['TYP-9002', 'R = SELECT s FROM Person:s WHERE s.born > "2020-01-01";', 'use to_datetime'],
  [
    'TYP-9002',
    'PRINT 1 < n < 3;',
    'TYP-9002 2:7 comparisons cannot be chained: write 1 < n AND n < 3',
  ],
  ['TYP-9002', 'PRINT n == n == n;', 'comparisons cannot be chained: write n == n AND n == n'],
  [
    'SEM-9006',
    'SELECT DISTINCT s.name INTO T FROM Person:s ORDER BY s.age;',
    'SEM-9006 2:54 behind DISTINCT, ORDER BY can use only what is returned: this depends on "s"',
  ],
  ['TYP-9001', 'SELECT max(s.tags) AS m INTO T FROM Person:s;', 'max takes no collections'],
  ['TYP-9003', 'ListAccum<INT> @@l; PRINT @@l.top();', 'LIST<INT> has no method "top"'],
  ['TYP-9003', 'SetAccum<INT> @@s; @@s.pop();', 'no method "pop" changes SetAccum'],
  ['TYP-9004', 'PRINT 99999999999999999999;', 'integer literal does not fit in 64 bits'],
  ['SYNTAX', 'INT from = 3;', 'SYNTAX 2:5 "from" is a reserved word: it cannot be the name of a'],
  ['SYNTAX', 'CountAccum<INT> @@m;', 'SYNTAX 2:1 no accumulator type "CountAccum"'],
  ['SYNTAX', 'SummAccum<INT> @@m;', 'no accumulator type "SummAccum"; did you mean "SumAccum"?'],
  ['SYNTAX', 'MATCH (a:Person) RETURN a;', 'SYNTAX 2:1 MATCH is openCypher'],
  ['SYNTAX', 'OPTIONAL MATCH (a) RETURN a;', 'OPTIONAL is openCypher'],
  ['SYNTAX', 'R = SELECT a FROM Person a JOIN City b ON a == b;', 'SYNTAX 2:26 an alias follows'],
  ['SYNTAX', 'R = SELECT a FROM Person a WHERE a.age > 1;', 'follows a colon: Person:a'],
  ['SYNTAX', 'SELECT * FROM Person:s;', 'SYNTAX 2:8 SELECT * is not available'],
  [
    'SEM-9006',
    'SumAccum<INT> @c; R = SELECT s FROM Person:s ACCUM @c += 1;',
    'SEM-9006 2:52 "@c" belongs to a vertex: write alias.@c',
  ],
  [
    'SEM-9001',
    'SumAccum<INT> @c; R = SELECT s FROM Person:s ACCUM s.@c += 1; s.@c += 2;',
    'SEM-9001 2:63 "s" is not declared here: the statements of ACCUM are separated by commas',
  ],
  ['SEM-45', 'PRINT upercase("x");', 'function or tuple type "upercase"; did you mean "upper"?'],
  ['SEM-45', 'PRINT len("x");', 'function or tuple type "len"; did you mean "length"?'],
  [
    'TYP-158',
    'INSERT INTO Person (id, name) VALUES ("a", "b");',
    'TYP-158 2:21 the primary id of Person is written PRIMARY_ID here, not "id"',
  ],
  [
    'WARN-2',
    'R = SELECT t FROM (s:Person)-[:Knows]->(t:Person);',
    '"Knows" is undirected: write it without an arrow',
  ],
  ['WARN-2', 'R = SELECT t FROM City:s -(Lives>)- :t;', '"Lives" leads from Person to City'],
  ['SEM-9003', 'STRING x = "Person"; S = {x.*};', 'SEM-9003 2:27 "x" is a variable: only a type'],
  ['TYP-5401', 'RETURN 3;', 'RETURN with a value needs RETURNS'],
]

describe('diagnostics', () => {
  it.each(table)('%s for %s', (code, body, ...expected) => {
    const found = bodyDiagnostics(body)
    expect(found.map((text) => text.split(' ')[0])).toEqual([code])
    for (const text of expected) expect(found[0]).toContain(text)
  })

  it('refuses two aliases in one POST-ACCUM when SYNTAX v2 is declared', () => {
    const text = `CREATE QUERY q() SYNTAX v2 { SumAccum<INT> @a;
      R = SELECT t FROM Person:s -(Follows>)- Person:t POST-ACCUM s.@a = 1, t.@a = 2; }`
    expect(diagnosticsOf(text)).toEqual([
      'SEM-9008 2:56 a POST-ACCUM clause uses one alias; write one clause for each',
    ])
  })

  it('names the graph that does not exist', () => {
    expect(diagnosticsOf('CREATE QUERY q() FOR GRAPH socal { PRINT 1; }')).toEqual([
      `SEM-9009 1:28 Graph 'socal' does not exist. Did you mean "social"?`,
    ])
  })

  it('reports one problem per statement, in order', () => {
    const found = bodyDiagnostics(
      'PRINT x;\nPRINT foo(1);\nR = SELECT s FROM Person:s WHERE s.a > 1 ACCUM @@z += 1;',
    )
    expect(found.map((text) => text.split(' ').slice(0, 2).join(' '))).toEqual([
      'SEM-9001 2:7',
      'SEM-45 3:7',
      'TYP-158 4:36',
      'SEM-9001 4:48',
    ])
  })
})

describe('one mistake', () => {
  it('in a declaration is not reported again where the name is used', () => {
    const body = `BitwiseOrAccum<0> @@g;
      SumAccum<Foo> @x; R = SELECT s FROM Person:s ACCUM s.@x += 1, INT k = foo(1), @@g += k, s.@x += k;`
    expect(bodyDiagnostics(body).map((text) => text.split(' ')[0])).toEqual([
      'TYP-9004',
      'SEM-45',
      'SEM-45',
    ])
  })
})

describe('a hint', () => {
  it('names nothing that the binder has made for itself', () => {
    const body = `SumAccum<INT> EDGE @total;
      SELECT s.name INTO T FROM Person:s; PRINT @@rows, @@edge_total;`
    expect(bodyDiagnostics(body)).toEqual([
      'SEM-9001 3:49 accumulator "@@rows" is not declared',
      'SEM-9001 3:57 accumulator "@@edge_total" is not declared',
    ])
  })
})

describe('a warning', () => {
  it('is said once of a value that is tried for many attributes', () => {
    const body = 'R = SELECT s FROM Person:s POST-ACCUM s.setAttr(s.name + "", s.score == 1.5);'
    expect(bodyDiagnostics(body).map((text) => text.split(' ')[0])).toEqual(['WARN-5'])
  })
})

describe('many mistakes', () => {
  it('are reported up to a limit', () => {
    expect(bodyDiagnostics('PRINT x;'.repeat(DIAGNOSTICS_MAX))).toHaveLength(DIAGNOSTICS_MAX)
    expect(bodyDiagnostics('PRINT x;'.repeat(DIAGNOSTICS_MAX + 1))).toHaveLength(DIAGNOSTICS_MAX)
  })
})
