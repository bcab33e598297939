/** Shapes of what is done with the rows in GSQL: tables, groups, accumulators, sets, loops. */
import { edgeCondition, joined, peopleWhere, personCondition } from './conditions.ts'
import { hops, type Shape } from './hops.ts'

/** NaN last, as our order has it; DuckDB's is the same for a DOUBLE. */
const keys = [
  { gsql: 'a.d', sql: 'a.d' },
  { gsql: 'a.i', sql: 'a.i' },
  { gsql: 'a.s', sql: 'a.s' },
  { gsql: 'a.i % 3', sql: 'a.i % 3' },
  { gsql: 'a.d * 2', sql: 'a.d * 2' },
] as const

export const sortedRows: Shape = (dice) => {
  const key = dice.pick(keys)
  const [first, second] = [dice.pick(['', ' DESC']), dice.pick(['', ' DESC'])]
  const where = peopleWhere(dice, 'a')
  const [limit, offset] = [dice.between(1, 6), dice.below(3)]
  return {
    form: 'v2',
    text: `SELECT a.k AS k, ${key.gsql} AS v INTO T FROM P:a WHERE ${where.gsql} ORDER BY ${key.gsql}${first}, a.k${second} LIMIT ${limit} OFFSET ${offset}; PRINT T;`,
    sql: `SELECT a.k AS k, ${key.sql} AS v FROM p a WHERE ${where.sql} ORDER BY ${key.sql}${first}, a.k${second} LIMIT ${limit} OFFSET ${offset}`,
    isOrdered: true,
  }
}

export const sortedSet: Shape = (dice) => {
  const key = dice.pick(keys)
  const order = dice.pick(['', ' DESC'])
  const where = peopleWhere(dice, 'a')
  const limit = dice.between(1, 6)
  return {
    form: 'v2',
    text: `S = SELECT a FROM P:a WHERE ${where.gsql} ORDER BY ${key.gsql}${order}, a.k LIMIT ${limit}; PRINT S[S.k AS k, S.d AS d];`,
    sql: `SELECT a.k AS k, a.d AS d FROM p a WHERE ${where.sql} ORDER BY ${key.sql}${order}, a.k LIMIT ${limit}`,
    isOrdered: true,
  }
}

export const distinctRows: Shape = (dice) => {
  const key = dice.pick(keys)
  const hop = dice.pick(hops)
  const order = dice.pick(['', ' DESC'])
  const limit = dice.between(1, 5)
  return {
    form: 'v2',
    text: `SELECT DISTINCT ${key.gsql} AS v, b.b AS flag INTO T FROM P:a -(${hop.v2})- P:b ORDER BY v${order}, flag LIMIT ${limit}; PRINT T;`,
    sql: `SELECT DISTINCT ${key.sql} AS v, b.b AS flag FROM p a JOIN ${hop.table} e ON e.src = a.k JOIN p b ON b.k = e.dst ORDER BY v${order}, flag LIMIT ${limit}`,
    isOrdered: true,
  }
}

export const groups: Shape = (dice) => {
  const key = dice.pick(keys)
  const hop = dice.pick(hops)
  const where = joined(dice, [() => personCondition(dice, 'b'), () => edgeCondition(dice, 'e')])
  const most = dice.below(3)
  return {
    form: 'v2',
    text: `SELECT ${key.gsql} AS v, count(*) AS n, count(DISTINCT b.d) AS m, sum(e.w) AS w, min(b.d) AS low, max(b.d) AS high, avg(b.i) AS mean, min(b.s) AS t INTO T
      FROM P:a -(${hop.v2}:e)- P:b WHERE ${where.gsql} GROUP BY ${key.gsql} HAVING n > ${most}; PRINT T;`,
    sql: `SELECT ${key.sql} AS v, count(*) AS n, count(DISTINCT b.d) AS m, sum(e.w)::BIGINT AS w, min(b.d) AS low, max(b.d) AS high, avg(b.i) AS mean, min(b.s) AS t
      FROM p a JOIN ${hop.table} e ON e.src = a.k JOIN p b ON b.k = e.dst WHERE ${where.sql} GROUP BY ${key.sql} HAVING count(*) > ${most}`,
    isOrdered: false,
  }
}

