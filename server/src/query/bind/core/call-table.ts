/**
 * The queries that one query calls, each bound once per combination of the type names it is given.
 *
 * A called query is found by name, bound with the caller's catalogue, and kept in `callees`, which
 * all calls of the whole tree index. Calling oneself is a reference to the entry that is being
 * bound; calling each other in a ring is refused.
 */

import type { BoundParameter, BoundQuery } from '#query/ir/bound.ts'
import type { ValueType } from '#query/ir/types.ts'
import type { QuerySyntax } from '#query/syntax/ast-statement.ts'
import type { LineTable } from '#query/syntax/source.ts'

/** A query's text, read. */
export interface CalleeSyntax {
  readonly node: QuerySyntax
  readonly lines: LineTable
}

/** What a call needs to know. */
export interface CalleeSignature {
  readonly parameters: readonly BoundParameter[]
  /** Slots that name types, attributes or files. */
  readonly typeParameters: readonly number[]
  readonly returns: ValueType | null
}

export type TypeArguments = ReadonlyMap<string, readonly string[]>

export interface CallTableOptions {
  readonly find: (name: string) => CalleeSyntax | null
  /** Null: it has errors. */
  readonly bind: (
    callee: CalleeSyntax,
    typeArguments: TypeArguments,
    table: CallTable,
  ) => BoundQuery | null
  /** Of the header alone. */
  readonly header: (callee: CalleeSyntax) => CalleeSignature | null
}

/** Called queries of one tree, specialisations counted. */
export const CALLEES_MAX = 200
/** Not to be run: something of the call is only known with type names. */
export const UNKNOWN_CALLEE = -1

/** Keeps the place of a query that cannot be bound: other calls have their indexes already. */
function emptied(query: BoundQuery | null): BoundQuery | null {
  const uses = { vertexTypeIds: [], edgeTypeIds: [], attributes: [] }
  return query === null ? null : { ...query, vertexSets: [], body: [], uses }
}

export type Lookup = 'missing' | 'faulty' | 'mutual' | CalleeSignature

export class CallTable {
  readonly #options: CallTableOptions
  readonly #callees: (BoundQuery | null)[] = []
  readonly #indexes = new Map<string, number>()
  readonly #general = new Map<string, BoundQuery | null>()
  /** Names being bound, innermost last. */
  readonly #open: string[] = []

  constructor(options: CallTableOptions) {
    this.#options = options
  }

  /** Complete once the caller is bound. */
  get callees(): readonly BoundQuery[] {
    return this.#callees.filter((callee) => callee !== null)
  }

  lookup(name: string): Lookup {
    const callee = this.#options.find(name)
    if (callee === null) return 'missing'
    const known = this.#general.get(name)
    if (known !== undefined) return known ?? 'faulty'
    if (this.#open.includes(name)) {
      if (this.#open.at(-1) !== name) return 'mutual'
      return this.#options.header(callee) ?? 'faulty'
    }
    const general = this.#within(name, () => this.#options.bind(callee, new Map(), this))
    this.#general.set(name, general)
    return general ?? 'faulty'
  }

  /** The index of a query with its type names given; null: it has errors with these. */
  instance(name: string, typeArguments: TypeArguments): number | null {
    if (!this.#general.has(name)) return UNKNOWN_CALLEE
    const key = JSON.stringify([name, [...typeArguments]])
    const known = this.#indexes.get(key)
    if (known !== undefined) return known
    const callee = this.#options.find(name)
    if (callee === null || this.#callees.length >= CALLEES_MAX) return null
    const index = this.#callees.push(null) - 1
    this.#indexes.set(key, index)
    const bound = this.#within(name, () => this.#options.bind(callee, typeArguments, this))
    this.#callees[index] = bound ?? emptied(this.#general.get(name) ?? null)
    return bound === null ? null : index
  }

  #within<T>(name: string, bind: () => T): T {
    this.#open.push(name)
    try {
      return bind()
    } finally {
      this.#open.pop()
    }
  }
}
