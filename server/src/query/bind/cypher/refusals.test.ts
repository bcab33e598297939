import { describe, expect, it } from 'vitest'
import { tinySocial } from '../../../../test/fixtures/tiny-social.ts'
import { compileFrontEnd } from '../compile.ts'

/** Diagnostics of clauses, which begin the second line. */
function said(clauses: string): string[] {
  const text = `CREATE OPENCYPHER QUERY q(INT n) {\n${clauses}\n}`
  return compileFrontEnd(text, tinySocial, 'social').diagnostics.map(
    ({ code, place, message }) => `${code} ${place.line}:${place.column} ${message}`,
  )
}

/** Constructs that are left out: the clauses, the column of the construct, and its name in the message. */
const absent: readonly (readonly [clauses: string, column: number, name: string])[] = [
  ['RETURN {a: 1} AS m', 8, 'map literals are'],
  ['WITH {} AS m RETURN m', 6, 'map literals are'],
  ['RETURN [x IN [1, 2] WHERE x > 1 | x] AS l', 8, 'list comprehensions are'],
  ['WITH [1] AS l RETURN [x IN l] AS l', 22, 'list comprehensions are'],
  ['MATCH (a) RETURN [(a)-->(b) | b.name] AS l', 18, 'pattern comprehensions are'],
  ['MATCH (a) RETURN [p = (a)-[:Knows]-(b) | 1] AS l', 18, 'pattern comprehensions are'],
  ['RETURN any(x IN [1] WHERE x > 1) AS b', 8, 'any(x IN list WHERE …) is'],
  ['RETURN ALL ( x IN [1] WHERE x > 1 ) AS b', 8, 'ALL(x IN list WHERE …) is'],
  ['RETURN NOT none(x IN [1] WHERE x > 1) AS b', 12, 'none(x IN list WHERE …) is'],
  ['RETURN single(x IN [1] WHERE x > 1) AS b', 8, 'single(x IN list WHERE …) is'],
  ['RETURN reduce(s = 0, x IN [1] | s + x) AS b', 8, 'reduce(…) over a list is'],
  ['RETURN extract(x IN [1] | x) AS b', 8, 'extract(…) over a list is'],
  ['RETURN [1, 2, 3][1..2] AS l', 19, 'slices of lists, list[from..to], are'],
  ['RETURN [1, 2, 3][..-1] AS l', 18, 'slices of lists, list[from..to], are'],
  ['WITH [1] AS l RETURN l[0..] AS l', 25, 'slices of lists, list[from..to], are'],
  ['MATCH (a) WHERE (a)-[:Knows]-() RETURN a', 17, 'patterns as conditions are'],
  ['MATCH (a:Person) WHERE NOT (a)-->() RETURN a', 28, 'patterns as conditions are'],
  ['MATCH (a) WHERE a.name = "x" OR (a)<-[r]-(:City) RETURN a', 33, 'patterns as conditions are'],
  ['MATCH (a) WHERE exists((a)--()) RETURN a', 24, 'patterns as conditions are'],
  ['MATCH (a) WHERE EXISTS { (a)--() } RETURN a', 17, 'EXISTS { … } is'],
  ['MATCH (a) RETURN count { (a)--() } AS n', 18, 'COUNT { … } is'],
  ['MATCH (a) RETURN a {.name} AS m', 20, 'map projections are'],
  ['MATCH p = (a)--() RETURN p', 7, 'path variables are'],
  ['MATCH shortestPath((a)-[*]-(b)) RETURN a', 7, 'shortestPath(…) is'],
  ['RETURN "abc" =~ "a.*" AS b', 14, 'regular expressions, =~, are'],
  ['MERGE (a:City {name: "x"})', 1, 'MERGE is'],
  ['CALL db.labels()', 1, 'CALL is'],
  ['MATCH (a) REMOVE a.name', 11, 'REMOVE is'],
  ['MATCH (a:City) SET a = {name: "x"}', 22, 'SET of all properties at once is'],
  ['MATCH (a:City) SET a += {name: "x"}', 22, 'SET of all properties at once is'],
  ['MATCH (a:City) SET a:Person', 21, 'SET of a label is'],
]

describe('a construct of openCypher that is left out', () => {
  it.each(absent)('%s', (clauses, column, name) => {
    const [first, second] = said(clauses)
    expect(first).toContain(`SYNTAX 2:${column} ${name} not available in openCypher queries`)
    expect(second).toBe(undefined)
  })
})

