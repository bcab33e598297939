/** Hops between people, as GSQL writes them and as tables of DuckDB, and what shapes are. */
import type { Dice } from '../oracle/fuzz/dice.ts'
import type { Question } from './engines.ts'

/** Makes one question. */
export type Shape = (dice: Dice) => Omit<Question, 'shape'>

/** A hop between people: as V2 and V3 write it, and its table.  */
interface Hop {
  readonly v2: string
  readonly v3: (alias: string) => string
  readonly table: string
}

export const hops: readonly Hop[] = [
  { v2: 'K>', v3: (e) => `-[${e}:K]->`, table: 'ek' },
  { v2: '<K', v3: (e) => `<-[${e}:K]-`, table: 'kr' },
  { v2: 'L>', v3: (e) => `-[${e}:L]->`, table: 'el' },
  { v2: '<L', v3: (e) => `<-[${e}:L]-`, table: 'lr' },
  { v2: 'K_R>', v3: (e) => `-[${e}:K_R]->`, table: 'kr' },
  { v2: 'L_R>', v3: (e) => `-[${e}:L_R]->`, table: 'lr' },
  { v2: '<K_R', v3: (e) => `<-[${e}:K_R]-`, table: 'ek' },
  { v2: 'U', v3: (e) => `~[${e}:U]~`, table: 'us' },
]

/** How many walks of each length up to `high` there are from x to y. */
export function walksSql(table: string, high: number): string {
  const steps = Array.from({ length: high }, (_, at) => {
    const from = `w${at}`
    return `w${at + 1} AS (SELECT ${from}.x, e.dst AS y, ${at + 1} AS len, sum(${from}.n)::BIGINT AS n FROM ${from} JOIN ${table} e ON e.src = ${from}.y GROUP BY ${from}.x, e.dst)`
  })
  const all = Array.from({ length: high + 1 }, (_, at) => `SELECT * FROM w${at}`)
  return `WITH w0 AS (SELECT k AS x, k AS y, 0 AS len, 1::BIGINT AS n FROM p)${steps
    .map((step) => `, ${step}`)
    .join('')}, walks AS (${all.join(' UNION ALL ')})`
}
