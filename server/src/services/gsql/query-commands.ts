/** Queries in scripts: create, install, run, show, drop (docs/reference/gsql/commands.md, docs/reference/gsql/queries.md). */
import { requireGraph, schemaVersionOf } from '#catalog/lookup.ts'
import type { Catalog } from '#catalog/types.ts'
import type { Privilege } from '#contract/privileges.ts'
import { DbError } from '#kernel/errors.ts'
import { diagnosticCodes } from '#query/ir/diagnostic-codes.ts'
import type { CallArguments, Command, Names } from '#query/syntax/script/ast-script.ts'
import type { Diagnostic } from '#query/syntax/source.ts'
import type { Principal } from '../auth/access.ts'
import { authorise } from '../auth/authorise.ts'
import { SUBMITTED } from '../queries/detached-runs.ts'
import type { QueryService } from '../queries/query-service.ts'
import type { RunAnswer } from '../queries/run-call.ts'
import type { RunService } from '../queries/run-service.ts'
import { isTemplate, type StoredQuery } from '../queries/stored-query.ts'
import type { TemplateQueries } from '../queries/template-queries.ts'
import { bracketed } from '../schema/schema-service.ts'
import type { Session } from './session.ts'

export interface QueryCommandOptions {
  readonly catalogue: { readonly catalog: Catalog }
  readonly queries: QueryService
  readonly runs: RunService
  readonly templates: TemplateQueries
  /** @throws DbError INVALID_PARAMETER when there is no such user */
  requireUser(name: string): void
}

type CommandOf<Kind extends Command['kind']> = Extract<Command, { kind: Kind }>

export class QueryCommands {
  readonly #options: QueryCommandOptions

  constructor(options: QueryCommandOptions) {
    this.#options = options
  }

  async create(session: Session, text: string): Promise<void> {
    if (session.graph === null && isTemplate({ text })) {
      return await this.#createTemplate(session, text)
    }
    const graph = /\bFOR\s+GRAPH\b/i.test(text) ? session.graph : session.requireGraph()
    const source = { graph: graph ?? '', text }
    for (const named of await this.#options.queries.graphsNamedIn(source, session.call)) {
      session.call.require('CREATE_QUERY', named)
    }
    const outcome = await this.#options.queries.create(graph, text, false, session.call.principal)
    session.print(outcome.trimEnd())
  }