/** Of no rows as well: the least of nothing is null. */
export const wholeTable: Shape = (dice) => {
  const where = peopleWhere(dice, 'a')
  return {
    form: 'v2',
    text: `SELECT count(*) AS n, min(a.d) AS low, max(a.d) AS high, min(a.i) AS i, avg(a.i) AS mean, max(a.s) AS s, count(DISTINCT a.s) AS m INTO T FROM P:a WHERE ${where.gsql}; PRINT T;`,
    sql: `SELECT count(*) AS n, min(a.d) AS low, max(a.d) AS high, min(a.i) AS i, avg(a.i) AS mean, max(a.s) AS s, count(DISTINCT a.s) AS m FROM p a WHERE ${where.sql}`,
    isOrdered: false,
  }
}

export const setOperations: Shape = (dice) => {
  const [first, second, third] = [
    peopleWhere(dice, 'a'),
    peopleWhere(dice, 'a'),
    personCondition(dice, 'a'),
  ]
  const words = [
    { gsql: 'UNION', sql: 'UNION' },
    { gsql: 'INTERSECT', sql: 'INTERSECT' },
    { gsql: 'MINUS', sql: 'EXCEPT' },
  ] as const
  const [one, two] = [dice.pick(words), dice.pick(words)]
  const of = (sql: string) => `SELECT k FROM p a WHERE ${sql}`
  return {
    form: 'v2',
    text: `A = SELECT a FROM P:a WHERE ${first.gsql}; B = SELECT a FROM P:a WHERE ${second.gsql}; D = SELECT a FROM P:a WHERE ${third.gsql};
      S = (A ${one.gsql} B) ${two.gsql} D; PRINT S[S.k AS k];`,
    sql: `SELECT k FROM (SELECT k FROM (${of(first.sql)}) ${one.sql} ${of(second.sql)}) ${two.sql} ${of(third.sql)}`,
    isOrdered: false,
  }
}

/** Unions of tables: all rows, or each once. */
export const tableUnion: Shape = (dice) => {
  const [first, second] = [peopleWhere(dice, 'a'), peopleWhere(dice, 'a')]
  const all = dice.pick(['', ' ALL'])
  return {
    form: 'v2',
    text: `SELECT a.s AS s, a.d AS d INTO A FROM P:a WHERE ${first.gsql}; SELECT a.s AS s, a.d AS d INTO B FROM P:a WHERE ${second.gsql}; UNION${all} A WITH B INTO T; PRINT T;`,
    sql: `SELECT s, d FROM p a WHERE ${first.sql} UNION${all} SELECT s, d FROM p a WHERE ${second.sql}`,
    isOrdered: false,
  }
}

export const tableJoin: Shape = (dice) => {
  const [first, second] = [peopleWhere(dice, 'a'), peopleWhere(dice, 'a')]
  const [word, sql] = dice.pick([
    ['JOIN', 'JOIN'],
    ['LEFT JOIN', 'LEFT JOIN'],
  ] as const)
  const on = dice.pick(['i', 's', 'd'])
  // NaN equals nothing in a condition.
  const isEqual = `x.v = y.v${on === 'd' ? ' AND NOT isnan(x.v)' : ''}`
  return {
    form: 'v2',
    text: `SELECT a.k AS k, a.${on} AS v INTO A FROM P:a WHERE ${first.gsql}; SELECT a.k AS k, a.${on} AS v INTO B FROM P:a WHERE ${second.gsql};
      ${word} A x WITH B y ON x.v == y.v PROJECT x.k AS one, y.k AS other INTO T; PRINT T;`,
    sql: `SELECT x.k AS one, y.k AS other FROM (SELECT k, ${on} AS v FROM p a WHERE ${first.sql}) x ${sql} (SELECT k, ${on} AS v FROM p a WHERE ${second.sql}) y ON ${isEqual}`,
    isOrdered: false,
  }
}

