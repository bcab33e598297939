/**
 * GSQL scripts (`POST /gsql/v1/statements`, docs/reference/gsql/commands.md): commands one after the other, each
 * with the lines that clients look for. A command that fails prints why and, unless
 * `exit_on_error` is false, ends the script; what could not be read always does. A DROP of what is
 * not there says so and lets the script go on: it leaves what was wanted, and real scripts begin
 * with it.
 */
import { edgeTypesOf, requireGraph, vertexTypesOf } from '#catalog/lookup.ts'
import type { Catalog } from '#catalog/types.ts'
import type { Clock } from '#kernel/clock.ts'
import { DbError, isDbError } from '#kernel/errors.ts'
import {
  APPLY_SLICE_MS_MAX,
  PARSE_INLINE_SIZE_CHARS_MAX,
  SCRIPT_OUTPUT_SIZE_CHARS_MAX,
  SCRIPT_SIZE_CHARS_MAX,
  SCRIPT_SIZE_CHARS_MAX_WITHOUT_ROLE,
} from '#kernel/limits.ts'
import type { LoopTurns } from '#kernel/loop-turns.ts'
import type { Command, ShowTarget } from '#query/syntax/script/ast-script.ts'
import { mayKnowGraph, maySeeGraph } from '../auth/authorise.ts'
import {
  bulleted,
  edgeText,
  graphText,
  listCatalog,
  vertexText,
} from '../describe/describe-types.ts'
import { matcherOf } from '../describe/glob.ts'
import { userFunctionLines } from '../describe/packages.ts'
import type { JobStore } from '../jobs/job-store.ts'
import { jobText } from '../jobs/schema-job-service.ts'
import { syntaxError } from '../jobs/syntax-error.ts'
import type { Compiler } from '../queries/compiler.ts'
import { type AccessCommands, isAccessCommand } from './access-commands.ts'
import type { AccountCommands } from './account-commands.ts'
import { type DataSourceCommands, isDataSourceCommand } from './data-source-commands.ts'
import type { LoadingCommands } from './loading-commands.ts'
import { isPackageCommand, type PackageCommands } from './package-commands.ts'
import type { QueryCommands } from './query-commands.ts'
import type { SchemaCommands } from './schema-commands.ts'
import { audit } from './script-audit.ts'
import { type ScriptItem, scriptItems, unpackItems } from './script-items.ts'
import { type ScriptCall, Session } from './session.ts'
import type { StoreCommands } from './store-commands.ts'
import { isTransferCommand, type TransferCommands } from './transfer-commands.ts'

const SCRIPT_DEPTH_MAX = 8

export interface GsqlServiceOptions {
  readonly catalogue: { readonly catalog: Catalog }
  readonly jobs: JobStore
  readonly schema: SchemaCommands
  readonly queries: QueryCommands
  readonly packages: PackageCommands
  readonly accounts: AccountCommands
  readonly access: AccessCommands
  readonly loading: LoadingCommands
  readonly sources: DataSourceCommands
  readonly store: StoreCommands
  /** The text of a script in the directory for loading. @throws DbError INVALID_PARAMETER */
  scriptAt(path: string): Promise<string>
  readonly transfer: TransferCommands
  /** As `GET /gsql/v1/version` answers. */
  readonly versionText: string
  /** Reads large scripts. */
  readonly compiler: Compiler
  readonly clock: Clock
  /** Turns of the event loop between the slices of scripts; absent: in tests. */
  readonly turns?: LoopTurns | undefined
}

export class GsqlService {
  readonly #options: GsqlServiceOptions

  constructor(options: GsqlServiceOptions) {
    this.#options = options
  }

