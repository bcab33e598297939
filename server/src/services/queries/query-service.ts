/**
 * The life of stored queries (contract 2.13): create, install, list, read, describe, drop.
 *
 * Installing costs nothing beyond binding, which is cached: an installed query is one whose
 * endpoint was asked for. It answers while its text still binds against the schema.
 */
import { requireGraph } from '#catalog/lookup.ts'
import type { Catalog } from '#catalog/types.ts'
import { DbError } from '#kernel/errors.ts'
import type { BoundQuery } from '#query/bind/bound.ts'
import { compileFrontEnd } from '#query/bind/compile.ts'
import { calledQueries, changesGraph } from '#query/bind/query-character.ts'
import type { Diagnostic } from '#query/syntax/source.ts'
import type { Principal } from '../auth/access.ts'
import { requirePrivilege } from '../auth/authorise.ts'
import type { QueryUsers } from '../schema/schema-users.ts'
import {
  CompiledQueries,
  type CompiledText,
  checkTextSize,
  invalidQuery,
} from './compiled-queries.ts'
import { createFromText } from './create-queries.ts'
import { endpointEntry, signatureInput, signatureOutput } from './describe-query.ts'
import {
  type QueryDescription,
  type QueryDocuments,
  StoredQueries,
  type StoredQuery,
} from './stored-query.ts'

export interface QueryServiceOptions {
  readonly documents: QueryDocuments
  /** The engine: its catalogue as it is now. */
  readonly catalogue: { readonly catalog: Catalog }
  /** Told of each installation that took effect, for the time axis of the statistics. */
  readonly onInstalled?: (graph: string | null, text: string) => void
}

export interface DropOutcome {
  readonly dropped: readonly string[]
  readonly failedToDrop: readonly string[]
}

export class QueryService implements QueryUsers {
  readonly stored: StoredQueries
  readonly compiled: CompiledQueries
  readonly #catalogue: { readonly catalog: Catalog }
  readonly #onInstalled: (graph: string | null, text: string) => void

  private constructor(stored: StoredQueries, options: QueryServiceOptions) {
    this.stored = stored
    this.compiled = new CompiledQueries(stored)
    this.#catalogue = options.catalogue
    this.#onInstalled = options.onInstalled ?? (() => undefined)
  }

  static async open(options: QueryServiceOptions): Promise<QueryService> {
    return new QueryService(await StoredQueries.open(options.documents), options)
  }

  get catalog(): Catalog {
    return this.#catalogue.catalog
  }

  /** @throws DbError GRAPH_NOT_FOUND, QUERY_INVALID, NAME_TAKEN */
  async create(
    graph: string | null,
    text: string,
    install: boolean,
    caller: Principal | null = null,
  ): Promise<string> {
    checkTextSize(text)
    const home = graph ?? ''
    if (graph !== null) requireGraph(this.catalog, graph)
    const outcome = await this.stored.exclusive(() =>
      createFromText(this.stored, text, {
        catalog: this.catalog,
        graph: home,
        install,
        owner: caller?.name ?? null,
        require: (privilege, at) => {
          if (caller !== null) requirePrivilege(caller, privilege, at)
        },
      }),
    )
    if (install) this.#onInstalled(graph, outcome.trim())
    return outcome
  }

  /** @param names `*` or `all` for every valid query */
  async install(graph: string, names: readonly string[]): Promise<string> {
    requireGraph(this.catalog, graph)
    await this.stored.exclusive(() => this.#install(graph, names))
    return 'Query installation finished: SUCCESS'
  }

  /** @throws DbError GRAPH_NOT_FOUND, QUERY_NOT_FOUND for the first name without a query */
  checkNames(graph: string, names: readonly string[]): void {
    requireGraph(this.catalog, graph)
    this.#named(graph, names)
  }

  async #install(graph: string, names: readonly string[]): Promise<void> {
    for (const query of this.#named(graph, names)) {
      if (query.status === 'DRAFT') {
        throw new DbError('QUERY_INVALID', `Query '${query.name}' is a draft: it has errors.`)
      }
      const { diagnostics, query: bound } = this.compile(query)
      if (bound === null) throw invalidQuery(diagnostics)
      if (query.installed) continue
      await this.stored.put({ ...query, installed: true })
      this.#onInstalled(graph, `Installed query ${query.name}.`)
    }
  }

