/**
 * Compiled queries by text: compiled when first needed, again after a change of the schema or of a
 * query that they call. A stored query whose text no longer binds is disabled until the schema fits
 * it again; nothing has to be recorded for that.
 */
import type { Catalog } from '#catalog/types.ts'
import { DbError } from '#kernel/errors.ts'
import {
  COMPILED_CACHE_SIZE_BYTES_MAX,
  COMPILED_CACHE_TEXTS_MAX,
  QUERY_TEXT_SIZE_CHARS_MAX,
} from '#kernel/limits.ts'
import { errorOfDiagnostics } from '#query/bind/format-diagnostics.ts'
import type { Diagnostic } from '#query/syntax/source.ts'
import type { CompiledQuery, CompiledText, TypeArguments } from './compile-text.ts'
import type { CompileCall, Compiler } from './compiler.ts'

export interface QuerySource {
  readonly graph: string
  readonly text: string
}

export interface CurrentText extends CompiledText {
  /** What it was compiled against. */
  readonly catalog: Catalog
}

export interface CompiledQueriesOptions {
  readonly compiler: Compiler
  readonly catalogue: { readonly catalog: Catalog }
  readonly queryText: (name: string, graph: string) => string | null
}

interface Entry extends CurrentText {
  readonly reads: readonly ReadText[]
  readonly sizeBytes: number
}

/** The text of another query that was found under a name. */
interface ReadText {
  readonly name: string
  readonly graph: string
  readonly text: string | null
}

/** A compilation under way, and how many wait for it. */
interface Pending {
  readonly result: Promise<Entry>
  readonly abort: AbortController
  waiting: number
}

/** Compilations of one text that schema changes overtake, before the last result is used. */
const ATTEMPTS_MAX = 3

export class CompiledQueries {
  readonly #options: CompiledQueriesOptions
  #catalog: Catalog | null = null
  #sizeBytes = 0
  /** Least recently used first. */
  readonly #entries = new Map<string, Entry>()
  readonly #pending = new Map<string, Pending>()

  constructor(options: CompiledQueriesOptions) {
    this.#options = options
  }

  async get(
    source: QuerySource,
    call: CompileCall,
    typeArguments: TypeArguments = new Map(),
  ): Promise<CurrentText> {
    const key = keyOf(source, typeArguments)
    for (let attempt = 1; ; attempt++) {
      const known = this.#find(key)
      if (known !== undefined) return known
      const entry = await this.#compiled(key, { source, typeArguments, call })
      if (this.#isCurrent(entry) || attempt === ATTEMPTS_MAX) return entry
    }
  }

  #find(key: string): Entry | undefined {
    const { catalog } = this.#options.catalogue
    if (this.#catalog !== catalog) this.#clear()
    this.#catalog = catalog
    const entry = this.#entries.get(key)
    if (entry === undefined) return undefined
    this.#remove(key, entry)
    if (!this.#isCurrent(entry)) return undefined
    this.#put(key, entry)
    return entry
  }

  #isCurrent({ catalog, reads }: Entry): boolean {
    const { catalogue, queryText } = this.#options
    if (catalog !== catalogue.catalog) return false
    return reads.every(({ name, graph, text }) => queryText(name, graph) === text)
  }

  /** Callers that want the same text at the same time wait for one compilation. */
  async #compiled(key: string, wanted: Wanted): Promise<Entry> {
    const { signal } = wanted.call
    const pending = this.#pending.get(key) ?? this.#start(key, wanted)
    pending.waiting += 1
    const leave = () => {
      pending.waiting -= 1
      if (pending.waiting > 0) return
      this.#forget(key, pending)
      pending.abort.abort()
    }
    signal?.addEventListener('abort', leave, { once: true })
    if (signal?.aborted) leave()
    try {
      return await pending.result
    } finally {
      signal?.removeEventListener('abort', leave)
    }
  }

  #start(key: string, { source, typeArguments, call }: Wanted): Pending {
    const abort = new AbortController()
    const reads: ReadText[] = []
    const onRead = (name: string, graph: string, text: string | null) => {
      reads.push({ name, graph, text })
    }
    const { compiler, catalogue } = this.#options
    const { catalog } = catalogue
    const { graph, text } = source
    const request = { kind: 'compile', graph, text, typeArguments } as const
    const compile = async (): Promise<Entry> => {
      const compiled = await compiler.run(request, { ...call, signal: abort.signal, onRead })
      const entry = { ...compiled, catalog, reads, sizeBytes: sizeOf(source, compiled) }
      if (this.#isCurrent(entry) && this.#catalog === catalog) this.#put(key, entry)
      return entry
    }
    const pending: Pending = { result: compile(), abort, waiting: 0 }
    this.#pending.set(key, pending)
    const forget = () => this.#forget(key, pending)
    pending.result.then(forget, forget)
    return pending
  }

  #forget(key: string, pending: Pending): void {
    if (this.#pending.get(key) === pending) this.#pending.delete(key)
  }

  #put(key: string, entry: Entry): void {
    this.#entries.set(key, entry)
    this.#sizeBytes += entry.sizeBytes
    for (const [oldest, { sizeBytes }] of this.#entries) {
      const isFull =
        this.#sizeBytes > COMPILED_CACHE_SIZE_BYTES_MAX ||
        this.#entries.size > COMPILED_CACHE_TEXTS_MAX
      if (!isFull || oldest === key) return
      this.#entries.delete(oldest)
      this.#sizeBytes -= sizeBytes
    }
  }

  #remove(key: string, { sizeBytes }: Entry): void {
    if (this.#entries.delete(key)) this.#sizeBytes -= sizeBytes
  }

  #clear(): void {
    this.#entries.clear()
    this.#sizeBytes = 0
  }
}

interface Wanted {
  readonly source: QuerySource
  readonly typeArguments: TypeArguments
  readonly call: CompileCall
}

/** Equal for texts that are compiled to the same query. */
export function keyOf({ graph, text }: QuerySource, typeArguments: TypeArguments): string {
  return `${JSON.stringify([graph, [...typeArguments]])}${text}`
}

/** The facts of a query are small beside its text and its plan. */
function sizeOf({ text }: QuerySource, { query }: CompiledText): number {
  return 4 * text.length + (query?.plan?.bytes.length ?? 0)
}

/** The failure of a text that should have compiled, as answers carry it. */
export function invalidQuery(diagnostics: readonly Diagnostic[]): DbError {
  const { code, message, contractCode } = errorOfDiagnostics(diagnostics)
  return new DbError(code, message === '' ? 'The text contains no query.' : message, {
    details: contractCode === null ? {} : { contractCode },
  })
}

/** @throws DbError QUERY_INVALID with the diagnostics of a text that is no query */
export function requiredQuery({ query, diagnostics }: CompiledText): CompiledQuery {
  if (query === null) throw invalidQuery(diagnostics)
  return query
}

/** @throws DbError BODY_TOO_LARGE */
export function checkTextSize(text: string): void {
  if (text.length <= QUERY_TEXT_SIZE_CHARS_MAX) return
  const limit = `${QUERY_TEXT_SIZE_CHARS_MAX} characters`
  throw new DbError('BODY_TOO_LARGE', `The query text is longer than ${limit}.`)
}
