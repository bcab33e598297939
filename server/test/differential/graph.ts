/**
 * Random graphs of one schema, as the requests that make them and as rows of tables.
 *
 * `P` and `C` are vertex types. `K` is directed, has a reverse type and one edge per pair; `L` likewise, with
 * a discriminator; `U` is undirected; `H` goes from `P` to `C`. Self loops, parallel edges, NaN and
 * attributes that were never given are as likely as anything else.
 */
import type { Dice } from '../oracle/fuzz/dice.ts'

export const SCHEMA = `
  CREATE VERTEX P (PRIMARY_ID id STRING, k STRING, i INT, d DOUBLE, s STRING, b BOOL)
  CREATE VERTEX C (PRIMARY_ID id STRING, k STRING, i INT, s STRING)
  CREATE DIRECTED EDGE K (FROM P, TO P, w INT, x DOUBLE) WITH REVERSE_EDGE="K_R"
  CREATE DIRECTED EDGE L (FROM P, TO P, DISCRIMINATOR(n INT), w INT) WITH REVERSE_EDGE="L_R"
  CREATE UNDIRECTED EDGE U (FROM P, TO P, w INT)
  CREATE DIRECTED EDGE H (FROM P, TO C, w INT)
  CREATE GRAPH g (P, C, K, L, U, H)
`

export interface Person {
  readonly k: string
  readonly i: number
  readonly d: number
  readonly s: string
  readonly b: boolean
}

export interface City {
  readonly k: string
  readonly i: number
  readonly s: string
}

export interface Edge {
  readonly type: 'K' | 'L' | 'U' | 'H'
  readonly from: string
  readonly to: string
  /** Discriminator; of an L edge only. */
  readonly n: number
  readonly w: number
  /** Of a K edge only. */
  readonly x: number
}

export interface Graph {
  readonly people: readonly Person[]
  readonly cities: readonly City[]
  readonly edges: readonly Edge[]
  /** Made with the others and deleted before anything is asked. */
  readonly gone: Pick<Graph, 'people' | 'cities' | 'edges'>
  /** Of the deltas into the base, before the deletions. */
  readonly isRebuilt: boolean
}

const texts = ['', 'ab', 'b', 'Ba', 'abc', 'ä', '"q"', 'b b']
const reals = [0, 0, 1.5, -2.25, 3, 1e10, 0.5, Number.NaN, Number.NaN]

function person(dice: Dice, k: string): Person {
  return {
    k,
    i: dice.between(-2, 5),
    d: dice.pick(reals),
    s: dice.pick(texts),
    b: dice.chance(50),
  }
}

function edge(dice: Dice, people: readonly Person[], cities: readonly City[]): Edge {
  const type = dice.pick(['K', 'K', 'L', 'L', 'U', 'H'] as const)
  const from = dice.pick(people).k
  const others = type === 'H' ? cities : people
  const to = type !== 'H' && dice.chance(15) ? from : dice.pick(others).k
  const x = type === 'K' ? dice.pick([0, 1.5, -2.25, 0.5]) : 0
  return { type, from, to, n: type === 'L' ? dice.below(3) : 0, w: dice.between(-1, 4), x }
}

/** Edges of one key are one edge: the last of them. */
export function keyOf({ type, from, to, n }: Edge): string {
  const ends = type === 'U' && to < from ? [to, from] : [from, to]
  return [type, ...ends, n].join(' ')
}

function distinct(edges: readonly Edge[]): Edge[] {
  return [...new Map(edges.map((one) => [keyOf(one), one])).values()]
}

export function makeGraph(dice: Dice): Graph {
  const people = dice.times(2, 7, (at) => person(dice, `p${at}`))
  const cities = dice.times(1, 3, (at): City => {
    return { k: `c${at}`, i: dice.below(4), s: dice.pick(texts) }
  })
  const ghosts = dice.times(0, 3, (at) => person(dice, `x${at}`))
  const edges = distinct(dice.times(0, 45, () => edge(dice, people, cities)))
  const wanted = new Set(edges.map(keyOf))
  const all = [...people, ...ghosts]
  const gone = distinct(dice.times(0, 10, () => edge(dice, all, cities)))
  return {
    people,
    cities,
    edges,
    gone: {
      people: ghosts,
      cities: [],
      edges: gone.filter((one) => !wanted.has(keyOf(one))),
    },
    isRebuilt: dice.chance(40),
  }
}

/** What is zero, empty or false is left out: the default of its type. */
function given(attributes: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const entries = Object.entries(attributes).filter(
    ([, value]) => value !== 0 && value !== '' && value !== false && !Number.isNaN(value),
  )
  return Object.fromEntries(entries.map(([name, value]) => [name, { value }]))
}