  #named(graph: string, names: readonly string[]): StoredQuery[] {
    const all = names.length === 0 || names.some((name) => name === '*' || name === 'all')
    if (all) return this.stored.ofGraph(graph).filter(({ status }) => status === 'VALID')
    return names.map((name) => this.stored.require(graph, name))
  }

  /** A token that is limited to another graph owns nothing here, nor does who came to look only. */
  isOwner({ name, graph: limit, unguarded }: Principal, graph: string, query: string): boolean {
    if (unguarded !== undefined || (limit !== null && limit !== graph)) return false
    return this.stored.find(graph, query)?.owner === name
  }

  /** @throws DbError QUERY_NOT_FOUND; nothing is changed then */
  giveTo(owner: string, graph: string, names: readonly string[]): Promise<void> {
    return this.stored.exclusive(async () => {
      for (const query of names.map((name) => this.stored.requireOwn(graph, name))) {
        await this.stored.put({ ...query, owner })
      }
    })
  }

  /** Of a user who is gone: another of his name owns nothing of his. */
  forgetOwner(user: string): Promise<void> {
    return this.stored.exclusive(async () => {
      for (const { owner: _, ...query } of this.stored.ofOwner(user)) await this.stored.put(query)
    })
  }

  list(graph: string): string[] {
    requireGraph(this.catalog, graph)
    return this.stored.ofGraph(graph).map(({ name }) => name)
  }

  read(graph: string, name: string) {
    requireGraph(this.catalog, graph)
    const query = this.stored.require(graph, name)
    const { text, status } = query
    return { name, queryContent: text, syntax: syntaxOf(this.compile(query).query), status }
  }

  /** @throws DbError QUERY_NOT_FOUND when none of `names` exists */
  async drop(graph: string, names: readonly string[]): Promise<DropOutcome> {
    requireGraph(this.catalog, graph)
    const { dropped, failedToDrop } = await this.stored.exclusive(() => this.#drop(graph, names))
    if (failedToDrop.length === 0) return { dropped, failedToDrop }
    const message = `Query does not exist on the graph '${graph}': ${failedToDrop.join(', ')}`
    const status = dropped.length === 0 ? 404 : 400
    throw new DbError('QUERY_NOT_FOUND', message, {
      details: { status, fields: { dropped, failedToDrop } },
    })
  }

  async #drop(graph: string, names: readonly string[]): Promise<DropOutcome> {
    const wanted = names.includes('*') || names.includes('all') ? this.list(graph) : names
    const dropped: string[] = []
    const failedToDrop: string[] = []
    for (const name of new Set(wanted)) {
      const query = this.stored.find(graph, name)
      if (query === undefined) failedToDrop.push(name)
      else {
        await this.stored.remove(query)
        dropped.push(name)
      }
    }
    return { dropped, failedToDrop }
  }

  info(graph: string, names: readonly string[], status: string | null) {
    requireGraph(this.catalog, graph)
    const all = names.length === 0
    const queries = all
      ? this.stored.ofGraph(graph)
      : names.map((name) => this.stored.require(graph, name))
    const wanted = status?.toUpperCase()
    return queries
      .filter((query) => wanted === undefined || query.status === wanted)
      .map((query) => this.#infoOf(query))
  }

  #infoOf(query: StoredQuery) {
    const { graph, name, text, status, installed } = query
    const bound = this.compile(query).query
    const enabled = installed && bound !== null
    const entry = bound === null ? null : endpointEntry(this.catalog, bound, enabled)
    return {
      name,
      code: text,
      syntax: syntaxOf(bound),
      status,
      installed,
      installing: false,
      enabled,
      isHidden: false,
      isACLSpecified: false,
      graphUpdate: bound !== null && changesGraph(bound),
      callerQueries: this.#callersOf(graph, name),
      ...(query.owner !== undefined && { owner: query.owner }),
      endpoint:
        installed && entry !== null
          ? { query: { [graph]: { [name]: { 'GET/POST': entry } } } }
          : {},
    }
  }

  /** Queries of the graph whose text calls this one. */
  #callersOf(graph: string, name: string): string[] {
    const callers = this.stored.ofGraph(graph).filter((query) => {
      const bound = query.text.includes(name) ? this.compile(query).query : null
      return query.name !== name && bound !== null && calledQueries(bound).includes(name)
    })
    return callers.map((query) => query.name)
  }

  signature(graph: string, name: string) {
    requireGraph(this.catalog, graph)
    const { query, diagnostics } = this.compile(this.stored.require(graph, name))
    if (query === null) throw invalidQuery(diagnostics)
    return {
      queryname: name,
      input: signatureInput(this.catalog, query),
      output: signatureOutput(this.catalog, query),
      version: { schema: query.schemaVersion, edition: 'ENTERPRISE_EDITION', api: 'V2' },
    }
  }

  /** Diagnostics of a text; nothing is saved. */
  check(graph: string | null, text: string): readonly Diagnostic[] {
    checkTextSize(text)
    const home = graph ?? this.catalog.graphs[0]?.name ?? ''
    const queryText = (name: string, at: string) => this.stored.text(at, name)
    return compileFrontEnd(text, this.catalog, home, { queryText }).diagnostics
  }

  compile({ graph, text }: Pick<StoredQuery, 'graph' | 'text'>): CompiledText {
    return this.compiled.get(this.catalog, { graph, text })
  }

  /** Every endpoint of installed queries, for the endpoint catalogue (3.7). */
  endpoints(graph: string | null): Record<string, unknown> {
    const graphs = graph === null ? this.catalog.graphs.map(({ name }) => name) : [graph]
    const entries = graphs.flatMap((home) =>
      this.stored.ofGraph(home).flatMap((query): [string, unknown][] => {
        const bound = query.installed ? this.compile(query).query : null
        if (bound === null) return []
        const entry = endpointEntry(this.catalog, bound, true)
        const path = `/query/${home}/${query.name}`
        return [
          [`GET ${path}`, entry],
          [`POST ${path}`, entry],
        ]
      }),
    )
    return Object.fromEntries(entries)
  }

  // Descriptions

  descriptions(graph: string, names: readonly string[]) {
    requireGraph(this.catalog, graph)
    return this.#named(graph, names).map(({ name, description }) => ({
      queryName: name,
      ...(description.text === null ? {} : { description: description.text }),
      parameters: description.parameters,
    }))
  }

  /** What is given replaces what was; a text that is absent stays. */
  async describe(graph: string, name: string, given: Partial<QueryDescription>): Promise<void> {
    requireGraph(this.catalog, graph)
    await this.stored.exclusive(async () => {
      const query = this.stored.requireOwn(graph, name)
      this.#checkParameters(query, given.parameters ?? [])
      const { text, parameters } = query.description
      const description = {
        text: given.text ?? text,
        parameters: given.parameters ?? parameters,
      }
      await this.stored.put({ ...query, description })
    })
  }

  /** A draft that does not bind has no parameters that could be told. */
  #checkParameters(query: StoredQuery, given: QueryDescription['parameters']): void {
    const bound = this.compile(query).query
    if (bound === null) return
    const unknown = given.find(
      ({ paramName }) => !bound.parameters.some((parameter) => parameter.name === paramName),
    )
    if (unknown === undefined) return
    const text = `The query '${query.name}' has no parameter '${unknown.paramName}'.`
    throw new DbError('INVALID_PARAMETER', text)
  }

  /** Of the query itself, or of its parameters: one, or all as `*`. Nothing to forget is fine. */
  async forgetDescription(graph: string, name: string, parameter: string | null): Promise<void> {
    requireGraph(this.catalog, graph)
    await this.stored.exclusive(async () => {
      const query = this.stored.find(graph, name)
      if (query === undefined) return
      const { text, parameters } = query.description
      const left = parameters.filter(
        ({ paramName }) => parameter !== '*' && paramName !== parameter,
      )
      const description =
        parameter === null ? { text: null, parameters } : { text, parameters: left }
      await this.stored.put({ ...query, description })
    })
  }

  // For schema changes

  namesOf(graph: string): readonly string[] {
    return this.stored.ofGraph(graph).map(({ name }) => name)
  }

  textsOf(graph: string): readonly { readonly name: string; readonly text: string }[] {
    return this.stored.ofGraph(graph)
  }

  async dropAllOf(graph: string): Promise<void> {
    await this.stored.exclusive(async () => {
      for (const query of this.stored.ofGraph(graph)) await this.stored.remove(query)
    })
  }
}

function syntaxOf(query: BoundQuery | null): string {
  return `GSQL ${query?.syntax ?? 'v2'}`
}