  /**
   * @param graph the working graph at the start. @returns what a terminal would show, in pieces of UTF-8
   * @throws DbError BODY_TOO_LARGE, FORBIDDEN for a large script of a user without any role
   */
  async run(text: string, graph: string | null, call: ScriptCall): Promise<readonly Uint8Array[]> {
    checkScriptSize(text, call)
    if (graph !== null) this.#checkKnown(call, graph)
    const onlyGraph = () => {
      const [first, ...others] = this.#options.catalogue.catalog.graphs
      const isOnly = first !== undefined && others.length === 0
      return isOnly && this.#isKnown(call, first.name) ? first.name : null
    }
    const session = new Session(call, graph, onlyGraph)
    await this.#runScript(session, text, 0)
    return session.output
  }

  /** @returns whether what called the script goes on */
  async #runScript(session: Session, text: string, depth: number): Promise<boolean> {
    const { clock, turns } = this.#options
    let sliceEndMs = clock.monotonicMs() + APPLY_SLICE_MS_MAX
    for (const item of await this.#itemsOf(session, text)) {
      if (turns !== undefined && clock.monotonicMs() >= sliceEndMs) {
        await turns.next()
        sliceEndMs = clock.monotonicMs() + APPLY_SLICE_MS_MAX
      }
      if (session.call.signal.aborted) {
        session.print('The script was cancelled.')
        return false
      }
      if (!(await this.#runItem(session, item, depth))) return false
      if (session.isFull) {
        const limit = `${SCRIPT_OUTPUT_SIZE_CHARS_MAX} characters`
        session.end(`The script was ended: it prints more than ${limit}.`)
        return false
      }
    }
    return true
  }

  async #itemsOf({ call }: Session, text: string): Promise<Iterable<ScriptItem>> {
    if (text.length <= PARSE_INLINE_SIZE_CHARS_MAX) return scriptItems(text)
    return unpackItems(await this.#options.compiler.run({ kind: 'script', text }, call))
  }

  async #runItem(session: Session, item: ScriptItem, depth: number): Promise<boolean> {
    switch (item.kind) {
      case 'problem':
        session.print(syntaxError(item.problem).message)
        return false
      case 'refusal':
        session.print(item.message)
        return false
      case 'file':
        return await this.#runFile(session, item.path, depth)
      case 'command':
        return item.command.kind !== 'exit' && (await this.#step(session, item.command))
    }
  }

  async #runFile(session: Session, path: string, depth: number): Promise<boolean> {
    try {
      session.call.require('READ_FILE', null)
      if (depth >= SCRIPT_DEPTH_MAX) {
        const text = `Scripts call each other more than ${SCRIPT_DEPTH_MAX} deep at @${path}.`
        throw new DbError('INVALID_PARAMETER', text)
      }
      const text = await this.#options.scriptAt(path)
      checkScriptSize(text, session.call)
      return await this.#runScript(session, text, depth + 1)
    } catch (error) {
      if (!isDbError(error)) throw error
      session.print(error.message)
      return !session.exitOnError
    }
  }

