/** Conditions on one alias, in the words of each language. */
import type { Dice } from '../oracle/fuzz/dice.ts'

export interface Condition {
  readonly gsql: string
  readonly cypher: string
  readonly sql: string
}

interface Spelled {
  readonly gsql: string
  readonly cypher?: string
  readonly sql?: string
}

/** `$` is the alias. DuckDB has NaN equal to itself and above all numbers, an operator of ours has not. */
const ofPeople: readonly Spelled[] = [
  { gsql: '$.i > 1', sql: '$.i > 1' },
  { gsql: '$.i <= 2', sql: '$.i <= 2' },
  { gsql: '$.i == 0', cypher: '$.i = 0', sql: '$.i = 0' },
  { gsql: '$.i != 3', cypher: '$.i <> 3', sql: '$.i <> 3' },
  { gsql: '$.i BETWEEN -1 AND 2', cypher: '-1 <= $.i AND $.i <= 2', sql: '$.i BETWEEN -1 AND 2' },
  { gsql: '$.i IN (1, 2, 5)', cypher: '$.i IN [1, 2, 5]', sql: '$.i IN (1, 2, 5)' },
  { gsql: '$.i NOT IN (0, 1)', cypher: 'NOT $.i IN [0, 1]', sql: '$.i NOT IN (0, 1)' },
  { gsql: '$.d > 0.5', sql: '($.d > 0.5 AND NOT isnan($.d))' },
  { gsql: '$.d >= 1.5', sql: '($.d >= 1.5 AND NOT isnan($.d))' },
  { gsql: '$.d < 2', sql: '($.d < 2 AND NOT isnan($.d))' },
  { gsql: 'NOT ($.d < 2)', sql: '($.d >= 2 OR isnan($.d))' },
  { gsql: '$.d == $.d', cypher: '$.d = $.d', sql: 'NOT isnan($.d)' },
  { gsql: '$.d != 1.5', cypher: '$.d <> 1.5', sql: '$.d <> 1.5' },
  { gsql: '$.s == "ab"', cypher: "$.s = 'ab'", sql: "$.s = 'ab'" },
  { gsql: '$.s < "b"', cypher: "$.s < 'b'", sql: "$.s < 'b'" },
  { gsql: '$.s LIKE "%b%"', cypher: "$.s CONTAINS 'b'", sql: "$.s LIKE '%b%'" },
  { gsql: '$.s LIKE "_b%"', cypher: "substring($.s, 1, 1) = 'b'", sql: "$.s LIKE '_b%'" },
  { gsql: '$.s != ""', cypher: "$.s <> ''", sql: "$.s <> ''" },
  { gsql: '$.b', sql: '$.b' },
  { gsql: '$.b == FALSE', cypher: '$.b = false', sql: 'NOT $.b' },
  { gsql: '$.i % 2 == 0', cypher: '$.i % 2 = 0', sql: '$.i % 2 = 0' },
  { gsql: '$.i * 2 - 1 > $.d', sql: '($.i * 2 - 1 > $.d AND NOT isnan($.d))' },
]

const ofEdges: readonly Spelled[] = [
  { gsql: '$.w > 1' },
  { gsql: '$.w != 0', cypher: '$.w <> 0', sql: '$.w <> 0' },
  { gsql: '$.w == 2', cypher: '$.w = 2', sql: '$.w = 2' },
  { gsql: '$.w <= 3' },
]

function spelled({ gsql, cypher = gsql, sql = cypher }: Spelled, alias: string): Condition {
  const of = (text: string) => text.replaceAll('$', alias)
  return { gsql: of(gsql), cypher: of(cypher), sql: of(sql) }
}

export const personCondition = (dice: Dice, alias: string): Condition =>
  spelled(dice.pick(ofPeople), alias)

export const edgeCondition = (dice: Dice, alias: string): Condition =>
  spelled(dice.pick(ofEdges), alias)

const everything: Condition = { gsql: 'TRUE', cypher: 'true', sql: 'TRUE' }

/** Of several, joined by AND, OR and NOT. @param atoms one per condition */
export function joined(dice: Dice, atoms: readonly (() => Condition)[]): Condition {
  if (dice.chance(20)) return everything
  const parts = dice.times(1, 3, () => {
    const { gsql, cypher, sql } = dice.pick(atoms)()
    const isNegated = dice.chance(20)
    const of = (text: string) => (isNegated ? `NOT (${text})` : `(${text})`)
    return { gsql: of(gsql), cypher: of(cypher), sql: of(sql) }
  })
  const operator = dice.chance(60) ? 'AND' : 'OR'
  const join = (language: keyof Condition) =>
    parts.map((part) => part[language]).join(` ${operator} `)
  return { gsql: join('gsql'), cypher: join('cypher'), sql: join('sql') }
}

/** On people, by their aliases. */
export const peopleWhere = (dice: Dice, ...aliases: readonly string[]): Condition =>
  joined(
    dice,
    aliases.map((alias) => () => personCondition(dice, alias)),
  )
