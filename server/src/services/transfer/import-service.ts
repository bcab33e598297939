/**
 * Imports of what `ExportService.exportDatabase` wrote. All files are held against their checksums
 * and the schema against the rules before anything is changed; nothing that is there is replaced but
 * users of the same name.
 */
import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { withVersions } from '#catalog/graphs.ts'
import { findGraph, requireGraph } from '#catalog/lookup.ts'
import { DbError, isDbError } from '#kernel/errors.ts'
import type { JobStore } from '../gsql/job-store.ts'
import type { DataSources } from '../loading/data-sources.ts'
import type { StoredQueries } from '../queries/stored-query.ts'
import type { CatalogStore } from '../schema/schema-service.ts'
import type { UpsertFlags, UpsertService } from '../upsert/upsert-service.ts'
import {
  type ExportManifest,
  MANIFEST_FILE,
  readDocument,
  readManifest,
  schemaForm,
  type TemplateDocument,
  templateForm,
} from './export-manifest.ts'
import { linesOf } from './lines.ts'
import { type SchemaDocument, withSchema } from './schema-document.ts'
import type { TransferDirectory } from './transfer-directory.ts'
import type { FileSum } from './transfer-job.ts'
import { runTransfer, throwIfEnded } from './transfer-thread.ts'
import { putUsers, readUsers, type UserDocument, type UserStores } from './user-document.ts'

export interface ImportOptions {
  readonly store: CatalogStore
  readonly queries: StoredQueries
  readonly jobs: JobStore
  readonly sources: DataSources
  readonly users: UserStores
  readonly upserts: UpsertService
  readonly directory: TransferDirectory
}

export interface DatabaseImport {
  readonly path: string
  /** Null: all that the export has. */
  readonly graphs: readonly string[] | null
  /** Users of the export are left out. */
  readonly keepUsers: boolean
  readonly password: string | null
}

interface Documents {
  readonly schema: SchemaDocument | null
  readonly template: TemplateDocument | null
  readonly users: UserDocument | null
}

export class ImportService {
  readonly #options: ImportOptions

  constructor(options: ImportOptions) {
    this.#options = options
  }

  /**
   * @param mayBring refuses what its caller may not import, by the manifest that is imported
   * @throws DbError INVALID_PARAMETER for files that are damaged or no export, NAME_TAKEN for what
   *   is there already, UNSUPPORTED_FORMAT; later failures say what was imported before
   */
  async importDatabase(
    request: DatabaseImport,
    mayBring: (manifest: ExportManifest) => void,
    signal: AbortSignal,
  ): Promise<void> {
    const directory = await this.#options.directory.find(request.path)
    const manifest = readManifest(await textOf(directory, MANIFEST_FILE))
    mayBring(manifest)
    checkGraphs(manifest, request.graphs)
    await verify(directory, manifest, signal)
    const documents = await readDocuments(directory, manifest, request)
    this.#checkFree(documents.template)
    const { schema, template, users } = documents
    if (schema !== null) {
      await this.#options.store.changeCatalog((catalog) =>
        withVersions(catalog, withSchema(catalog, schema)),
      )
    }
    try {
      await this.#putTemplate(template)
      await this.#putData(directory, manifest, signal)
      if (users !== null) await putUsers(this.#options.users, users)
      await this.#putOwners(template)
    } catch (error) {
      throw stopped(error)
    }
  }

