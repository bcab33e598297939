/** Shapes of patterns in GSQL: rows and counts of what they match. The SQL is written by hand. */
import { edgeCondition, joined, peopleWhere, personCondition } from './conditions.ts'
import { hops, type Shape, walksSql } from './hops.ts'

/** Some types at once: each edge is met once by each of its directions that is named. */
const unions: readonly { readonly v2: string; readonly tables: readonly string[] }[] = [
  { v2: '(K>|<L)', tables: ['ek', 'lr'] },
  { v2: '(K>|L>|U)', tables: ['ek', 'el', 'us'] },
  { v2: '(<K|U)', tables: ['kr', 'us'] },
  { v2: '(K>|<K)', tables: ['ek', 'kb'] },
  // A reverse type is a type of its own, also of a loop.
  { v2: '(K>|K_R>)', tables: ['ek', 'kr'] },
]

const unionOf = (tables: readonly string[]) =>
  `(${tables.map((table) => `SELECT * FROM ${table}`).join(' UNION ALL ')})`

const printed = (rows: string) => `${rows} PRINT T;`

export const oneHop: Shape = (dice) => {
  const hop = dice.pick(hops)
  const where = joined(dice, [
    () => personCondition(dice, 'a'),
    () => personCondition(dice, 'b'),
    () => edgeCondition(dice, 'e'),
  ])
  return {
    form: 'v2',
    text: printed(
      `SELECT a.k AS x, b.k AS y, e.w AS w INTO T FROM P:a -(${hop.v2}:e)- P:b WHERE ${where.gsql};`,
    ),
    sql: `SELECT a.k AS x, b.k AS y, e.w AS w FROM p a JOIN ${hop.table} e ON e.src = a.k JOIN p b ON b.k = e.dst WHERE ${where.sql}`,
    isOrdered: false,
  }
}

export const twoHops: Shape = (dice) => {
  const [first, second] = [dice.pick(hops), dice.pick(hops)]
  const where = joined(dice, [
    () => personCondition(dice, 'a'),
    () => personCondition(dice, 'm'),
    () => edgeCondition(dice, 'f'),
  ])
  const pattern = dice.chance(50)
    ? `P:a -(${first.v2}:e)- P:m -(${second.v2}:f)- P:b`
    : `P:a -(${first.v2}:e)- P:m, P:m -(${second.v2}:f)- P:b`
  return {
    form: 'v2',
    text: printed(
      `SELECT a.k AS x, m.k AS y, b.k AS z, e.w + f.w AS w INTO T FROM ${pattern} WHERE ${where.gsql};`,
    ),
    sql: `SELECT a.k AS x, m.k AS y, b.k AS z, e.w + f.w AS w FROM p a JOIN ${first.table} e ON e.src = a.k JOIN p m ON m.k = e.dst
      JOIN ${second.table} f ON f.src = m.k JOIN p b ON b.k = f.dst WHERE ${where.sql}`,
    isOrdered: false,
  }
}

/** The same vertex at both ends, and the same vertex three times. */
export const triangles: Shape = (dice) => {
  const [first, second, third] = [dice.pick(hops), dice.pick(hops), dice.pick(hops)]
  const where = peopleWhere(dice, 'a', 'b', 'c')
  const isV3 = dice.chance(50)
  const pattern = isV3
    ? `(a:P)${first.v3('e')}(b:P)${second.v3('f')}(c:P)${third.v3('h')}(a)`
    : `P:a -(${first.v2}:e)- P:b -(${second.v2}:f)- P:c -(${third.v2}:h)- P:a`
  return {
    form: isV3 ? 'v3' : 'v2',
    text: printed(
      `SELECT a.k AS x, count(*) AS n INTO T FROM ${pattern} WHERE ${where.gsql} GROUP BY a.k;`,
    ),
    sql: `SELECT a.k AS x, count(*) AS n FROM p a JOIN ${first.table} e ON e.src = a.k JOIN p b ON b.k = e.dst
      JOIN ${second.table} f ON f.src = b.k JOIN p c ON c.k = f.dst JOIN ${third.table} h ON h.src = c.k AND h.dst = a.k
      WHERE ${where.sql} GROUP BY a.k`,
    isOrdered: false,
  }
}

/** A walk of three hops in version 3, each with a condition of its own. */
export const threeHops: Shape = (dice) => {
  const [first, second, third] = [dice.pick(hops), dice.pick(hops), dice.pick(hops)]
  const inner = personCondition(dice, 'm')
  const onEdge = edgeCondition(dice, 'f')
  return {
    form: 'v3',
    text: printed(
      `SELECT a.k AS x, b.k AS y, count(*) AS n INTO T FROM (a:P)${first.v3('e')}(m:P WHERE ${inner.gsql})${second.v3('f')}(q:P)${third.v3('')}(b:P) WHERE ${onEdge.gsql} GROUP BY a.k, b.k;`,
    ),
    sql: `SELECT a.k AS x, b.k AS y, count(*) AS n FROM p a JOIN ${first.table} e ON e.src = a.k JOIN p m ON m.k = e.dst
      JOIN ${second.table} f ON f.src = m.k JOIN p q ON q.k = f.dst JOIN ${third.table} h ON h.src = q.k JOIN p b ON b.k = h.dst
      WHERE ${inner.sql} AND ${onEdge.sql} GROUP BY a.k, b.k`,
    isOrdered: false,
  }
}