const MADE =
  'is made by this query: until it ends, only properties that CREATE has written are known'
const ALONE = 'behind DISTINCT, ORDER BY can use only what is returned: this depends on "n"'

describe('an order, a name or an aggregate that has no meaning', () => {
  it.each([
    ['MATCH (n:Person) RETURN DISTINCT n.name ORDER BY n.age', `SEM-9006 2:50 ${ALONE}`],
    [
      'MATCH (n:Person) WITH DISTINCT n.name AS x ORDER BY n.age RETURN x',
      `SEM-9006 2:53 ${ALONE}`,
    ],
    [
      'MATCH (n:Person) WITH DISTINCT n.name AS x WHERE n.age > 1 RETURN x',
      'SEM-9001 2:50 "n" is not returned by this WITH: behind one DISTINCT, WHERE knows only its columns',
    ],
    [
      'MATCH (n:Person) WITH count(*) AS x WHERE n.age > 1 RETURN x',
      'SEM-9001 2:43 "n" is not returned by this WITH: behind one that groups, WHERE knows only its columns',
    ],
    ['MATCH (n:Person) RETURN foo IS NULL AS b', 'SEM-9001 2:25 "foo" is not declared'],
    ['MATCH (n:Person) RETURN n.foo IS NULL AS b', 'TYP-158 2:27 no attribute "foo" on Person'],
    ['CREATE (n:City {name: "x"}) RETURN n', `SEM-9006 2:36 "n" ${MADE}`],
    ['CREATE (n:City {name: "x"}) RETURN count(n) AS c', `SEM-9006 2:42 "n" ${MADE}`],
    ['CREATE (n:City {name: "x"}) RETURN n.area', `SEM-9006 2:36 "n" ${MADE}`],
    ['CREATE (n:City {name: "x"}) SET n.area = 1', `SEM-9006 2:33 "n" ${MADE}`],
    ['CREATE (n:City {name: "x"}) RETURN *', `SEM-9006 2:29 "n" ${MADE}`],
    [
      'UNWIND [[1], [2], [2, 1]] AS x RETURN max(x) AS m',
      'TYP-9001 2:39 max takes no collections; use ORDER BY … LIMIT 1 for lists',
    ],
    [
      'MATCH (n:Person) RETURN min(n.tags) AS m',
      'TYP-9001 2:25 min takes no collections; use ORDER BY … LIMIT 1 for lists',
    ],
  ])('%s', (clauses, message) => {
    expect(said(clauses)).toEqual([message])
  })
})

const SHORTEST =
  ' matches the shortest walks here, as in TigerGraph; elsewhere all walks within its bounds that use no edge twice'

