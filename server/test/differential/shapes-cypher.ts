/** Shapes of openCypher. Different hops of a pattern may use the same edge, as docs/reference/gsql/opencypher.md says. */
import { edgeCondition, joined, peopleWhere, personCondition } from './conditions.ts'
import { hops as gsqlHops, type Shape, walksSql } from './hops.ts'

/** Reverse types are none of openCypher's patterns. */
const hops = [
  { text: (e: string) => `-[${e}:K]->`, table: 'ek' },
  { text: (e: string) => `<-[${e}:K]-`, table: 'kr' },
  { text: (e: string) => `-[${e}:L]->`, table: 'el' },
  { text: (e: string) => `<-[${e}:L]-`, table: 'lr' },
  { text: (e: string) => `-[${e}:U]-`, table: 'us' },
]

export const cypherHops: Shape = (dice) => {
  const [first, second] = [dice.pick(hops), dice.pick(hops)]
  const where = joined(dice, [
    () => personCondition(dice, 'a'),
    () => personCondition(dice, 'm'),
    () => edgeCondition(dice, 'f'),
  ])
  return {
    form: 'cypher',
    text: `MATCH (a:P)${first.text('e')}(m:P)${second.text('f')}(b:P) WHERE ${where.cypher} RETURN a.k AS x, m.k AS y, b.k AS z, e.w + f.w AS w`,
    sql: `SELECT a.k AS x, m.k AS y, b.k AS z, e.w + f.w AS w FROM p a JOIN ${first.table} e ON e.src = a.k JOIN p m ON m.k = e.dst
      JOIN ${second.table} f ON f.src = m.k JOIN p b ON b.k = f.dst WHERE ${where.sql}`,
    isOrdered: false,
  }
}

export const cypherSorted: Shape = (dice) => {
  const [key, order] = [dice.pick(['d', 'i', 's']), dice.pick(['', ' DESC'])]
  const where = peopleWhere(dice, 'a')
  const [skip, limit] = [dice.below(3), dice.between(1, 5)]
  return {
    form: 'cypher',
    text: `MATCH (a:P) WHERE ${where.cypher} RETURN a.${key} AS v, a.k AS k ORDER BY v${order}, k SKIP ${skip} LIMIT ${limit}`,
    sql: `SELECT a.${key} AS v, a.k AS k FROM p a WHERE ${where.sql} ORDER BY v${order}, k LIMIT ${limit} OFFSET ${skip}`,
    isOrdered: true,
  }
}

export const cypherDistinct: Shape = (dice) => {
  const [key, order] = [dice.pick(['d', 'i', 's', 'b']), dice.pick(['', ' DESC'])]
  const hop = dice.pick(hops)
  const limit = dice.between(1, 5)
  return {
    form: 'cypher',
    text: `MATCH (a:P)${hop.text('')}(b:P) RETURN DISTINCT a.${key} AS v, b.b AS f ORDER BY v${order}, f LIMIT ${limit}`,
    sql: `SELECT DISTINCT a.${key} AS v, b.b AS f FROM p a JOIN ${hop.table} e ON e.src = a.k JOIN p b ON b.k = e.dst ORDER BY v${order}, f LIMIT ${limit}`,
    isOrdered: true,
  }
}

export const cypherOptional: Shape = (dice) => {
  const [first, second] = [dice.pick(hops), dice.pick(hops)]
  const outer = personCondition(dice, 'a')
  const inner = personCondition(dice, 'b')
  return {
    form: 'cypher',
    text: `MATCH (a:P) WHERE ${outer.cypher} OPTIONAL MATCH (a)${first.text('e')}(b:P) WHERE ${inner.cypher} OPTIONAL MATCH (b)${second.text('')}(c:P) RETURN a.k AS x, b.k AS y, e.w AS w, c.i AS z`,
    sql: `SELECT a.k AS x, o.k AS y, o.w AS w, q.i AS z FROM p a
      LEFT JOIN (SELECT e.src, b.k, e.w FROM ${first.table} e JOIN p b ON b.k = e.dst WHERE ${inner.sql}) o ON o.src = a.k
      LEFT JOIN (SELECT f.src, c.i FROM ${second.table} f JOIN p c ON c.k = f.dst) q ON q.src = o.k WHERE ${outer.sql}`,
    isOrdered: false,
  }
}

/** Nulls in groups and aggregates. */
export const cypherOptionalCount: Shape = (dice) => {
  const hop = dice.pick(hops)
  const inner = personCondition(dice, 'b')
  return {
    form: 'cypher',
    text: `MATCH (a:P) OPTIONAL MATCH (a)${hop.text('e')}(b:P) WHERE ${inner.cypher} RETURN a.k AS k, count(b) AS n, count(*) AS m, sum(e.w) AS w, max(b.d) AS high, min(b.s) AS low, avg(b.i) AS mean`,
    sql: `SELECT a.k AS k, count(o.k) AS n, count(*) AS m, coalesce(sum(o.w), 0)::BIGINT AS w, max(o.d) AS high, min(o.s) AS low, avg(o.i) AS mean FROM p a
      LEFT JOIN (SELECT e.src, e.w, b.* FROM ${hop.table} e JOIN p b ON b.k = e.dst WHERE ${inner.sql}) o ON o.src = a.k GROUP BY a.k`,
    isOrdered: false,
  }
}

