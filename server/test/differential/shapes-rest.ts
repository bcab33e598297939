/** Shapes of REST requests: `filter`, `sort`, `limit` and `select` of vertices and edges. */
import type { Shape } from './hops.ts'

const filters = [
  { text: 'i>1', sql: 'i > 1' },
  { text: 'i<=2', sql: 'i <= 2' },
  { text: 'd>=1.5', sql: 'd >= 1.5 AND NOT isnan(d)' },
  { text: 'd<2', sql: 'd < 2 AND NOT isnan(d)' },
  { text: 'd!=0', sql: 'd <> 0' },
  { text: 'd=0', sql: 'd = 0' },
  { text: 's="ab"', sql: "s = 'ab'" },
  { text: 's>="b"', sql: "s >= 'b'" },
  { text: 's!=""', sql: "s <> ''" },
  { text: 's="\\"q\\""', sql: `s = '"q"'` },
  { text: 'b=true', sql: 'b' },
] as const

export const restVertices: Shape = (dice) => {
  const some = dice.some(filters, 12)
  const [key, sign] = [dice.pick(['d', 'i', 's', 'b']), dice.pick(['', '-'])]
  const limit = dice.between(1, 6)
  const filter = some.map(({ text }) => text).join(',')
  const parameters = new URLSearchParams({
    select: 'k,i,d',
    sort: `${sign}${key},k`,
    limit: String(limit),
    ...(filter !== '' && { filter }),
  })
  const where = some.map(({ sql }) => `(${sql})`).join(' AND ') || 'TRUE'
  return {
    form: 'rest',
    text: `/restpp/graph/g/vertices/P?${parameters}`,
    sql: `SELECT k AS v_id, k, i, d FROM p WHERE ${where} ORDER BY ${key}${sign === '-' ? ' DESC' : ''}, k LIMIT ${limit}`,
    isOrdered: true,
  }
}

export const restCount: Shape = (dice) => {
  const some = dice.some(filters, 30)
  const filter = some.map(({ text }) => text).join(',')
  const parameters = new URLSearchParams({ count_only: 'true', ...(filter !== '' && { filter }) })
  const where = some.map(({ sql }) => `(${sql})`).join(' AND ') || 'TRUE'
  return {
    form: 'rest',
    text: `/restpp/graph/g/vertices/P?${parameters}`,
    sql: `SELECT 'P' AS v_type, count(*) AS count FROM p WHERE ${where}`,
    isOrdered: false,
  }
}

export const restEdges: Shape = (dice) => {
  const [type, table, target] = dice.pick([
    ['K', 'ek', 'P'],
    ['L', 'el', 'P'],
    ['U', 'us', 'P'],
    ['K_R', 'kr', 'P'],
    ['L_R', 'lr', 'P'],
    ['H', 'eh', 'C'],
  ] as const)
  const from = `p${dice.below(2)}`
  const least = dice.between(-1, 2)
  const sign = dice.pick(['', '-'])
  const parameters = new URLSearchParams({ filter: `w>=${least}`, sort: `${sign}w` })
  // Equal weights are in no given order: the rows are compared as a set.
  return {
    form: 'rest',
    text: `/restpp/graph/g/edges/P/${from}/${type}/${target}?${parameters}`,
    sql: `SELECT src AS from_id, dst AS to_id, w FROM ${table} WHERE src = '${from}' AND w >= ${least}`,
    isOrdered: false,
  }
}