describe('a warning of relationships that mean something else elsewhere', () => {
  it.each([
    [
      'MATCH (a:Person)-[:Likes]->(m)<-[:Likes]-(b:Person) RETURN a.name AS a, b.name AS b',
      'WARN-9002 2:31 -[:Likes]-> and <-[:Likes]- may be one edge here, as in TigerGraph, but not elsewhere; exclude it by WHERE a <> b',
    ],
    [
      'MATCH (a:Person)-[k:Knows]-()-[:Knows]-(), ()-[:Knows]-() RETURN a',
      'WARN-9002 2:30 -[k:Knows]- and -[:Knows]- may be one edge here, as in TigerGraph, but not elsewhere; exclude it by names for both nodes and WHERE a <> b',
    ],
    [
      'MATCH (a:Person)-[:Follows]->(b)-[:reverse_Follows]->(c) RETURN a',
      'WARN-9002 2:33 -[:Follows]-> and -[:reverse_Follows]-> may be one edge here, as in TigerGraph, but not elsewhere; exclude it by WHERE a <> c',
    ],
    [
      'MATCH (a:Person)-[r:Knows]-(b)-[s:Knows]-(a) WHERE r <> s RETURN a',
      'WARN-9002 2:31 -[r:Knows]- and -[s:Knows]- may be one edge here, as in TigerGraph, but not elsewhere; exclude it by a condition on both',
    ],
    [
      'MATCH ()-[r:Likes]->() WITH r AS e MATCH (a)-[e]->(), ()-[e2]->(a) OPTIONAL MATCH ()-[e]->() RETURN a',
      'WARN-9003 2:47 "e" is bound already: here it is another relationship, as in TigerGraph; elsewhere it is the same one',
    ],
    [
      'MATCH (a:Person)-[:Follows*]->(b) RETURN b.name',
      `WARN-9004 2:17 -[:Follows*1..]->${SHORTEST}`,
    ],
    [
      'MATCH (a:Person)-[:Follows*1..3]->(b) RETURN DISTINCT b.name AS name, count(*) AS n',
      `WARN-9004 2:17 -[:Follows*1..3]->${SHORTEST}`,
    ],
    [
      'MATCH (a:Person)-[:Follows*1..3]->(b) WITH b RETURN DISTINCT b.name AS name',
      `WARN-9004 2:17 -[:Follows*1..3]->${SHORTEST}`,
    ],
    [
      'MATCH (a:Person)<-[:Follows*2..3]-(b) RETURN DISTINCT b',
      `WARN-9004 2:17 <-[:Follows*2..3]-${SHORTEST}`,
    ],
    ['MATCH (a:Person)-[:Knows*2]-(b) RETURN b', `WARN-9004 2:17 -[:Knows*2]-${SHORTEST}`],
    [
      'MATCH (a:Person)-[:Knows*..2]-(b) RETURN DISTINCT b',
      `WARN-9004 2:17 -[:Knows*1..2]-${SHORTEST}`,
    ],
    [
      'OPTIONAL MATCH (a:Person)-[:Knows*1..2]-(b)-[:Knows*1..2]-(c) RETURN a',
      `WARN-9004 2:26 -[:Knows*1..2]-${SHORTEST}`,
    ],
    [
      'MATCH (a:Person)-[:Follows*2]->(b)<-[:Follows]-(c) RETURN DISTINCT a',
      `WARN-9004 2:17 -[:Follows*2]->${SHORTEST}`,
    ],
    [
      'MATCH (a:Person)-[:Follows*1..2]->(b) CREATE (:City {name: "x"})',
      `WARN-9004 2:17 -[:Follows*1..2]->${SHORTEST}`,
    ],
    [
      'MATCH (a:Person)-[:Follows*1]->(b)<-[:Follows]-(c) RETURN a',
      'WARN-9002 2:35 -[:Follows*1]-> and <-[:Follows]- may be one edge here, as in TigerGraph, but not elsewhere; exclude it by WHERE a <> c',
    ],
  ])('%s', (clauses, message) => {
    expect(said(clauses)).toEqual([message])
  })

  it.each([
    'MATCH (a:Person)-[:Likes]->(m)<-[:Likes]-(b:Person) WHERE a <> b RETURN a',
    'MATCH (a:Person)-[:Likes]->(m)<-[:Likes]-(b:Person) WHERE a.age > 3 AND a.name < b.name RETURN a',
    'MATCH (a:Person {name: "x"})-[:Likes]->(m)<-[:Likes]-(b:Person {name: "y"}) RETURN m',
    'MATCH (a:Person)-[:Follows]->(b)-[:Follows]->(c) RETURN a',
    'MATCH (a:Person)-[:Likes]->(m:Post), (a)-[:Likes]->(c:City) RETURN a',
    'MATCH (a:Person)-[:Knows]-(b) MATCH (b)-[:Knows]-(c) RETURN a',
    'MATCH (a:Person)-[:Follows*0..1]->(b) RETURN b',
    'MATCH (a:Person)-[:Knows*1..1]-(b) RETURN b',
    'MATCH (a:Person)-[:Follows*2]->(b) RETURN b',
    'MATCH (a:Person)-[:Follows*]->(b) RETURN DISTINCT b.name AS name ORDER BY name',
    'MATCH (a:Person)<-[:Follows*0..3]-(b) MATCH (b)-[:Likes]->(c) WITH DISTINCT c RETURN count(*) AS n',
    'MATCH (a:Person)-[:Likes]->(m), (a)-[:Lives]->(c) RETURN a',
    'MATCH (a:Person)-[r:Likes]->(m)<-[s:Likes]-(b) WHERE r <> s RETURN a',
  ])('is none for %s', (clauses) => {
    expect(said(clauses)).toEqual([])
  })
})

const OLD =
  'is read as it was when the query began, as in TigerGraph; elsewhere as it was changed before'