export const cypherWith: Shape = (dice) => {
  const [first, second] = [dice.pick(hops), dice.pick(hops)]
  const where = peopleWhere(dice, 'a')
  const least = dice.below(2)
  return {
    form: 'cypher',
    text: `MATCH (a:P)${first.text('e')}(b:P) WHERE ${where.cypher} WITH b, count(*) AS n, max(a.d) AS d WHERE n > ${least} MATCH (b)${second.text('')}(c:P) RETURN b.k AS x, n, d, c.k AS y`,
    sql: `WITH g AS (SELECT e.dst AS k, count(*) AS n, max(a.d) AS d FROM p a JOIN ${first.table} e ON e.src = a.k WHERE ${where.sql} GROUP BY e.dst HAVING count(*) > ${least})
      SELECT g.k AS x, g.n AS n, g.d AS d, f.dst AS y FROM g JOIN ${second.table} f ON f.src = g.k`,
    isOrdered: false,
  }
}

/** The first of a sorted list go on. */
export const cypherWithLimit: Shape = (dice) => {
  const hop = dice.pick(hops)
  const [key, order] = [dice.pick(['d', 'i', 's']), dice.pick(['', ' DESC'])]
  const limit = dice.between(1, 4)
  return {
    form: 'cypher',
    text: `MATCH (a:P) WITH a ORDER BY a.${key}${order}, a.k LIMIT ${limit} MATCH (a)${hop.text('e')}(b:P) RETURN a.k AS x, b.k AS y, e.w AS w`,
    sql: `SELECT a.k AS x, e.dst AS y, e.w AS w FROM (SELECT * FROM p a ORDER BY a.${key}${order}, a.k LIMIT ${limit}) a JOIN ${hop.table} e ON e.src = a.k`,
    isOrdered: false,
  }
}

export const cypherUnion: Shape = (dice) => {
  const [first, second] = [peopleWhere(dice, 'a'), peopleWhere(dice, 'a')]
  const all = dice.pick(['', ' ALL'])
  return {
    form: 'cypher',
    text: `MATCH (a:P) WHERE ${first.cypher} RETURN a.d AS d, a.s AS s UNION${all} MATCH (a:P) WHERE ${second.cypher} RETURN a.d AS d, a.s AS s`,
    sql: `SELECT d, s FROM p a WHERE ${first.sql} UNION${all} SELECT d, s FROM p a WHERE ${second.sql}`,
    isOrdered: false,
  }
}

export const cypherTriangles: Shape = (dice) => {
  const [first, second, third] = [dice.pick(hops), dice.pick(hops), dice.pick(hops)]
  const where = peopleWhere(dice, 'a', 'b')
  return {
    form: 'cypher',
    text: `MATCH (a:P)${first.text('')}(b:P), (b)${second.text('')}(c:P), (c)${third.text('')}(a) WHERE ${where.cypher} RETURN a.k AS k, count(*) AS n, count(DISTINCT c) AS m`,
    sql: `SELECT a.k AS k, count(*) AS n, count(DISTINCT c.k) AS m FROM p a JOIN ${first.table} e ON e.src = a.k JOIN p b ON b.k = e.dst JOIN ${second.table} f ON f.src = b.k
      JOIN p c ON c.k = f.dst JOIN ${third.table} h ON h.src = c.k AND h.dst = a.k WHERE ${where.sql} GROUP BY a.k`,
    isOrdered: false,
  }
}

/** Any direction of a directed type; a loop is met once. */
export const cypherAnyDirection: Shape = (dice) => {
  const [type, forward, backward] = dice.pick([
    ['K', 'ek', 'kb'],
    ['L', 'el', 'lb'],
  ] as const)
  const where = peopleWhere(dice, 'a', 'b')
  return {
    form: 'cypher',
    text: `MATCH (a:P)-[e:${type}]-(b:P) WHERE ${where.cypher} RETURN a.k AS x, b.k AS y, e.w AS w`,
    sql: `SELECT a.k AS x, b.k AS y, e.w AS w FROM p a JOIN (SELECT * FROM ${forward} UNION ALL SELECT * FROM ${backward}) e ON e.src = a.k JOIN p b ON b.k = e.dst WHERE ${where.sql}`,
    isOrdered: false,
  }
}