  /** @returns whether the script goes on */
  async #step(session: Session, command: Command): Promise<boolean> {
    try {
      await this.#execute(session, command)
      audit(session, command, 'done')
      return true
    } catch (error) {
      audit(session, command, isDbError(error, 'FORBIDDEN') ? 'denied' : 'failed')
      if (!isDbError(error)) throw error
      session.print(error.message.trimEnd())
      return !session.exitOnError || (command.kind.startsWith('drop') && isMissing(error))
    }
  }

  #execute(session: Session, command: Command): Promise<void> | void {
    const { schema, queries, accounts, access, loading, sources, store } = this.#options
    const { packages, transfer } = this.#options
    if (isAccessCommand(command)) return access.run(session, command)
    if (isDataSourceCommand(command)) return sources.run(session, command)
    if (isTransferCommand(command)) return transfer.run(session, command)
    if (isPackageCommand(command)) return packages.run(session, command)
    switch (command.kind) {
      case 'createVertex':
        return schema.createVertex(session, command)
      case 'createEdge':
        return schema.createEdge(session, command)
      case 'createTuple':
        return schema.createTuple(session, command)
      case 'createAccum':
        return schema.createAccum(session, command)
      case 'createGraph':
        return schema.createGraph(session, command)
      case 'createSchemaJob':
        return schema.createJob(session, command)
      case 'runSchemaJob':
        return schema.runJob(session, command)
      case 'alter':
        return schema.alter(session, command.step)
      case 'dropTypes':
        return schema.dropTypes(session, command)
      case 'dropGraph':
        return schema.dropGraph(session, command)
      case 'dropJob':
        return schema.dropJobs(session, command.names)
      case 'createQuery':
        return queries.create(session, command.text)
      case 'installQuery':
        return queries.install(session, command.names)
      case 'interpretQuery':
        return queries.interpret(session, command.text)
      case 'runQuery':
        return queries.run(session, command)
      case 'dropQuery':
        return queries.drop(session, command.names)
      case 'grantOwnership':
        return queries.grantOwnership(session, command)
      case 'createLoadingJob':
        return loading.create(session, command.job)
      case 'runLoadingJob':
        return loading.run(session, command.run)
      case 'showLoading':
        loading.showStatus(session, command.id)
        return
      case 'showLoadingErrors':
        loading.showErrors(session, command.id, command.limit)
        return
      case 'upsert':
        return loading.upsert(session, command.target)
      case 'createSecret':
        return accounts.createSecret(session, command.alias)
      case 'showSecret':
        return accounts.showSecrets(session)
      case 'dropSecret':
        return accounts.dropSecrets(session, command.names)
      case 'abortLoading':
      case 'pauseLoading':
      case 'resumeLoading':
        return loading.control(session, command.kind, command.id)
      case 'dropAll':
        return store.dropAll(session)
      case 'clearStore':
        return store.clear(session)
      default:
        return this.#converse(session, command)
    }
  }

  /** What asks and tells, and changes nothing but the session. */
  async #converse(session: Session, command: Conversation): Promise<void> {
    switch (command.kind) {
      case 'useGraph':
        this.#checkKnown(session.call, command.graph)
        session.graph = command.graph
        session.print(`Using graph '${command.graph}'`)
        return
      case 'useGlobal':
        session.graph = null
        return
      case 'set':
        session.set(command.name, command.value)
        return
      case 'ls':
        session.call.require('READ_SCHEMA', session.graph)
        session.print(
          ...listCatalog(
            this.#options.catalogue.catalog,
            session.graph,
            await this.#extras(session.graph),
          ),
        )
        return
      case 'show':
        await this.#show(session, command.target, matcherOf(command.pattern))
        return
      case 'showFunction':
        session.print(...userFunctionLines(matcherOf(command.pattern)))
        return
      case 'help':
        session.print(...helpLines)
        return
      case 'version':
        session.print(this.#options.versionText.trimEnd())
        return
      default:
      // What scripts hold for others, and the words around several commands.
    }
  }

  /** A graph on which the caller has nothing looks like one that does not exist. */
  #checkKnown(call: ScriptCall, graph: string): void {
    const { catalog } = this.#options.catalogue
    requireGraph(this.#isKnown(call, graph) ? catalog : { ...catalog, graphs: [] }, graph)
  }

  #isKnown({ principal }: ScriptCall, graph: string): boolean {
    return mayKnowGraph(principal, graph) || this.#options.queries.owns(principal, graph)
  }

  async #extras(graph: string | null) {
    const { jobs, queries } = this.#options
    return {
      jobs: jobs.of(graph).map(jobText),
      queries: graph === null ? [] : await queries.listed(graph),
    }
  }

  async #show(
    session: Session,
    target: ShowTarget,
    matches: (name: string) => boolean,
  ): Promise<void> {
    const { catalog } = this.#options.catalogue
    const { graph } = session
    session.call.require('READ_SCHEMA', graph)
    switch (target) {
      case 'QUERY':
        await this.#options.queries.show(session, matches)
        return
      case 'VERTEX': {
        const found = vertexTypesOf(catalog, graph).filter(({ name }) => matches(name))
        session.print(...bulleted(found.map(vertexText)))
        return
      }
      case 'EDGE': {
        const found = edgeTypesOf(catalog, graph).filter(({ name }) => matches(name))
        session.print(...bulleted(found.map((type) => edgeText(catalog, type))))
        return
      }
      case 'GRAPH': {
        const { principal } = session.call
        const seen = catalog.graphs.filter(({ name }) => maySeeGraph(principal, name))
        const found = seen.filter(({ name }) => matches(name))
        session.print(...bulleted(found.map((one) => graphText(catalog, one))))
        return
      }
      case 'JOB': {
        const found = this.#options.jobs.of(graph).filter(({ name }) => matches(name))
        session.print(...bulleted(found.map(jobText)))
        return
      }
    }
  }
}