/** People with an equal attribute, joined by a condition alone, over a hop. */
export const equalEnds: Shape = (dice) => {
  const hop = dice.pick(hops)
  const on = dice.pick(['i', 's', 'd'])
  const isEqual = `a.${on} = b.${on}${on === 'd' ? ' AND NOT isnan(a.d)' : ''}`
  const isNegated = dice.chance(30)
  return {
    form: 'v2',
    text: `SELECT a.k AS x, b.k AS y, count(*) AS n INTO T FROM P:a -(${hop.v2})- P:m -(${hop.v2})- P:b WHERE ${isNegated ? 'NOT ' : ''}(a.${on} == b.${on}) GROUP BY a.k, b.k; PRINT T;`,
    sql: `SELECT a.k AS x, b.k AS y, count(*) AS n FROM p a JOIN ${hop.table} e ON e.src = a.k JOIN ${hop.table} f ON f.src = e.dst JOIN p b ON b.k = f.dst WHERE ${isNegated ? 'NOT ' : ''}(${isEqual}) GROUP BY a.k, b.k`,
    isOrdered: false,
  }
}

/** What accumulators of vertices collect over a hop. */
export const vertexAccums: Shape = (dice) => {
  const hop = dice.pick(hops)
  const where = joined(dice, [() => personCondition(dice, 'a'), () => edgeCondition(dice, 'e')])
  return {
    form: 'v2',
    text: `SumAccum<INT> @n, @w; MaxAccum<DOUBLE> @high; MinAccum<STRING> @low; AvgAccum @mean; SetAccum<DOUBLE> @set; BagAccum<STRING> @bag; OrAccum @any; AndAccum @all;
      S = SELECT b FROM P:a -(${hop.v2}:e)- P:b WHERE ${where.gsql}
      ACCUM b.@n += 1, b.@w += e.w, b.@high += a.d, b.@low += a.s, b.@mean += a.i, b.@set += a.d, b.@bag += a.s, b.@any += a.b, b.@all += a.b;
      PRINT S[S.k AS k, S.@n AS n, S.@w AS w, S.@high AS high, S.@low AS low, S.@mean AS mean, S.@set.size() AS m, S.@bag.size() AS bag, S.@any AS any_, S.@all AS all_];`,
    sql: `SELECT b.k AS k, count(*) AS n, sum(e.w)::BIGINT AS w, max(a.d) AS high, min(a.s) AS low, avg(a.i) AS mean, count(DISTINCT a.d) AS m, count(*) AS bag, bool_or(a.b) AS any_, bool_and(a.b) AS all_
      FROM p a JOIN ${hop.table} e ON e.src = a.k JOIN p b ON b.k = e.dst WHERE ${where.sql} GROUP BY b.k`,
    isOrdered: false,
  }
}

/** A set that its accumulators filter, sort and cut. */
export const having: Shape = (dice) => {
  const hop = dice.pick(hops)
  const where = joined(dice, [() => personCondition(dice, 'a'), () => edgeCondition(dice, 'e')])
  const [least, limit] = [dice.below(3), dice.between(1, 5)]
  return {
    form: 'v2',
    text: `SumAccum<DOUBLE> @d; SumAccum<INT> @n; S = SELECT b FROM P:a -(${hop.v2}:e)- P:b WHERE ${where.gsql} ACCUM b.@d += a.d, b.@n += 1
      HAVING b.@n > ${least} AND b.i > -2 ORDER BY b.@d DESC, b.k LIMIT ${limit}; PRINT S[S.k AS k, S.@d AS d, S.@n AS n];`,
    sql: `SELECT b.k AS k, sum(a.d) AS d, count(*) AS n FROM p a JOIN ${hop.table} e ON e.src = a.k JOIN p b ON b.k = e.dst WHERE ${where.sql}
      GROUP BY b.k, b.i HAVING count(*) > ${least} AND b.i > -2 ORDER BY d DESC, k LIMIT ${limit}`,
    isOrdered: true,
  }
}

/** The classic notation, and a set from hop to hop. */
export const classicHops: Shape = (dice) => {
  const types = [
    { v1: 'K', table: 'ek' },
    { v1: 'L', table: 'el' },
    { v1: 'U', table: 'us' },
    { v1: 'K_R', table: 'kr' },
    { v1: '(L_R|U)', table: '(SELECT * FROM lr UNION ALL SELECT * FROM us)' },
  ]
  const [first, second] = [dice.pick(types), dice.pick(types)]
  const where = joined(dice, [() => personCondition(dice, 's'), () => edgeCondition(dice, 'e')])
  return {
    form: 'v1',
    text: `SumAccum<INT> @n; A = {P.*}; A = SELECT t FROM A:s -(${first.v1}:e)-> P:t WHERE ${where.gsql};
      A = SELECT t FROM A:s -(${second.v1}:e)-> P:t ACCUM t.@n += e.w POST-ACCUM t.@n = t.@n * 2; PRINT A[A.k AS k, A.@n AS n];`,
    sql: `WITH a AS (SELECT DISTINCT e.dst AS k FROM p s JOIN ${first.table} e ON e.src = s.k WHERE ${where.sql})
      SELECT e.dst AS k, (sum(e.w) * 2)::BIGINT AS n FROM a JOIN ${second.table} e ON e.src = a.k GROUP BY e.dst`,
    isOrdered: false,
  }
}