export const cypherRepeated: Shape = (dice) => {
  const hop = dice.pick(hops)
  const low = dice.between(1, 2)
  const high = low + dice.below(3)
  const where = personCondition(dice, 'a')
  return {
    form: 'cypher',
    text: `MATCH (a:P)${hop.text('').replace(/(:\w)/, `$1*${low}..${high}`)}(b:P) WHERE ${where.cypher} RETURN a.k AS x, b.k AS y, count(*) AS n`,
    sql: `${walksSql(hop.table, high)}, least AS (SELECT x, y, min(len) AS len FROM walks WHERE len >= ${low} GROUP BY x, y)
      SELECT w.x AS x, w.y AS y, w.n AS n FROM walks w JOIN least l ON l.x = w.x AND l.y = w.y AND l.len = w.len JOIN p a ON a.k = w.x WHERE ${where.sql}`,
    isOrdered: false,
  }
}

/** What an optional match did not find, asked for by null. */
export const cypherNulls: Shape = (dice) => {
  const hop = dice.pick(hops)
  const inner = personCondition(dice, 'b')
  const [test, sql] = dice.pick([
    ['b IS NULL', 'o.k IS NULL'],
    ['b IS NOT NULL', 'o.k IS NOT NULL'],
    ['e.w > 1', 'o.w > 1'],
    ['NOT e.w > 1', 'NOT o.w > 1'],
    ['b.i = a.i', 'o.i = a.i'],
    ["e.w IS NULL OR b.s = ''", "o.w IS NULL OR o.s = ''"],
  ] as const)
  return {
    form: 'cypher',
    text: `MATCH (a:P) OPTIONAL MATCH (a)${hop.text('e')}(b:P) WHERE ${inner.cypher} WITH a, b, e WHERE ${test} RETURN a.k AS x, b.k AS y, CASE WHEN e.w > 0 THEN 'more' ELSE 'less' END AS z`,
    sql: `SELECT a.k AS x, o.k AS y, CASE WHEN o.w > 0 THEN 'more' ELSE 'less' END AS z FROM p a
      LEFT JOIN (SELECT e.src, e.w, b.* FROM ${hop.table} e JOIN p b ON b.k = e.dst WHERE ${inner.sql}) o ON o.src = a.k WHERE ${sql}`,
    isOrdered: false,
  }
}

/** Edges of any type, by the name of it. */
export const cypherTypes: Shape = (dice) => {
  const where = peopleWhere(dice, 'a')
  const [text, tables] = dice.pick([
    ['-[e:K|L]->', ['K', 'ek', 'L', 'el']],
    ['-[e:K|H]->', ['K', 'ek', 'H', 'eh']],
    ['<-[e:K|L]-', ['K', 'kr', 'L', 'lr']],
  ] as const)
  const [one, first, two, second] = tables
  return {
    form: 'cypher',
    text: `MATCH (a:P)${text}(b) WHERE ${where.cypher} RETURN a.k AS x, type(e) AS t, count(*) AS n, sum(e.w) AS w`,
    sql: `SELECT a.k AS x, e.t AS t, count(*) AS n, sum(e.w)::BIGINT AS w FROM p a JOIN (SELECT '${one}' AS t, * FROM ${first} UNION ALL SELECT '${two}' AS t, * FROM ${second}) e ON e.src = a.k
      WHERE ${where.sql} GROUP BY a.k, e.t`,
    isOrdered: false,
  }
}

/** Lists come apart again, and a group's values are counted. */
export const cypherUnwind: Shape = (dice) => {
  const where = peopleWhere(dice, 'a')
  return {
    form: 'cypher',
    text: `MATCH (a:P) WHERE ${where.cypher} WITH a.b AS f, collect(a.i) AS all UNWIND all AS i RETURN f, i, count(*) AS n`,
    sql: `SELECT a.b AS f, a.i AS i, count(*) AS n FROM p a WHERE ${where.sql} GROUP BY a.b, a.i`,
    isOrdered: false,
  }
}

export const cypherCities: Shape = (dice) => {
  const hop = dice.pick(gsqlHops.filter(({ v2 }) => !v2.includes('_R')))
  const where = peopleWhere(dice, 'a', 'b')
  return {
    form: 'cypher',
    text: `MATCH (a:P)-[h:H]->(c:C)<-[:H]-(b:P) WHERE ${where.cypher} OPTIONAL MATCH (a)${hop.v3('e').replaceAll('~', '-')}(b) RETURN a.k AS x, c.k AS y, b.k AS z, e.w AS w`,
    sql: `SELECT a.k AS x, c.k AS y, b.k AS z, e.w AS w FROM p a JOIN eh h ON h.src = a.k JOIN c ON c.k = h.dst JOIN eh g ON g.dst = c.k JOIN p b ON b.k = g.src
      LEFT JOIN ${hop.table} e ON e.src = a.k AND e.dst = b.k WHERE ${where.sql}`,
    isOrdered: false,
  }
}
