/**
 * The life of stored queries: create, install, list, read, describe, drop.
 *
 * Installing costs nothing beyond binding, which is cached: an installed query is one whose
 * endpoint was asked for. It answers while its text still binds against the schema.
 */
import { requireGraph } from '#catalog/lookup.ts'
import type { Catalog } from '#catalog/types.ts'
import { DbError } from '#kernel/errors.ts'
import type { Diagnostic } from '#query/syntax/source.ts'
import type { Documents } from '#storage/documents.ts'
import type { Principal } from '../auth/access.ts'
import { requirePrivilege } from '../auth/authorise.ts'
import type { QueryUsers } from '../schema/schema-users.ts'
import type { CheckedText, CompiledQuery } from './compile-text.ts'
import {
  CompiledQueries,
  type CurrentText,
  checkTextSize,
  invalidQuery,
  type QuerySource,
} from './compiled-queries.ts'
import { type CompileCall, Compiler, type CompilerOptions } from './compiler.ts'
import { createFromText } from './create-queries.ts'
import { endpointEntry, type QueryInfo, signatureInput } from './describe-query.ts'
import { type QueryDescription, StoredQueries, type StoredQuery } from './stored-query.ts'

export interface QueryServiceOptions extends Pick<CompilerOptions, 'after' | 'slices'> {
  readonly documents: Documents
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
  readonly compiler: Compiler
  readonly compiled: CompiledQueries
  readonly #catalogue: { readonly catalog: Catalog }
  readonly #onInstalled: (graph: string | null, text: string) => void

  private constructor(stored: StoredQueries, options: QueryServiceOptions) {
    this.stored = stored
    const { catalogue, after, slices } = options
    const queryText = (name: string, graph: string) => stored.text(graph, name)
    this.compiler = new Compiler({ catalogue, queryText, after, slices })
    this.compiled = new CompiledQueries({ compiler: this.compiler, catalogue, queryText })
    this.#catalogue = catalogue
    this.#onInstalled = options.onInstalled ?? (() => undefined)
  }

  static async open(options: QueryServiceOptions): Promise<QueryService> {
    return new QueryService(await StoredQueries.open(options.documents), options)
  }

