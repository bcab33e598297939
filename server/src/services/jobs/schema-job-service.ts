/** Schema-change jobs as scripts and as the calls of docs/reference/rest.md make and run them. */
import { requireGraph } from '#catalog/lookup.ts'
import type { SchemaChange } from '#catalog/schema-change.ts'
import type { Catalog } from '#catalog/types.ts'
import { DbError } from '#kernel/errors.ts'
import type { Command } from '#query/syntax/script/ast-script.ts'
import { scriptCommands } from '#query/syntax/script/script.ts'
import { schemaJobText } from '../describe/change-text.ts'
import { changeForm } from '../describe/type-forms.ts'
import { discreetly } from '../schema/placed-loss.ts'
import type { MayWriteSchema } from '../schema/schema-reach.ts'
import { bracketed, type SchemaService } from '../schema/schema-service.ts'
import { checkCommandSize } from './command-size.ts'
import type { Job, JobStore } from './job-store.ts'
import { syntaxError } from './syntax-error.ts'

type SchemaJobSyntax = Extract<Command, { kind: 'createSchemaJob' }>

export interface SchemaJobOptions {
  readonly catalogue: { readonly catalog: Catalog }
  readonly schema: SchemaService
  readonly jobs: JobStore
}

export class SchemaJobService {
  readonly #options: SchemaJobOptions

  constructor(options: SchemaJobOptions) {
    this.#options = options
  }

  /** @throws DbError NAME_TAKEN, SCHEMA_RULE for what no change can hold */
  async createFromSyntax(graph: string | null, job: SchemaJobSyntax): Promise<void> {
    changeForm(job.steps)
    await this.#create({ name: job.name, graph, kind: 'schema', text: job.text })
  }

  /** @param text holds one CREATE SCHEMA_CHANGE JOB, for this graph where it names one */
  async createFromText(graph: string | null, text: string): Promise<void> {
    checkCommandSize([text])
    const job = jobIn(text)
    const isFitting = job.isGlobal ? graph === null : job.graph === null || job.graph === graph
    if (isFitting) return await this.createFromSyntax(graph, job)
    const wanted = graph === null ? 'the global scope' : `graph ${graph}`
    throw new DbError('INVALID_PARAMETER', `The job is for another graph than ${wanted}.`)
  }

  async createFromChange(graph: string | null, name: string, change: SchemaChange): Promise<void> {
    await this.#create({ name, graph, kind: 'schema', text: JSON.stringify(change), isJson: true })
  }

  async #create(job: Job): Promise<void> {
    if (job.graph !== null) requireGraph(this.#options.catalogue.catalog, job.graph)
    await this.#options.jobs.create(job)
  }

  /** @throws DbError REQUEST_NOT_FOUND, and what the change throws: nothing is changed then */
  async run(graph: string | null, name: string, mayWrite: MayWriteSchema): Promise<string> {
    const change = changeOf(this.require(graph, name))
    return await discreetly(false, this.#options.schema.changeSchema(graph, change, mayWrite))
  }

  list(graph: string | null): readonly Job[] {
    if (graph !== null) requireGraph(this.#options.catalogue.catalog, graph)
    return this.#options.jobs.of(graph).filter(({ kind }) => kind === 'schema')
  }

  has(graph: string | null, name: string): boolean {
    return this.#options.jobs.find(graph, name)?.kind === 'schema'
  }

  /** @throws DbError GRAPH_NOT_FOUND, REQUEST_NOT_FOUND */
  require(graph: string | null, name: string): Job {
    if (graph !== null) requireGraph(this.#options.catalogue.catalog, graph)
    const job = this.#options.jobs.require(graph, name)
    if (job.kind === 'schema') return job
    throw new DbError('REQUEST_NOT_FOUND', `The schema change job ${name} does not exist.`)
  }

  /** All of them or none. */
  async drop(graph: string | null, names: readonly string[]): Promise<string> {
    for (const name of names) this.require(graph, name)
    for (const name of names) await this.#options.jobs.drop(graph, name)
    return `Successfully dropped schema change jobs: ${bracketed(names)}.`
  }
}

/** What a job changes, in the form of docs/reference/rest.md. */
export function changeOf({ text, isJson }: Job): SchemaChange {
  return isJson === true ? (JSON.parse(text) as SchemaChange) : changeForm(jobIn(text).steps)
}

/** As it was written, or what GSQL would say for its JSON. */
export function jobText(job: Job): string {
  return job.isJson === true ? schemaJobText(job.name, job.graph, changeOf(job)) : job.text
}

function jobIn(text: string): SchemaJobSyntax {
  for (const item of scriptCommands(text)) {
    if (item.kind === 'problem') throw syntaxError(item.problem)
    if (item.command.kind === 'createSchemaJob') return item.command
  }
  throw new DbError('INVALID_PARAMETER', 'The text holds no CREATE SCHEMA_CHANGE JOB.')
}
