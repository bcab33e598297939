/**
 * Queries that use a name of an argument behind random guards, and whether the run reaches the use.
 * The people are those of `social-data.ts`.
 */
import type { Random } from '#kernel/prng.ts'

interface Person {
  readonly name: string
  readonly age: number
  /** Edges of type Knows. */
  readonly known: number
}

const people: readonly Person[] = [
  { name: 'Ada', age: 30, known: 2 },
  { name: 'Bo', age: 20, known: 2 },
  { name: 'Cy', age: 40, known: 3 },
  { name: 'Di', age: 50, known: 1 },
]

interface Guard<T> {
  readonly text: string
  readonly holds: (row: T) => boolean
}

/** A name or a text that an argument gives. */
interface Use {
  /** An INT of the vertex `s`. */
  readonly text: string
  /** Part of the error when the name is unknown. */
  readonly error: string
}

const uses: readonly Use[] = [
  { text: 's.outdegree(et)', error: '"NoEdge" is not a valid edge type.' },
  { text: 's.neighbors(et).size()', error: '"NoEdge" is not a valid edge type.' },
  { text: 's.edgeAttribute(et, "since").size()', error: '"NoEdge" is not a valid edge type.' },
  {
    text: 's.neighborAttribute("Knows", vt, "age").size()',
    error: '"NoType" is not a valid vertex type.',
  },
  { text: 's.getAttr(a, "INT")', error: 'no attribute "NoAttr" here.' },
  { text: 'evaluate(text, "INT")', error: 'no attribute "NoAttr" on Person' },
  { text: 'degree_of(s, et)', error: '"NoEdge" is not a valid edge type.' },
]

/** The query that `uses` call. */
export const callee =
  'CREATE QUERY degree_of(VERTEX v, STRING et) RETURNS (INT) { RETURN v.outdegree(et); }'

export const header = '(BOOL yes, BOOL no, STRING et, STRING vt, STRING a, STRING text)'
const truths = { yes: 'true', no: 'false' }
export const known = { ...truths, et: 'Knows', vt: 'Person', a: 'age', text: 's.age' }
export const unknown = { ...truths, et: 'NoEdge', vt: 'NoType', a: 'NoAttr', text: 's.NoAttr' }

export interface GuardedQuery {
  readonly body: string
  readonly isReached: boolean
  readonly error: string
}

/** Over the people: the use is reached when the guard holds for one of them. */
type Statement = (guard: string, use: string) => string

const people4 = 'S = {Person.*};'
const rowStatements: readonly Statement[] = [
  (g, u) => `S = SELECT s FROM S:s ACCUM IF ${g} THEN @@n += ${u} ELSE @@n += 1 END;`,
  (g, u) => `S = SELECT s FROM S:s ACCUM @@n += CASE WHEN ${g} THEN ${u} ELSE 1 END;`,
  (g, u) => `S = SELECT s FROM S:s ACCUM INT x = 0, IF ${g} THEN x = ${u} END, @@n += x;`,
  (g, u) =>
    `S = SELECT s FROM S:s ACCUM FOREACH i IN RANGE [1, CASE WHEN ${g} THEN 2 ELSE 0 END] DO @@n += ${u} END;`,
  (g, u) => `S = SELECT s FROM S:s POST-ACCUM IF ${g} THEN s.@d += ${u} END;`,
  (g, u) => `S = SELECT s FROM S:s POST-ACCUM s.@d += CASE WHEN NOT (${g}) THEN 1 ELSE ${u} END;`,
  (g, u) => `T = SELECT s FROM S:s WHERE (${g}) AND ${u} > -1; @@n += T.size();`,
  (g, u) => `T = SELECT s FROM S:s WHERE NOT (${g}) OR ${u} > -1; @@n += T.size();`,
  (g, u) => `T = SELECT s FROM S:s WHERE NOT ((${g}) AND ${u} > -1); @@n += T.size();`,
  (g, u) => `T = SELECT s FROM S:s HAVING (${g}) AND ${u} > -1; @@n += T.size();`,
  (g, u) => `T = SELECT s FROM S:s ORDER BY CASE WHEN ${g} THEN ${u} ELSE s.age END; PRINT T;`,
  (g, u) => `T = SELECT t FROM S:s -(Knows)- Person:t ACCUM IF ${g} THEN t.@d += ${u} END;`,
  (g, u) =>
    `T = SELECT t FROM S:s -(Follows>)- Person:t ACCUM @@n += 1, IF ${g} THEN @@n += ${u} END;`,
  (g, u) =>
    `T = SELECT t FROM S:s -(Follows>)- Person:t WHERE (${g}) AND ${u} > -1; PRINT T.size();`,
  (g, u) =>
    `T = SELECT t FROM Person:t -(<Follows)- S:s WHERE NOT (${g}) OR ${u} > -1; PRINT T.size();`,
  (g, u) =>
    `T = SELECT t FROM S:s -(Follows>.Follows>)- Person:t WHERE (${g}) AND ${u} > -1; PRINT T.size();`,
  (g, u) =>
    `T = SELECT t FROM S:s -(Follows>*1..2)- Person:t WHERE (${g}) AND ${u} > -1; PRINT T.size();`,
  (g, u) =>
    `SELECT s.name AS who, CASE WHEN ${g} THEN ${u} ELSE 1 END AS n INTO R FROM Person:s; PRINT R;`,
  (g, u) => `SELECT count(*) AS n INTO R FROM Person:s WHERE (${g}) AND ${u} > -1; PRINT R;`,
  (g, u) => `V = SELECT s FROM S:s WHERE ${g}; FOREACH s IN V DO @@n += ${u}; END;`,
]

