/** Types, graphs, tuples and schema-change jobs in scripts, with the texts of docs/reference/rest.md. */
import { edgeTypeNamesOf, requireGraph, schemaVersionOf } from '#catalog/lookup.ts'
import type { Catalog } from '#catalog/types.ts'
import type { Clock } from '#kernel/clock.ts'
import { DbError, isDbError } from '#kernel/errors.ts'
import type { Command, Names, SchemaStep } from '#query/syntax/script/ast-script.ts'
import { schemaWriter } from '../auth/authorise.ts'
import { changeForm, edgeForm, graphTypes, tupleForm, vertexForm } from '../describe/type-forms.ts'
import type { JobStore } from '../jobs/job-store.ts'
import type { SchemaJobService } from '../jobs/schema-job-service.ts'
import { bracketed, type SchemaService } from '../schema/schema-service.ts'
import type { TupleService } from '../schema/tuple-service.ts'
import type { Session } from './session.ts'

type CommandOf<K extends Command['kind']> = Extract<Command, { kind: K }>

export interface SchemaCommandOptions {
  readonly catalogue: { readonly catalog: Catalog }
  readonly schema: SchemaService
  readonly tuples: TupleService
  readonly jobs: JobStore
  readonly schemaJobs: SchemaJobService
  readonly clock: Clock
}

export class SchemaCommands {
  readonly #options: SchemaCommandOptions

  constructor(options: SchemaCommandOptions) {
    this.#options = options
  }