describe('a clause that reads what was changed before', () => {
  it.each([
    ['MATCH (a:Person) SET a.age = a.age + 1 RETURN a.age', `2:47 a.age ${OLD}`],
    ['MATCH (a:Person) SET a.age = 1 RETURN a', `2:39 a ${OLD}`],
    ['MATCH (a:Person) SET a.age = 1 RETURN *', `2:32 * ${OLD}`],
    ['MATCH (a:Person) SET a.age = 1 WITH a AS b RETURN b', `2:51 b ${OLD}`],
    ['MATCH (a:Person) SET a.age = 1 WITH a AS b RETURN b.age', `2:51 b.age ${OLD}`],
    ['MATCH (a:Person) SET a.age = 1, a.score = a.age', `2:43 a.age ${OLD}`],
    ['MATCH (a:Person) SET a.age = 1 SET a.score = a.age', `2:46 a.age ${OLD}`],
    ['MATCH (a:Person) SET a.age = 1 WITH a WHERE a.age > 1 RETURN a.name', `2:45 a.age ${OLD}`],
    [
      'MATCH (a:Person) SET a.age = 1 WITH 1 AS x MATCH (b:Person {age: 1}) RETURN b.name',
      `2:44 the graph ${OLD}`,
    ],
    [
      'CREATE (:City {name: "x"}) WITH 1 AS x MATCH (c:City) RETURN c.name',
      `2:40 the graph ${OLD}`,
    ],
    ['CREATE (:City {name: "x"}) WITH 1 AS x MATCH (c) RETURN count(*)', `2:40 the graph ${OLD}`],
    [
      'MATCH (a:City) DELETE a WITH 1 AS x MATCH (c:Person) RETURN count(*)',
      `2:37 the graph ${OLD}`,
    ],
  ])('%s', (clauses, message) => {
    expect(said(clauses)).toEqual([`WARN-9005 ${message}`])
  })

  it.each([
    'MATCH (a:Person) SET a.age = a.age + 1 RETURN a.name',
    'MATCH (a:Person) WHERE a.age > 1 SET a.age = a.age + 1, a.score = 2.0',
    'MATCH (a:Person) WITH a, a.age AS before SET a.age = 1 RETURN before',
    'MATCH (a:Person) SET a.age = 1 WITH a RETURN count(*)',
    'CREATE (:City {name: "x"}) WITH 1 AS x MATCH (a:Person) RETURN a.age',
  ])('is none in %s', (clauses) => {
    expect(said(clauses)).toEqual([])
  })
})

describe('what only looks like one', () => {
  it.each([
    'MATCH (a:Person)-[:Knows]-(b) WHERE (a.age) - (b.age) > 1 RETURN a',
    'WITH 1 AS a, 2 AS b RETURN (a) - (b) AS c, (a)-(-b) AS d, (a) < -(b) AS e',
    'WITH [1] AS l, 0 AS i RETURN l[i] AS a, [l[0], 2] AS b, 1 IN [1] AS c',
    'MATCH (any:Person) RETURN any.name AS all, count(*) AS none',
    'MATCH (a:Person {name: "x"}) RETURN a.name AS name',
  ])('%s', (clauses) => {
    expect(said(clauses)).toEqual([])
  })
})

describe('an integer', () => {
  it.each([
    ['RETURN 9223372036854775808 AS x', 'TYP-9004 2:8 integer literal does not fit in 64 bits'],
    ['RETURN -9223372036854775809 AS x', 'TYP-9004 2:8 integer literal does not fit in 64 bits'],
    ['RETURN 0x8000000000000000 AS x', 'TYP-9004 2:8 integer literal does not fit in 64 bits'],
    ['RETURN 0xG AS x', "SYNTAX 2:8 invalid number '0xG'"],
    ['RETURN 0o8 AS x', "SYNTAX 2:8 invalid number '0o8'"],
  ])('%s', (clauses, message) => {
    expect(said(clauses)).toEqual([message])
  })
})

describe('a message', () => {
  it.each([
    [
      String.raw`RETURN '\uH' AS x`,
      String.raw`SYNTAX 2:8 \u takes four hexadecimal digits, \U eight, of a Unicode character`,
    ],
    [
      'RETURN 0.1 < rand() < 0.2 AS b',
      'SYNTAX 2:14 a random value cannot be between two comparisons: name it in WITH first',
    ],
    [
      'MATCH (p:Person) WHERE count(p) > 3 RETURN p',
      'SEM-9006 2:24 count(…) aggregates rows: it is allowed in WITH and RETURN only; write WITH …, count(…) AS x WHERE x …',
    ],
    ['RETURN true < 1 AS b', 'TYP-9002 2:8 cannot compare BOOL with INT'],
  ])('%s', (clauses, message) => {
    expect(said(clauses)).toEqual([message])
  })
})