  #checkFree(template: TemplateDocument | null): void {
    const { queries, jobs, sources } = this.#options
    for (const { graph, name } of template?.queries ?? []) {
      if (queries.find(graph, name) !== undefined) throw taken('query', name)
    }
    for (const { graph, name } of template?.jobs ?? []) {
      if (jobs.find(graph, name) !== undefined) throw taken('job', name)
    }
    for (const { graph, name } of template?.dataSources ?? []) {
      const isTaken = sources.livingIn(graph).some((one) => one.name === name)
      if (isTaken) throw taken('data source', name)
    }
  }

  async #putTemplate(template: TemplateDocument | null): Promise<void> {
    const { queries, jobs, sources, store } = this.#options
    if (template === null) return
    const isHome = (graph: string | null) =>
      graph === null || graph === '' || findGraph(store.catalog, graph) !== undefined
    const placed = [...template.queries, ...template.jobs, ...template.dataSources]
    const homeless = placed.find(({ graph }) => !isHome(graph))
    if (homeless !== undefined) requireGraph(store.catalog, homeless.graph ?? '')
    await queries.exclusive(async () => {
      for (const { owner: _, ...query } of template.queries) await queries.put(query)
    })
    for (const { isJson, ...job } of template.jobs) {
      await jobs.create({ ...job, ...(isJson === true && { isJson }) })
    }
    for (const source of template.dataSources) {
      // Of other graphs than those imported nothing is granted.
      await sources.restore({ ...source, grantedTo: source.grantedTo.filter(isHome) })
    }
  }

  /** Queries of users who are not here belong to nobody. */
  async #putOwners(template: TemplateDocument | null): Promise<void> {
    const { queries, users } = this.#options
    await queries.exclusive(async () => {
      for (const { graph, name, owner } of template?.queries ?? []) {
        if (owner === undefined || users.users.find(owner) === undefined) continue
        await queries.put({ ...queries.require(graph, name), owner })
      }
    })
  }

  /** One file after the other: vertices stand before the edges that join them. */
  async #putData(directory: string, manifest: ExportManifest, signal: AbortSignal): Promise<void> {
    for (const file of manifest.data ?? []) {
      const chunks = createReadStream(join(directory, file.file), { highWaterMark: 1 << 20 })
      let count = 0
      for await (const line of linesOf(chunks)) {
        throwIfEnded(signal)
        const { result } = await this.#options.upserts.upsert(file.graph, line, importFlags)
        count += file.kind === 'vertices' ? result.accepted_vertices : result.accepted_edges
      }
      if (count === file.count) continue
      const found = `${file.file} brought ${count} ${file.kind}, not ${file.count}`
      throw new DbError('INVALID_PARAMETER', `${found}: some were deleted permanently here.`)
    }
  }
}

const importFlags: UpsertFlags = {
  newVertexOnly: false,
  updateVertexOnly: false,
  vertexMustExist: false,
  sourceVertexMustExist: false,
  targetVertexMustExist: false,
  atomic: false,
  ack: 'all',
  isExport: true,
}

/** Graphs share global types: an export is imported whole or not at all. */
function checkGraphs(manifest: ExportManifest, wanted: readonly string[] | null): void {
  if (wanted === null) return
  const has = manifest.graphs
  if (has !== null && has.length === wanted.length && wanted.every((one) => has.includes(one))) {
    return
  }
  const what = has === null ? 'the whole database' : `the graphs ${has.join(', ')}`
  const text = `The export holds ${what} and is imported whole: ask for ALL, or export the graphs wanted.`
  throw new DbError('INVALID_PARAMETER', text)
}

async function verify(
  directory: string,
  { schema, template, users, data }: ExportManifest,
  signal: AbortSignal,
): Promise<void> {
  const sums = [schema, template, users, ...(data ?? [])].filter((one) => one !== null)
  const files: FileSum[] = sums.map(({ file, sizeBytes, sha256 }) => ({ file, sizeBytes, sha256 }))
  const answer = await runTransfer({ kind: 'verify', directory, files }, signal)
  if (answer.kind !== 'verified' || answer.damage === null) return
  throw new DbError('INVALID_PARAMETER', `The export is damaged: ${answer.damage}.`)
}

async function readDocuments(
  directory: string,
  { schema, template, users }: ExportManifest,
  { keepUsers, password }: DatabaseImport,
): Promise<Documents> {
  const document = async <T>(
    sum: FileSum | null,
    read: (text: string, file: string) => T | Promise<T>,
  ) => (sum === null ? null : await read(await textOf(directory, sum.file), sum.file))
  return {
    schema: await document(schema, (text, file) => readDocument(schemaForm, text, file)),
    template: await document(template, (text, file) => readDocument(templateForm, text, file)),
    users: keepUsers
      ? null
      : await document(users, (text, file) => readUsers(text, file, password)),
  }
}

async function textOf(directory: string, file: string): Promise<string> {
  try {
    return await readFile(join(directory, file), 'utf8')
  } catch (cause) {
    const text = `The directory holds no export: ${file} cannot be read.`
    throw new DbError('INVALID_PARAMETER', text, { cause })
  }
}

function taken(kind: string, name: string): DbError {
  return new DbError('NAME_TAKEN', `The ${kind} ${name} already exists.`)
}

/** The schema stands by then: who tries again has to drop it. */
function stopped(error: unknown): unknown {
  if (!isDbError(error)) return error
  const text = `The import stopped, what came before stays (DROP GRAPH or DROP ALL removes it): ${error.message}`
  return new DbError(error.code, text, { details: error.details, cause: error })
}