  get #catalog(): Catalog {
    return this.#options.catalogue.catalog
  }

  async createVertex(session: Session, { vertex }: CommandOf<'createVertex'>): Promise<void> {
    session.call.require('WRITE_SCHEMA', null)
    await told(`Failed to create vertex types: [${vertex.name}].`, () =>
      this.#options.schema.createVertexTypes(
        null,
        [vertexForm(vertex)],
        schemaWriter(session.call.principal),
      ),
    )
    session.print(`Successfully created vertex types: [${vertex.name}].`)
  }

  async createEdge(session: Session, { edge }: CommandOf<'createEdge'>): Promise<void> {
    session.call.require('WRITE_SCHEMA', null)
    await told(`Failed to create edge types: [${edge.name}].`, () =>
      this.#options.schema.createEdgeTypes(
        null,
        [edgeForm(edge)],
        schemaWriter(session.call.principal),
      ),
    )
    session.print(`Successfully created edge types: [${edge.name}].`)
  }

  async createTuple(session: Session, { tuple }: CommandOf<'createTuple'>): Promise<void> {
    session.call.require('WRITE_SCHEMA', null)
    await this.#options.tuples.create([tupleForm(tuple)])
    session.print(`Successfully created tuples: [${tuple.name}].`)
  }

  async createAccum(session: Session, { text }: CommandOf<'createAccum'>): Promise<void> {
    session.call.require('WRITE_SCHEMA', null)
    const name = await this.#options.tuples.createAccum(text)
    session.print(`Successfully created accumulators: [${name}].`)
  }

  async createGraph(session: Session, { name, types }: CommandOf<'createGraph'>): Promise<void> {
    session.call.require('WRITE_SCHEMA', null)
    const edges = new Set(edgeTypeNamesOf(this.#catalog, null))
    await told(`The graph ${name} could not be created!`, () =>
      this.#options.schema.createGraph(
        name,
        graphTypes(types, (type) => edges.has(type)),
      ),
    )
    session.graph = name
    session.print(`The graph ${name} is created.`)
  }

  async alter(session: Session, step: SchemaStep): Promise<void> {
    session.call.require('WRITE_SCHEMA', session.graph)
    await this.#options.schema.changeSchema(
      session.graph,
      changeForm([step]),
      schemaWriter(session.call.principal),
    )
    session.print(`Successfully altered ${'name' in step ? step.name : 'the schema'}.`)
  }

  async dropTypes(session: Session, command: CommandOf<'dropTypes'>): Promise<void> {
    const { schema, tuples } = this.#options
    const { element } = command
    session.call.require('WRITE_SCHEMA', null)
    if (element === 'TUPLE') {
      const names = command.names ?? this.#catalog.tuples.map(({ name }) => name)
      await tuples.drop(names)
      session.print(`Successfully dropped tuples: ${bracketed(names)}.`)
      return
    }
    const names = command.names ?? ['all']
    const text =
      element === 'VERTEX'
        ? await schema.dropVertexTypes(null, names, schemaWriter(session.call.principal))
        : await schema.dropEdgeTypes(null, names, schemaWriter(session.call.principal))
    const listed = /\[.*\]/.exec(text)?.[0] ?? bracketed(names)
    session.print(`Successfully dropped ${element.toLowerCase()} types: ${listed}.`)
  }

  async dropGraph(session: Session, { names, cascade }: CommandOf<'dropGraph'>): Promise<void> {
    const { schema } = this.#options
    session.call.require('DROP_GRAPH', null)
    for (const name of names ?? this.#catalog.graphs.map((graph) => graph.name)) {
      requireGraph(this.#catalog, name)
      await schema.dropGraphs([name], cascade)
      if (session.graph === name) session.graph = null
      session.print(`The graph ${name} is dropped.`)
    }
  }

  async createJob(session: Session, command: CommandOf<'createSchemaJob'>): Promise<void> {
    const { name, isGlobal } = command
    const graph = isGlobal ? null : (command.graph ?? session.requireGraph())
    session.call.require('WRITE_SCHEMA', graph)
    await told(`Failed to create schema change jobs: [${name}].`, () =>
      this.#options.schemaJobs.createFromSyntax(graph, command),
    )
    session.print(`Successfully created schema change jobs: [${name}].`)
  }

  async runJob(session: Session, { name, isGlobal }: CommandOf<'runSchemaJob'>): Promise<void> {
    const { schemaJobs, clock } = this.#options
    const graph = isGlobal ? null : session.requireGraph()
    session.call.require('WRITE_SCHEMA', graph)
    const before = this.#catalog
    const begun = clock.monotonicMs()
    const scope = graph === null ? 'Global' : 'Local'
    await told(`${scope} schema change failed.`, () =>
      schemaJobs.run(graph, name, schemaWriter(session.call.principal)),
    )
    const seconds = ((clock.monotonicMs() - begun) / 1000).toFixed(3)
    const updated = this.#catalog.graphs
      .filter((one) => schemaVersionOf(before, one.name) !== one.schemaVersion)
      .map((one) => `Graph ${one.name} updated to new version ${one.schemaVersion}`)
    session.print(
      `Kick off schema change job ${name}`,
      ...updated,
      `The job ${name} completes in ${seconds} seconds!`,
      `${scope} schema change succeeded.`,
    )
  }

  async dropJobs(session: Session, names: Names): Promise<void> {
    const { jobs } = this.#options
    const graph = jobGraph(session, jobs, names)
    session.call.require('WRITE_SCHEMA', graph)
    const wanted = names ?? jobs.of(graph).map((job) => job.name)
    for (const name of wanted) jobs.require(graph, name)
    for (const name of wanted) await jobs.drop(graph, name)
    const where = graph === null ? '' : ` on the graph '${graph}'`
    session.print(`Successfully dropped jobs${where}: ${bracketed(wanted)}.`)
  }
}

/** Without a working graph a name means a global job, or else one of the only graph there is. */
function jobGraph(session: Session, jobs: JobStore, names: Names): string | null {
  const { graph, onlyGraph } = session
  if (graph !== null || names === null || onlyGraph === null) return graph
  return names.every((name) => jobs.find(null, name) === undefined) ? onlyGraph : null
}

/** Says what failed below why it did. */
export async function told<T>(failure: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    if (!isDbError(cause)) throw cause
    const reason = cause.message.replace(/^Failed to create (vertices|edges) \[[^\]]*\]\. /, '')
    const { details } = cause
    throw new DbError(cause.code, `${reason}\n${failure}`, { details, cause })
  }
}