  /** Ends what is being compiled. */
  close(): Promise<void> {
    return this.compiler.close()
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
    const outcome = await this.#checkedInTurn({ graph: home, text }, caller, (checked) =>
      createFromText(this.stored, checked, {
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

  /**
   * Checks a text, and makes the change that follows from it. The check may take seconds, so that
   * others change queries meanwhile: what they have changed is checked against once more, in turn.
   */
  async #checkedInTurn<T>(
    source: QuerySource,
    caller: Principal | null,
    change: (checked: CheckedText) => Promise<T>,
  ): Promise<T> {
    const { version } = this.stored
    const { catalog } = this
    const checked = await this.#check(source, { user: caller?.name ?? null })
    return await this.stored.exclusive(async () => {
      const isCurrent = this.stored.version === version && this.catalog === catalog
      return change(isCurrent ? checked : await this.#check(source, { user: caller?.name ?? null }))
    })
  }

  #check({ graph, text }: QuerySource, call: CompileCall): Promise<CheckedText> {
    return this.compiler.run({ kind: 'check', graph, text }, call)
  }

  /** The graphs that the queries of a text name, or else the one that is given. */
  graphsNamedIn({ graph, text }: QuerySource, call: CompileCall): Promise<readonly string[]> {
    checkTextSize(text)
    return this.compiler.run({ kind: 'graphs', graph, text }, call)
  }

  /** @param names `*` or `all` for every valid query */
  async install(graph: string, names: readonly string[]): Promise<string> {
    requireGraph(this.catalog, graph)
    for (const query of this.#named(graph, names)) await this.compile(query)
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
      const { diagnostics, query: bound } = await this.compile(query)
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

  async read(graph: string, name: string) {
    requireGraph(this.catalog, graph)
    const query = this.stored.require(graph, name)
    const { text, status } = query
    const compiled = await this.compile(query)
    return { name, queryContent: text, syntax: syntaxOf(compiled.query), status }
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

  async info(graph: string, names: readonly string[], status: string | null) {
    requireGraph(this.catalog, graph)
    const all = names.length === 0
    const queries = all
      ? this.stored.ofGraph(graph)
      : names.map((name) => this.stored.require(graph, name))
    const wanted = status?.toUpperCase()
    const infos: QueryInfo[] = []
    for (const query of queries) {
      if (wanted === undefined || query.status === wanted) infos.push(await this.#infoOf(query))
    }
    return infos
  }

  async #infoOf(query: StoredQuery): Promise<QueryInfo> {
    const { graph, name, text, status, installed } = query
    const bound = (await this.compile(query)).query
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
      graphUpdate: bound?.changesGraph ?? false,
      callerQueries: await this.#callersOf(graph, name),
      ...(query.owner !== undefined && { owner: query.owner }),
      endpoint:
        installed && entry !== null
          ? { query: { [graph]: { [name]: { 'GET/POST': entry } } } }
          : {},
    }
  }

  /** Queries of the graph whose text calls this one. */
  async #callersOf(graph: string, name: string): Promise<string[]> {
    const callers: string[] = []
    for (const query of this.stored.ofGraph(graph)) {
      if (query.name === name || !query.text.includes(name)) continue
      const { query: bound } = await this.compile(query)
      if (bound?.calls.includes(name)) callers.push(query.name)
    }
    return callers
  }

  async signature(graph: string, name: string) {
    requireGraph(this.catalog, graph)
    const { query, diagnostics } = await this.compile(this.stored.require(graph, name))
    if (query === null) throw invalidQuery(diagnostics)
    return {
      queryname: name,
      input: signatureInput(this.catalog, query),
      output: [...query.output],
      version: { schema: query.schemaVersion, edition: 'ENTERPRISE_EDITION', api: 'V2' },
    }
  }

  /** Diagnostics of a text; nothing is saved. */
  async check(
    graph: string | null,
    text: string,
    call: CompileCall,
  ): Promise<readonly Diagnostic[]> {
    checkTextSize(text)
    const home = graph ?? this.catalog.graphs[0]?.name ?? ''
    return (await this.#check({ graph: home, text }, call)).diagnostics
  }

  compile({ graph, text }: QuerySource, call: CompileCall = ofServer): Promise<CurrentText> {
    return this.compiled.get({ graph, text }, call)
  }

  /** Every endpoint of installed queries of the graphs that `maySee` lets through (3.7). */
  async endpoints(
    graph: string | null,
    maySee: (graph: string) => boolean,
  ): Promise<Record<string, unknown>> {
    const graphs = graph === null ? this.catalog.graphs.map(({ name }) => name) : [graph]
    const entries: Record<string, unknown> = {}
    const visible = graphs.filter(maySee)
    for (const query of visible.flatMap((home) => this.stored.ofGraph(home))) {
      const bound = query.installed ? (await this.compile(query)).query : null
      if (bound === null) continue
      const entry = endpointEntry(this.catalog, bound, true)
      const path = `/query/${query.graph}/${query.name}`
      entries[`GET ${path}`] = entry
      entries[`POST ${path}`] = entry
    }
    return entries
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
      await this.#checkParameters(query, given.parameters ?? [])
      const { text, parameters } = query.description
      const description = {
        text: given.text ?? text,
        parameters: given.parameters ?? parameters,
      }
      await this.stored.put({ ...query, description })
    })
  }

  /** A draft that does not bind has no parameters that could be told. */
  async #checkParameters(query: StoredQuery, given: QueryDescription['parameters']): Promise<void> {
    const bound = (await this.compile(query)).query
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

/** What no user has asked for by himself. */
const ofServer: CompileCall = { user: null }

function syntaxOf(query: CompiledQuery | null): string {
  return `GSQL ${query?.syntax ?? 'v2'}`
}