/** People of one city, as a join by comma over two patterns. */
export const sameCity: Shape = (dice) => {
  const where = peopleWhere(dice, 'a', 'b')
  const hop = dice.pick(hops)
  return {
    form: 'v2',
    text: printed(
      `SELECT a.k AS x, b.k AS y, c.k AS z INTO T FROM P:a -(${hop.v2})- P:b, P:a -(H>)- C:c, P:b -(H>)- C:c WHERE ${where.gsql};`,
    ),
    sql: `SELECT a.k AS x, b.k AS y, c.k AS z FROM p a JOIN ${hop.table} e ON e.src = a.k JOIN p b ON b.k = e.dst
      JOIN eh f ON f.src = a.k JOIN c ON c.k = f.dst JOIN eh h ON h.src = b.k AND h.dst = c.k WHERE ${where.sql}`,
    isOrdered: false,
  }
}

export const alternatives: Shape = (dice) => {
  const { v2, tables } = dice.pick(unions)
  const where = joined(dice, [() => personCondition(dice, 'a'), () => edgeCondition(dice, 'e')])
  return {
    form: 'v2',
    text: printed(
      `SELECT a.k AS x, b.k AS y, e.w AS w INTO T FROM P:a -(${v2}:e)- P:b WHERE ${where.gsql};`,
    ),
    sql: `SELECT a.k AS x, b.k AS y, e.w AS w FROM p a JOIN ${unionOf(tables)} e ON e.src = a.k JOIN p b ON b.k = e.dst WHERE ${where.sql}`,
    isOrdered: false,
  }
}

/** Any edge in any direction, met once from each of its ends: reverse types are not edges of their own. */
export const anyEdge: Shape = (dice) => {
  const where = personCondition(dice, 'a')
  return {
    form: 'v2',
    text: printed(
      `SELECT a.k AS x, b.k AS y, count(*) AS n INTO T FROM P:a -((K>|<K|L>|<L|U):e)- P:b WHERE ${where.gsql} GROUP BY a.k, b.k;`,
    ),
    sql: `SELECT a.k AS x, b.k AS y, count(*) AS n FROM p a JOIN ${unionOf(['ek', 'kb', 'el', 'lb', 'us'])} e ON e.src = a.k JOIN p b ON b.k = e.dst WHERE ${where.sql} GROUP BY a.k, b.k`,
    isOrdered: false,
  }
}

/** A target of either vertex type. */
export const mixedTargets: Shape = (dice) => {
  const hop = dice.pick(hops)
  const where = joined(dice, [() => personCondition(dice, 'a'), () => edgeCondition(dice, 'e')])
  const least = dice.between(-1, 3)
  return {
    form: 'v2',
    text: printed(
      `SELECT a.k AS x, b.k AS y, b.i AS i, e.w AS w INTO T FROM P:a -((H>|${hop.v2}):e)- (P|C):b WHERE b.i >= ${least} AND (${where.gsql});`,
    ),
    sql: `SELECT a.k AS x, b.k AS y, b.i AS i, e.w AS w FROM p a JOIN ${unionOf(['eh', hop.table])} e ON e.src = a.k
      JOIN (SELECT k, i FROM p UNION ALL SELECT k, i FROM c) b ON b.k = e.dst WHERE b.i >= ${least} AND (${where.sql})`,
    isOrdered: false,
  }
}

/** From the cities, against the direction of the edges. */
export const fromCities: Shape = (dice) => {
  const hop = dice.pick(hops)
  const where = peopleWhere(dice, 'a', 'b')
  const isV3 = dice.chance(50)
  const pattern = isV3
    ? `(c:C)<-[h:H]-(a:P)${hop.v3('e')}(b:P)`
    : `C:c -(<H:h)- P:a -(${hop.v2}:e)- P:b`
  return {
    form: isV3 ? 'v3' : 'v2',
    text: printed(
      `SELECT c.s AS s, count(*) AS n, sum(h.w * e.w) AS w INTO T FROM ${pattern} WHERE ${where.gsql} GROUP BY c.s;`,
    ),
    sql: `SELECT c.s AS s, count(*) AS n, sum(h.w * e.w)::BIGINT AS w FROM c JOIN eh h ON h.dst = c.k JOIN p a ON a.k = h.src
      JOIN ${hop.table} e ON e.src = a.k JOIN p b ON b.k = e.dst WHERE ${where.sql} GROUP BY c.s`,
    isOrdered: false,
  }
}

