/**
 * Bound queries by text and catalogue: compiled when first needed, again after a schema change.
 *
 * A stored query whose text no longer binds is disabled until the schema fits it again; nothing
 * has to be recorded for that, since binding takes well under a millisecond for usual queries.
 */
import type { Catalog } from '#catalog/types.ts'
import { DbError } from '#kernel/errors.ts'
import { QUERY_TEXT_SIZE_CHARS_MAX } from '#kernel/limits.ts'
import type { BoundQuery } from '#query/bind/bound.ts'
import { compileFrontEnd } from '#query/bind/compile.ts'
import { errorOfDiagnostics } from '#query/bind/format-diagnostics.ts'
import type { Diagnostic } from '#query/syntax/source.ts'

export interface CompiledText {
  /** Null: there are errors. */
  readonly query: BoundQuery | null
  readonly diagnostics: readonly Diagnostic[]
}

export type TypeArguments = ReadonlyMap<string, readonly string[]>

/** Texts remembered, specialisations of one text included. */
const TEXTS_MAX = 2_000

/** Texts of stored queries, for those that call them. */
export interface QueryTexts {
  readonly version: number
  text(graph: string, name: string): string | null
}

export class CompiledQueries {
  readonly #stored: QueryTexts
  #version = -1
  #catalog: Catalog | null = null
  readonly #texts = new Map<string, CompiledText>()

  constructor(stored: QueryTexts) {
    this.#stored = stored
  }

  get(
    catalog: Catalog,
    { graph, text }: { readonly graph: string; readonly text: string },
    typeArguments: TypeArguments = new Map(),
  ): CompiledText {
    const stale = this.#catalog !== catalog || this.#version !== this.#stored.version
    if (stale) this.#texts.clear()
    this.#catalog = catalog
    this.#version = this.#stored.version
    const key = JSON.stringify([graph, text, [...typeArguments]])
    const known = this.#texts.get(key)
    if (known !== undefined) return known
    const { queries, diagnostics } = compileFrontEnd(text, catalog, graph, {
      typeArguments,
      queryText: (name, home) => this.#stored.text(home, name),
    })
    const compiled = { query: queries[0] ?? null, diagnostics }
    if (this.#texts.size >= TEXTS_MAX) this.#texts.clear()
    this.#texts.set(key, compiled)
    return compiled
  }
}

/** The failure of a text that should have compiled, as answers carry it. */
export function invalidQuery(diagnostics: readonly Diagnostic[]): DbError {
  const { code, message, contractCode } = errorOfDiagnostics(diagnostics)
  return new DbError(code, message === '' ? 'The text contains no query.' : message, {
    details: contractCode === null ? {} : { contractCode },
  })
}

/** @throws DbError BODY_TOO_LARGE */
export function checkTextSize(text: string): void {
  if (text.length <= QUERY_TEXT_SIZE_CHARS_MAX) return
  const limit = `${QUERY_TEXT_SIZE_CHARS_MAX} characters`
  throw new DbError('BODY_TOO_LARGE', `The query text is longer than ${limit}.`)
}
