/** Stored queries: one document each, kept whole in memory and written through to the store. */
import { DbError } from '#kernel/errors.ts'
import { lexUntil } from '#query/syntax/lexer.ts'
import type { Token } from '#query/syntax/token.ts'
import type { Collection, Documents } from '#storage/documents.ts'

export interface QueryDescription {
  readonly text: string | null
  /** By parameter name. */
  readonly parameters: readonly { readonly paramName: string; readonly description: string }[]
}

export interface StoredQuery {
  readonly graph: string
  readonly name: string
  /** From CREATE to the closing brace. */
  readonly text: string
  /** A draft was saved with errors; it cannot be installed. */
  readonly status: 'VALID' | 'DRAFT'
  /** Whether its endpoint was asked for; it answers only while the query still compiles. */
  readonly installed: boolean
  readonly description: QueryDescription
  /** Who made it, or was given it; absent: nobody who is still there. */
  readonly owner?: string
}

export const noDescription: QueryDescription = { text: null, parameters: [] }

/** Where templates of packages are at home; no graph is called so. */
export const NO_GRAPH = ''

const COLLECTION = 'queries'
const decoder = new TextDecoder()
const encoder = new TextEncoder()

export class StoredQueries {
  readonly #documents: Collection
  readonly #queries = new Map<string, StoredQuery>()
  /** Raised by every change: what was compiled with the queries before may call one that is gone. */
  version = 0
  /** Resolves, never rejects, when the last change that was asked for is done. */
  #last: Promise<unknown> = Promise.resolve()

  private constructor(documents: Documents) {
    this.#documents = documents.open(COLLECTION, (key, bytes) => this.#take(key, bytes))
  }

  static async open(documents: Documents): Promise<StoredQueries> {
    const queries = new StoredQueries(documents)
    for (const { key, bytes } of await queries.#documents.list()) queries.#take(key, bytes)
    return queries
  }

  #take(key: string, bytes: Uint8Array | null): void {
    if (bytes === null) this.#queries.delete(key)
    else this.#queries.set(key, JSON.parse(decoder.decode(bytes)) as StoredQuery)
    this.version += 1
  }

  /** In order of their names. */
  ofGraph(graph: string): StoredQuery[] {
    const found = [...this.#queries.values()].filter((query) => query.graph === graph)
    return found.sort((left, right) => (left.name < right.name ? -1 : 1))
  }

  find(graph: string, name: string): StoredQuery | undefined {
    return this.#queries.get(keyOf({ graph, name }))
  }

  /** Of a query that can be called, templates of packages too; null: there is none. */
  text(graph: string, name: string): string | null {
    const query = this.find(graph, name) ?? this.find(NO_GRAPH, name)
    return query?.status === 'VALID' ? query.text : null
  }

  /** Of packages and of graphs. */
  templates(): StoredQuery[] {
    return [...this.#queries.values()].filter(isTemplate)
  }

  ofOwner(user: string): StoredQuery[] {
    return [...this.#queries.values()].filter(({ owner }) => owner === user)
  }

  /** The only query of this name on any graph; undefined: none or several. */
  findAnywhere(name: string, maySee: (query: StoredQuery) => boolean): StoredQuery | undefined {
    const found = [...this.#queries.values()].filter(
      (query) => query.name === name && query.graph !== NO_GRAPH && maySee(query),
    )
    return found.length === 1 ? found[0] : undefined
  }

  /**
   * A template of a package is every graph's: installing it there makes a copy.
   * @throws DbError QUERY_NOT_FOUND
   */
  require(graph: string, name: string): StoredQuery {
    const query = this.find(graph, name)
    if (query !== undefined) return query
    const template = this.find(NO_GRAPH, name)
    if (template !== undefined) return { ...template, graph }
    const message = `Query '${name}' does not exist on the graph '${graph}'.`
    throw new DbError('QUERY_NOT_FOUND', message, { details: { status: 400, names: [name] } })
  }

  /**
   * Changes one after the other: each looks at what stands and writes over an await, so that
   * beside another it could bring back what was dropped or take a name twice.
   */
  exclusive<T>(change: () => Promise<T>): Promise<T> {
    const done = this.#last.then(change)
    this.#last = done.catch(() => undefined)
    return done
  }

  /**
   * What is changed stands on the graph itself.
   * @throws DbError QUERY_NOT_FOUND, for a template of a package too
   */
  requireOwn(graph: string, name: string): StoredQuery {
    const query = this.require(graph, name)
    if (this.find(graph, name) !== undefined) return query
    const message = `Query '${name}' is a template of a package: install it on the graph '${graph}' first.`
    throw new DbError('QUERY_NOT_FOUND', message, { details: { status: 400, names: [name] } })
  }

  /** Durable before it is visible; within `exclusive`. */
  async put(query: StoredQuery): Promise<void> {
    const key = keyOf(query)
    await this.#documents.put(key, encoder.encode(JSON.stringify(query)))
    this.#queries.set(key, query)
    this.version += 1
  }

  async remove({ graph, name }: { graph: string; name: string }): Promise<void> {
    const key = keyOf({ graph, name })
    await this.#documents.delete(key)
    this.#queries.delete(key)
    this.version += 1
  }
}

const templates = new WeakMap<object, boolean>()

/** By the words between CREATE and QUERY; comments may stand around them. */
export function isTemplate(query: { readonly text: string }): boolean {
  const known = templates.get(query)
  if (known !== undefined) return known
  const words = lexUntil(query.text, (token) => isQueryWord(token) || token.text === '{')
  const found = words.some(({ kind, upper }) => kind === 'name' && upper === 'TEMPLATE')
  templates.set(query, found)
  return found
}

function isQueryWord({ kind, upper }: Token): boolean {
  return kind === 'name' && upper === 'QUERY'
}

/** Names hold no slash. */
function keyOf({ graph, name }: { readonly graph: string; readonly name: string }): string {
  return `${graph}/${name}`
}