/** Walks of a length within bounds, of each pair those of its shortest length; over several types, too. */
export const repeated: Shape = (dice) => {
  const hop = dice.chance(60) ? dice.pick(hops) : null
  const several = dice.pick(unions)
  const [edges, table] = hop === null ? [several.v2, unionOf(several.tables)] : [hop.v2, hop.table]
  const low = dice.below(3)
  const high = low + dice.between(low === 0 ? 1 : 0, 2)
  const where = personCondition(dice, 'a')
  return {
    form: 'v2',
    text: printed(
      `SELECT a.k AS x, b.k AS y, count(*) AS n INTO T FROM P:a -(${edges}*${low}..${high})- P:b WHERE ${where.gsql} GROUP BY a.k, b.k;`,
    ),
    sql: `${walksSql(table, high)}, least AS (SELECT x, y, min(len) AS len FROM walks WHERE len >= ${low} GROUP BY x, y)
      SELECT w.x, w.y, w.n FROM walks w JOIN least l ON l.x = w.x AND l.y = w.y AND l.len = w.len JOIN p a ON a.k = w.x WHERE ${where.sql}`,
    isOrdered: false,
  }
}

/** In version 3: to the left or right, or in any direction. */
export const anyDirection: Shape = (dice) => {
  const [text, tables] = dice.pick([
    ['<-[e:K]->', ['ek', 'kb']],
    ['-[e:L]-', ['el', 'lb']],
    ['-[e:K|U]-', ['ek', 'kb', 'us']],
    ['~[e:K|U]~>', ['ek', 'us']],
    ['<~[e:L|U]~', ['lr', 'us']],
  ] as const)
  const where = joined(dice, [() => personCondition(dice, 'b'), () => edgeCondition(dice, 'e')])
  return {
    form: 'v3',
    text: printed(
      `SELECT a.k AS x, b.k AS y, e.w AS w INTO T FROM (a:P)${text}(b:P) WHERE ${where.gsql};`,
    ),
    sql: `SELECT a.k AS x, b.k AS y, e.w AS w FROM p a JOIN ${unionOf(tables)} e ON e.src = a.k JOIN p b ON b.k = e.dst WHERE ${where.sql}`,
    isOrdered: false,
  }
}

/** Whom one reaches by any number of hops, the start among them. */
export const reached: Shape = (dice) => {
  const hop = dice.pick(hops)
  const where = personCondition(dice, 'a')
  return {
    form: 'v2',
    text: `S = SELECT b FROM P:a -(${hop.v2}*)- P:b WHERE ${where.gsql}; PRINT S[S.k AS k];`,
    sql: `WITH RECURSIVE r AS (SELECT a.k FROM p a WHERE ${where.sql} UNION SELECT e.dst FROM r JOIN ${hop.table} e ON e.src = r.k) SELECT k FROM r`,
    isOrdered: false,
  }
}

/** Several hops one after the other without aliases, and a repetition between two hops. */
export const sequence: Shape = (dice) => {
  const [first, second] = [dice.pick(hops), dice.pick(hops)]
  const where = personCondition(dice, 'a')
  return {
    form: 'v2',
    text: printed(
      `SELECT a.k AS x, c.k AS y, count(*) AS n INTO T FROM P:a -(${first.v2}.${second.v2})- P:b -(H>)- C:c WHERE ${where.gsql} GROUP BY a.k, c.k;`,
    ),
    sql: `SELECT a.k AS x, c.k AS y, count(*) AS n FROM p a JOIN ${first.table} e ON e.src = a.k JOIN ${second.table} f ON f.src = e.dst
      JOIN eh h ON h.src = f.dst JOIN c ON c.k = h.dst WHERE ${where.sql} GROUP BY a.k, c.k`,
    isOrdered: false,
  }
}

/** Once for each pair of vertices, whatever lies between them. */
export const perPair: Shape = (dice) => {
  const [first, second] = [dice.pick(hops), dice.pick(hops)]
  const where = peopleWhere(dice, 'a', 'm')
  return {
    form: 'v2',
    text: `SumAccum<INT> @n; S = SELECT b FROM P:a -(${first.v2}:e)- P:m -(${second.v2}:f)- P:b WHERE ${where.gsql} PER (a, b) ACCUM b.@n += 1; PRINT S[S.k AS k, S.@n AS n];`,
    sql: `SELECT k, count(*) AS n FROM (SELECT DISTINCT a.k AS x, b.k AS k FROM p a JOIN ${first.table} e ON e.src = a.k JOIN p m ON m.k = e.dst
      JOIN ${second.table} f ON f.src = m.k JOIN p b ON b.k = f.dst WHERE ${where.sql}) GROUP BY k`,
    isOrdered: false,
  }
}