/** @throws DbError BODY_TOO_LARGE, FORBIDDEN */
function checkScriptSize(text: string, { principal }: ScriptCall): void {
  if (text.length > SCRIPT_SIZE_CHARS_MAX) {
    const limit = `${SCRIPT_SIZE_CHARS_MAX} characters`
    throw new DbError('BODY_TOO_LARGE', `The script is longer than ${limit}: divide it.`)
  }
  if (text.length <= SCRIPT_SIZE_CHARS_MAX_WITHOUT_ROLE || principal.rights.hasAny) return
  const limit = `${SCRIPT_SIZE_CHARS_MAX_WITHOUT_ROLE} characters`
  const message = `The user ${principal.name} has no role and may run scripts of at most ${limit}.`
  throw new DbError('FORBIDDEN', message)
}

/** Of the name that a DROP gives, not of a schema that still needs it. */
function isMissing({ code }: DbError): boolean {
  return code.endsWith('_NOT_FOUND')
}

type Conversation = Extract<
  Command,
  {
    kind:
      | 'useGraph'
      | 'useGlobal'
      | 'set'
      | 'ls'
      | 'show'
      | 'showFunction'
      | 'help'
      | 'version'
      | 'noise'
      | 'begin'
      | 'end'
      | 'abort'
      | 'exit'
  }
>

const helpLines = [
  'GSQL Help: Summary of TigerGraph GSQL Shell commands.',
  'USE GRAPH name, USE GLOBAL      choose the working graph',
  'LS, SHOW VERTEX|EDGE|GRAPH|JOB|QUERY [pattern]',
  'CREATE VERTEX, CREATE … EDGE, TYPEDEF TUPLE, CREATE GRAPH',
  'CREATE SCHEMA_CHANGE JOB, RUN SCHEMA_CHANGE JOB, ALTER, DROP',
  'CREATE LOADING JOB, RUN LOADING JOB, SHOW LOADING STATUS|ERROR id|ALL',
  'ABORT | PAUSE | RESUME LOADING JOB id|ALL',
  'CREATE DATA_SOURCE name = "{…}" [FOR GRAPH g], SHOW DATA_SOURCE, DROP DATA_SOURCE',
  'CREATE QUERY, INSTALL QUERY, RUN QUERY, INTERPRET QUERY, DROP QUERY',
  'CREATE PACKAGE p, SHOW PACKAGE [p], DROP PACKAGE p',
  'CREATE SECRET, SHOW SECRET, DROP SECRET',
  'CREATE USER name WITH PASSWORD "…", ALTER USER, DROP USER, SHOW USER',
  'CREATE ROLE, DROP ROLE, GRANT ROLE … TO user, REVOKE ROLE … FROM user, SHOW ROLE',
  'GRANT PRIVILEGE … ON GRAPH g TO role, REVOKE PRIVILEGE … FROM role, SHOW PRIVILEGE',
  'EXPORT GRAPH ALL TO "dir", IMPORT GRAPH ALL FROM "dir"',
  'CLEAR GRAPH STORE, DROP ALL',
]