/** One upsert of everything, also of what is to be deleted. */
export function upsertBody({ people, cities, edges, gone }: Graph): unknown {
  const list = (vertices: readonly (Person | City)[]) =>
    Object.fromEntries(vertices.map((one) => [one.k, given({ ...one })]))
  const vertices = {
    P: list([...people, ...gone.people]),
    C: list([...cities, ...gone.cities]),
  }
  const bySource: Record<string, Record<string, Record<string, unknown>>> = {}
  for (const one of [...gone.edges, ...edges]) {
    const target = one.type === 'H' ? 'C' : 'P'
    const own = one.type === 'K' ? { x: one.x } : one.type === 'L' ? { n: one.n } : {}
    // Discriminators are always given.
    const values = {
      ...given({ w: one.w, ...own }),
      ...(one.type === 'L' && { n: { value: one.n } }),
    }
    bySource[one.from] ??= {}
    const types = bySource[one.from]!
    types[one.type] ??= { [target]: {} }
    const targets = types[one.type]![target] as Record<string, unknown>
    // Parallel edges are a list; a type without discriminators takes one edge.
    if (one.type !== 'L') targets[one.to] = values
    else targets[one.to] = [...((targets[one.to] ?? []) as unknown[]), values]
  }
  return { vertices, edges: { P: bySource } }
}

/** NaN is what only a query can write. */
export function nanQuery({ people }: Graph): string | null {
  const keys = people.filter(({ d }) => Number.isNaN(d)).map(({ k }) => `"${k}"`)
  if (keys.length === 0) return null
  return `S = SELECT s FROM P:s WHERE s.k IN (${keys.join(',')}) POST-ACCUM s.d = sqrt(-1);`
}

export function deletionQuery({ gone }: Graph): string | null {
  const edges = gone.edges.map(({ type, from, to, n }) => {
    const target = type === 'H' ? 'C' : 'P'
    const arrow = type === 'U' ? 'U' : `${type}>`
    const parallel = type === 'L' ? ` AND e.n == ${n}` : ''
    return `DELETE e FROM P:a -(${arrow}:e)- ${target}:b WHERE a.k == "${from}" AND b.k == "${to}"${parallel};`
  })
  const people = gone.people.map(({ k }) => `DELETE s FROM P:s WHERE s.k == "${k}";`)
  return edges.length + people.length === 0 ? null : [...edges, ...people].join('\n')
}

const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`
const real = (value: number) => (Number.isNaN(value) ? "'nan'::DOUBLE" : `${value}::DOUBLE`)

/**
 * The tables of a graph. `ek`, `el`, `eu` and `eh` have a row per edge; `us` has two per undirected edge, one for a
 * self loop. `kr` and `lr` are the reverse types, `kb` and `lb` what a pattern of both directions meets
 * beside `ek` and `el`: a self loop is met once.
 */
export function tables({ people, cities, edges }: Graph): string {
  const rows = (type: Edge['type']) =>
    edges.flatMap((one, at) => (one.type === type ? [{ ...one, at }] : []))
  const insert = (table: string, values: readonly string[]) =>
    values.length === 0 ? '' : `INSERT INTO ${table} VALUES ${values.join(',')};`
  const link = ({ at, from, to, n, w, x }: Edge & { at: number }) =>
    `(${at},${quoted(from)},${quoted(to)},${n},${w},${x}::DOUBLE)`
  return `
    CREATE OR REPLACE TABLE p (k TEXT, i BIGINT, d DOUBLE, s TEXT, b BOOLEAN);
    CREATE OR REPLACE TABLE c (k TEXT, i BIGINT, s TEXT);
    ${['k', 'l', 'u', 'h']
      .map(
        (one) =>
          `CREATE OR REPLACE TABLE e${one} (eid INT, src TEXT, dst TEXT, n BIGINT, w BIGINT, x DOUBLE);`,
      )
      .join('\n')}
    ${insert(
      'p',
      people.map(({ k, i, d, s, b }) => `(${quoted(k)},${i},${real(d)},${quoted(s)},${b})`),
    )}
    ${insert(
      'c',
      cities.map(({ k, i, s }) => `(${quoted(k)},${i},${quoted(s)})`),
    )}
    ${(['K', 'L', 'U', 'H'] as const).map((type) => insert(`e${type}`, rows(type).map(link))).join('\n')}
    CREATE OR REPLACE VIEW us AS
      SELECT * FROM eu UNION ALL SELECT eid, dst, src, n, w, x FROM eu WHERE src <> dst;
    CREATE OR REPLACE VIEW kr AS SELECT eid, dst AS src, src AS dst, n, w, x FROM ek;
    CREATE OR REPLACE VIEW lr AS SELECT eid, dst AS src, src AS dst, n, w, x FROM el;
    CREATE OR REPLACE VIEW kb AS SELECT * FROM kr WHERE src <> dst;
    CREATE OR REPLACE VIEW lb AS SELECT * FROM lr WHERE src <> dst;
  `
}