  /** Outside of a graph a template belongs to its package. */
  async #createTemplate(session: Session, text: string): Promise<void> {
    const { call } = session
    call.require('WRITE_FUNCTION', null)
    const name = await this.#options.templates.put(text, call.principal?.name ?? null)
    session.print(`Successfully created queries: [${name}].`)
  }

  async install(session: Session, names: Names): Promise<void> {
    const { queries } = this.#options
    const graph = session.requireGraph()
    session.call.require('INSTALL_QUERY', graph)
    const wanted = names ?? this.#valid(graph)
    session.print('Start installing queries, about 1 minute ...')
    await queries.install(graph, wanted.length === 0 ? ['*'] : wanted)
    const { origin } = session.call
    for (const name of wanted) {
      session.print(await callText(queries, queries.stored.require(graph, name), origin))
    }
    const count = wanted.length
    session.print(
      '',
      `[${'='.repeat(70)}] 100% (${count}/${count})`,
      'Query installation finished.',
    )
  }

  #valid(graph: string): string[] {
    const { stored } = this.#options.queries
    return stored.ofGraph(graph).flatMap(({ name, status }) => (status === 'VALID' ? [name] : []))
  }

  /** Template queries of no graph go by their names, too, where the graph has none of that name. */
  async drop(session: Session, wanted: Names): Promise<void> {
    const { templates } = this.#options
    const isTemplateName = (name: string) =>
      templates.isOfNoGraph(name) && this.#storedOn(session, name) === undefined
    const ofNoGraph = wanted?.filter(isTemplateName) ?? []
    if (ofNoGraph.length > 0) session.call.require('WRITE_FUNCTION', null)
    for (const name of ofNoGraph) await templates.remove(name)
    if (ofNoGraph.length > 0) {
      session.print(`Successfully dropped template queries: ${bracketed(ofNoGraph)}.`)
    }
    const names = wanted?.filter((name) => !ofNoGraph.includes(name)) ?? null
    if (names === null || names.length > 0) await this.#dropOnGraph(session, names)
  }

  #storedOn(session: Session, name: string): StoredQuery | undefined {
    return session.graph === null
      ? undefined
      : this.#options.queries.stored.find(session.graph, name)
  }

  async #dropOnGraph(session: Session, names: Names): Promise<void> {
    const graph = session.requireGraph()
    this.#requireOn(session, 'DROP_QUERY', graph, names)
    const { dropped } = await this.#options.queries.drop(graph, names ?? ['*'])
    session.print(`Successfully dropped queries on the graph '${graph}': ${bracketed(dropped)}.`)
  }

  /** The owner of all that is named needs no privilege. @throws DbError FORBIDDEN */
  #requireOn(session: Session, privilege: Privilege, graph: string, names: Names): void {
    const { principal } = session.call
    const { queries } = this.#options
    const owner = principal.unguarded ?? principal
    const isOwner = () => names?.every((name) => queries.isOwner(owner, graph, name)) ?? false
    authorise(principal, { privilege, isOwner }, graph)
  }

  /** Whether a user owns a query of the graph. */
  owns({ name: user }: Principal, graph: string): boolean {
    const { stored } = this.#options.queries
    return stored.ofGraph(graph).some(({ owner }) => owner === user)
  }

  async grantOwnership(session: Session, command: CommandOf<'grantOwnership'>): Promise<void> {
    const { queries: names, user } = command
    const { queries, requireUser } = this.#options
    const graph = command.graph ?? session.requireGraph()
    requireGraph(this.#options.catalogue.catalog, graph)
    this.#requireOn(session, 'OWNER', graph, names)
    requireUser(user)
    await queries.giveTo(user, graph, names)
    session.print(`Successfully granted ownership on queries ${bracketed(names)} to user ${user}.`)
  }

  async interpret(session: Session, text: string): Promise<void> {
    const answer = await this.#options.runs.interpret(session.graph, text, session.queryCall)
    this.#print(session, answer)
  }

  /** RUN and INTERPRET by name are one here: a saved query needs no installation to run. */
  async run(session: Session, command: CommandOf<'runQuery'>): Promise<void> {
    const { name, arguments: given, isDetached } = command
    const { queries, runs } = this.#options
    const graph = session.requireGraph()
    this.#requireOn(session, 'EXECUTE_QUERY', graph, [name])
    requireGraph(this.#options.catalogue.catalog, graph)
    const stored = queries.stored.require(graph, name)
    const parameters = await parametersOf(queries, stored, given)
    const call = await runs.withParameters(stored, session.queryCall, parameters)
    if (!isDetached) return this.#print(session, await runs.run(stored, call))
    const requestId = session.call.newRequestId()
    await runs.runDetached(stored, { ...call, requestId })
    session.print(
      '{',
      '  "error": false,',
      `  "message": ${JSON.stringify(SUBMITTED)},`,
      `  "request_id": ${JSON.stringify(requestId)}`,
      '}',
    )
  }

  /** The whole answer of the data plane, its numbers as they were written. */
  #print(session: Session, { graph, json, message, release }: RunAnswer): void {
    const schema = schemaVersionOf(this.#options.catalogue.catalog, graph)
    const version = JSON.stringify({ edition: 'enterprise', api: 'v2', schema })
    const results = new TextDecoder().decode(json)
    release()
    session.print(
      '{',
      '  "error": false,',
      `  "message": ${JSON.stringify(message)},`,
      `  "version": ${version},`,
      `  "results": ${results}`,
      '}',
    )
  }

  async show(session: Session, matches: (name: string) => boolean): Promise<void> {
    const graph = session.requireGraph()
    session.call.require('READ_QUERY', graph)
    const found = this.#options.queries.stored.ofGraph(graph).filter(({ name }) => matches(name))
    for (const query of found) {
      const status = await this.#statusOf(query)
      session.print(...(status === '' ? [] : [`# ${status}`]), query.text)
    }
  }

  /** `hello(vertex<Person> p) (installed v2)`. */
  async listed(graph: string): Promise<string[]> {
    const lines: string[] = []
    for (const query of this.#options.queries.stored.ofGraph(graph)) {
      const { query: bound } = await this.#options.queries.compile(query)
      const input = bound === null ? [] : await inputOf(this.#options.queries, query)
      const parameters = input.map(([name, type]) => `${type} ${name}`).join(', ')
      const status = await this.#statusOf(query)
      lines.push(`${query.name}(${parameters})${status === '' ? '' : ` (${status})`}`)
    }
    return lines
  }

  async #statusOf(query: StoredQuery): Promise<string> {
    if (query.status === 'DRAFT') return 'draft'
    const { query: bound, diagnostics } = await this.#options.queries.compile(query)
    if (bound === null) return missesQuery(diagnostics) ? 'disabled' : 'deprecated'
    return query.installed ? `installed ${bound.syntax}` : ''
  }
}

async function inputOf(
  queries: QueryService,
  { graph, name }: StoredQuery,
): Promise<[string, string][]> {
  const { input } = await queries.signature(graph, name)
  return input.flatMap((entry) => Object.entries(entry))
}

/** A query that it calls is gone; otherwise the schema has changed under it. */
function missesQuery(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some(({ code }) => code === diagnosticCodes.undefinedFunction)
}

async function callText(
  queries: QueryService,
  stored: StoredQuery,
  origin: string,
): Promise<string> {
  const { graph, name } = stored
  const input = await inputOf(queries, stored)
  const values = input.map(([parameter]) => `${parameter}=VALUE`)
  const search = values.length === 0 ? '' : `?${values.join('&')}`
  const url = `${origin}/restpp/query/${graph}/${name}${search}`
  return `${name} query: curl -X GET '${url}'. Add -H "Authorization: Bearer TOKEN" if authentication is enabled.`
}

/** @throws DbError INVALID_PARAMETER for more values than parameters */
async function parametersOf(
  queries: QueryService,
  stored: StoredQuery,
  given: CallArguments,
): Promise<Readonly<Record<string, unknown>>> {
  if (given.kind === 'named') return given.values
  const { query } = await queries.compile(stored)
  // Its run tells what is wrong with it.
  if (query === null) return {}
  const { parameters } = query
  if (given.values.length > parameters.length) {
    const text = `Semantic Check Fails: the query ${stored.name} takes ${parameters.length} parameters, not ${given.values.length}.`
    throw new DbError('INVALID_PARAMETER', text)
  }
  return Object.fromEntries(
    given.values.flatMap((value, index) =>
      value.kind === 'value' ? [[parameters[index]?.name ?? '', value.value]] : [],
    ),
  )
}