/** Those whose use is a part of a pattern. */
const hopStatements: readonly {
  readonly statement: (guard: string) => string
  readonly error: string
}[] = [
  {
    statement: (g) => `T = SELECT t FROM S:s -(et:e)- :t WHERE ${g}; PRINT T.size();`,
    error: '"NoEdge" is not a valid edge type.',
  },
  {
    statement: (g) =>
      `T = SELECT t FROM S:s -(Knows)- :m -(et)- :t WHERE ${g} ACCUM @@n += 1; PRINT T.size();`,
    error: '"NoEdge" is not a valid edge type.',
  },
  {
    statement: (g) =>
      `T = SELECT t FROM S:s -((Follows>|et>)*1..2)- :t WHERE ${g}; PRINT T.size();`,
    error: '"NoEdge" is not a valid edge type.',
  },
  {
    statement: (g) =>
      `T = SELECT t FROM S:s -(Knows)- vt:t WHERE ${g} ACCUM t.@d += 1; PRINT T.size();`,
    error: '"NoType" is not a valid vertex type.',
  },
]

export class GuardedQueries {
  readonly #random: Random

  constructor(random: Random) {
    this.#random = random
  }

  next(): GuardedQuery {
    const row = this.#rowGuard(3)
    const reached = people.some((person) => row.holds(person))
    const { text, error } = this.#statement(row.text)
    const inner = this.#wrapped(text, 2)
    const body = `SumAccum<INT> @@n, @d; ${people4} ${inner.text} PRINT @@n, S[S.@d];`
    return { body, error, isReached: reached && inner.isReached }
  }

  #statement(guard: string): { readonly text: string; readonly error: string } {
    if (this.#random.below(5) === 0) {
      const { statement, error } = this.#pick(hopStatements)
      return { text: statement(`(${guard})`), error }
    }
    const { text, error } = this.#pick(uses)
    const statement = this.#pick(rowStatements)
    return { text: statement(guard, text), error }
  }

  /** Inside branches and loops of the body. */
  #wrapped(text: string, depth: number): { readonly text: string; readonly isReached: boolean } {
    if (depth === 0) return { text, isReached: true }
    const inner = this.#wrapped(text, depth - 1)
    const guard = this.#bodyGuard(2)
    const holds = guard.holds(null)
    const isReached = holds && inner.isReached
    switch (this.#random.below(6)) {
      case 0:
        return { text: `IF ${guard.text} THEN ${inner.text} END;`, isReached }
      case 1:
        return {
          text: `IF NOT (${guard.text}) THEN @@n += 1; ELSE ${inner.text} END;`,
          isReached,
        }
      case 2: {
        const rounds = this.#random.below(3)
        return {
          text: `FOREACH k IN RANGE [1, ${rounds}] DO ${inner.text} END;`,
          isReached: rounds > 0 && inner.isReached,
        }
      }
      case 3:
        return { text: `WHILE ${guard.text} LIMIT 1 DO ${inner.text} END;`, isReached }
      case 4:
        return {
          text: `CASE WHEN ${guard.text} THEN ${inner.text} ELSE @@n += 2; END;`,
          isReached,
        }
      default:
        return inner
    }
  }

  #bodyGuard(depth: number): Guard<null> {
    return this.#combined(depth, () => this.#pick(constants), this.#bodyGuard.bind(this))
  }

  #rowGuard(depth: number): Guard<Person> {
    return this.#combined(depth, () => this.#leaf(), this.#rowGuard.bind(this))
  }

  #combined<T>(depth: number, leaf: () => Guard<T>, inner: (depth: number) => Guard<T>): Guard<T> {
    const kind = depth === 0 ? 3 : this.#random.below(5)
    if (kind > 2) return leaf()
    const left = inner(depth - 1)
    if (kind === 0) return { text: `NOT (${left.text})`, holds: (row) => !left.holds(row) }
    const right = inner(depth - 1)
    const isAnd = kind === 1
    return {
      text: `(${left.text} ${isAnd ? 'AND' : 'OR'} ${right.text})`,
      holds: (row) =>
        isAnd ? left.holds(row) && right.holds(row) : left.holds(row) || right.holds(row),
    }
  }

  #leaf(): Guard<Person> {
    const age = this.#pick([10, 25, 45, 99])
    const name = this.#pick(['Ada', 'Di', 'Nobody'])
    return this.#pick<Guard<Person>>([
      ...constants,
      { text: `s.age > ${age}`, holds: (person) => person.age > age },
      { text: `s.name == "${name}"`, holds: (person) => person.name === name },
      { text: 's.outdegree("Knows") > 2', holds: ({ known }) => known > 2 },
    ])
  }

  #pick<T>(items: readonly T[]): T {
    return items[this.#random.below(items.length)]!
  }
}

const constants: readonly Guard<unknown>[] = [
  { text: 'yes', holds: () => true },
  { text: 'no', holds: () => false },
  { text: '1 == 1', holds: () => true },
  { text: 'et == ""', holds: () => false },
]