export const groupAccum: Shape = (dice) => {
  const hop = dice.pick(hops)
  const where = personCondition(dice, 'b')
  return {
    form: 'v2',
    text: `GroupByAccum<DOUBLE d, STRING s, SumAccum<INT> n, MaxAccum<INT> high> @@g; S = SELECT b FROM P:a -(${hop.v2}:e)- P:b WHERE ${where.gsql} ACCUM @@g += (a.d, b.s -> 1, e.w); PRINT @@g;`,
    sql: `SELECT a.d AS d, b.s AS s, count(*) AS n, max(e.w) AS high FROM p a JOIN ${hop.table} e ON e.src = a.k JOIN p b ON b.k = e.dst WHERE ${where.sql} GROUP BY a.d, b.s`,
    isOrdered: false,
  }
}

export const bestOf: Shape = (dice) => {
  const order = dice.pick(['ASC', 'DESC'])
  const size = dice.between(1, 5)
  const where = peopleWhere(dice, 'a')
  return {
    form: 'v2',
    text: `TYPEDEF TUPLE<DOUBLE d, STRING k> T2; HeapAccum<T2>(${size}, d ${order}, k ASC) @@h; S = SELECT a FROM P:a WHERE ${where.gsql} ACCUM @@h += T2(a.d, a.k); PRINT @@h;`,
    sql: `SELECT a.d AS d, a.k AS k FROM p a WHERE ${where.sql} ORDER BY a.d ${order}, a.k LIMIT ${size}`,
    isOrdered: true,
  }
}

/** Distances from some vertices, by a loop over the frontier. */
export const distances: Shape = (dice) => {
  const hop = dice.pick(hops)
  const where = personCondition(dice, 'a')
  return {
    form: 'v2',
    text: `MinAccum<INT> @d = 99; F = SELECT a FROM P:a WHERE ${where.gsql} POST-ACCUM a.@d = 0; INT i = 0;
      WHILE F.size() > 0 LIMIT 20 DO i = i + 1; F = SELECT t FROM F:s -(${hop.v2})- P:t WHERE t.@d == 99 POST-ACCUM t.@d = i; END;
      S = SELECT a FROM P:a WHERE a.@d < 99; PRINT S[S.k AS k, S.@d AS d];`,
    sql: `WITH RECURSIVE r AS (SELECT a.k, 0 AS d FROM p a WHERE ${where.sql} UNION SELECT e.dst, r.d + 1 FROM r JOIN ${hop.table} e ON e.src = r.k WHERE r.d < 9)
      SELECT k, min(d) AS d FROM r GROUP BY k`,
    isOrdered: false,
  }
}

export const degrees: Shape = (dice) => {
  const where = peopleWhere(dice, 'a')
  return {
    form: 'v2',
    text: `SELECT a.k AS k, a.outdegree("K") AS k1, a.outdegree("K_R") AS k2, a.outdegree("L") AS l1, a.outdegree("U") AS u1, CASE WHEN a.d > 1 THEN "more" WHEN a.i > 1 THEN "int" ELSE a.s END AS word INTO T FROM P:a WHERE ${where.gsql}; PRINT T;`,
    sql: `SELECT a.k AS k, (SELECT count(*) FROM ek WHERE src = a.k) AS k1, (SELECT count(*) FROM kr WHERE src = a.k) AS k2, (SELECT count(*) FROM el WHERE src = a.k) AS l1,
      (SELECT count(*) FROM us WHERE src = a.k) AS u1, CASE WHEN a.d > 1 AND NOT isnan(a.d) THEN 'more' WHEN a.i > 1 THEN 'int' ELSE a.s END AS word FROM p a WHERE ${where.sql}`,
    isOrdered: false,
  }
}
