/**
 * Imports of what `ExportService.exportDatabase` wrote. All files are compared with their checksums
 * and the schema with the rules before anything is changed; nothing that is there is replaced but
 * users of the same name. An import that was cut short, by a crash too, is marked; when the same
 * export is imported again, it goes on from there, unless somebody has changed what it left.
 */
import { createHash } from 'node:crypto'
import { closeSync, createReadStream, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { withVersions } from '#catalog/graphs.ts'
import { findGraph, requireGraph } from '#catalog/lookup.ts'
import type { Clock } from '#kernel/clock.ts'
import { DbError, isDbError } from '#kernel/errors.ts'
import { IMPORT_SAVE_EVERY_MS } from '#kernel/limits.ts'
import { openContained } from '#storage/files/contained.ts'
import type { JobStore } from '../jobs/job-store.ts'
import type { DataSources } from '../loading/data-sources.ts'
import type { StoredQueries } from '../queries/stored-query.ts'
import type { CatalogStore } from '../schema/schema-service.ts'
import type { UpsertFlags } from '../upsert/upsert-flags.ts'
import type { UpsertService } from '../upsert/upsert-service.ts'
import {
  type ExportManifest,
  MANIFEST_FILE,
  readDocument,
  readManifest,
  schemaForm,
  type TemplateDocument,
  templateForm,
} from './export-manifest.ts'
import type { ImportMark, ImportMarks, ImportPlace } from './import-marks.ts'
import { linesOf } from './lines.ts'
import { importedSchema, isSchemaOf, missingParts } from './remains.ts'
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
  readonly marks: ImportMarks
  readonly clock: Clock
  /** Live vertices of a type. */
  vertexCount(graph: string, type: string): number
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

interface ImportSource {
  readonly directory: string
  readonly manifest: ExportManifest
  readonly documents: Documents
  readonly signal: AbortSignal
}

interface GivenImport {
  readonly sha256: string
  readonly path: string
  readonly manifest: ExportManifest
  readonly documents: Documents
}

/** An import that has not ended. */
export interface ImportState {
  readonly path: string
  readonly startMs: number
  /** `INTERRUPTED`: the server ended first. Each goes on when it is repeated. */
  readonly state: 'RUNNING' | 'INTERRUPTED' | 'FAILED'
  readonly message: string | null
}

const beginning: ImportPlace = { file: 0, lines: 0, count: 0 }

export class ImportService {
  readonly #options: ImportOptions
  /** Checksums of the manifests that are being imported. */
  readonly #running = new Set<string>()
  #savedMs = 0

  constructor(options: ImportOptions) {
    this.#options = options
  }

  /**
   * Brings in an export, or the rest of one whose import was cut short.
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
    const text = await textOf(directory, MANIFEST_FILE)
    const manifest = readManifest(text)
    mayBring(manifest)
    checkGraphs(manifest, request.graphs)
    const sha256 = createHash('sha256').update(text).digest('hex')
    if (this.#running.has(sha256)) {
      throw new DbError('UNAVAILABLE', 'An import of this export is under way.')
    }
    this.#running.add(sha256)
    try {
      await verify(directory, manifest, signal)
      const documents = await readDocuments(directory, manifest, request)
      const mark = await this.#begin({ sha256, path: request.path, manifest, documents })
      await this.#bring({ directory, manifest, documents, signal }, mark)
    } finally {
      this.#running.delete(sha256)
    }
  }

  /** Imports that were cut short, and those under way. */
  list(): readonly ImportState[] {
    return this.#options.marks.list().map(({ sha256, path, startMs, failure }) => {
      const state = this.#running.has(sha256) ? 'RUNNING' : 'INTERRUPTED'
      return { path, startMs, state: failure === null ? state : 'FAILED', message: failure }
    })
  }

  /**
   * Checks that nothing is replaced, and makes the schema.
   * @returns where the import begins: that of an earlier one, when what it left is unchanged
   */
  async #begin(given: GivenImport): Promise<ImportMark> {
    const { sha256, path, manifest, documents } = given
    const { store, marks, clock } = this.#options
    const { schema, template } = documents
    const known = marks.find(sha256)
    const remains = known !== undefined && (schema === null || isSchemaOf(known.id, store.catalog))
    if (template !== null) missingParts(template, this.#options, remains)
    if (known !== undefined && remains) {
      const place = this.#hasData(manifest, known.place) ? known.place : beginning
      const mark = { ...known, path, place, failure: null }
      await marks.put(mark)
      return mark
    }
    const startMs = clock.nowMs()
    const id = `${sha256}.${startMs}`
    const mark = { sha256, id, path, startMs, place: beginning, failure: null }
    await marks.put(mark)
    try {
      if (schema !== null) await this.#putSchema(id, schema)
    } catch (error) {
      // Nothing was changed: there is nothing to go on with.
      await marks.delete(sha256)
      throw error
    }
    return mark
  }

  /** Whether what was brought is still there: somebody may have cleared the store since. */
  #hasData({ data }: ExportManifest, { file }: ImportPlace): boolean {
    const whole = (data ?? []).slice(0, file).filter(({ kind }) => kind === 'vertices')
    return whole.every(({ graph, type, count }) => this.#options.vertexCount(graph, type) >= count)
  }

  async #putSchema(id: string, schema: SchemaDocument): Promise<void> {
    await this.#options.store.changeCatalog((catalog) => {
      const next = withVersions(catalog, withSchema(catalog, schema))
      return { ...next, imported: importedSchema(id, catalog, next, schema) }
    })
  }

  async #bring({ documents, ...source }: ImportSource, mark: ImportMark): Promise<void> {
    const { marks, users: stores } = this.#options
    const { template, users } = documents
    try {
      await this.#putTemplate(template)
      await this.#putData(source, mark)
      if (users !== null) await putUsers(stores, users)
      await this.#putOwners(template)
    } catch (error) {
      throw await this.#stopped(mark.sha256, error)
    }
    await marks.delete(mark.sha256)
  }

  async #stopped(sha256: string, error: unknown): Promise<unknown> {
    const { marks } = this.#options
    const mark = marks.find(sha256)
    const failure = isDbError(error)
      ? error.message
      : 'Internal error; the log of the server has it.'
    // The store may refuse this, too; the mark says then that the import was cut short.
    if (mark !== undefined) await marks.put({ ...mark, failure }).catch(() => undefined)
    return stopped(error)
  }

  async #putTemplate(template: TemplateDocument | null): Promise<void> {
    const { queries, jobs, sources, store } = this.#options
    if (template === null) return
    const isHome = (graph: string | null) =>
      graph === null || graph === '' || findGraph(store.catalog, graph) !== undefined
    const placed = [...template.queries, ...template.jobs, ...template.dataSources]
    const homeless = placed.find(({ graph }) => !isHome(graph))
    if (homeless !== undefined) requireGraph(store.catalog, homeless.graph ?? '')
    const missing = missingParts(template, this.#options, true)
    await queries.exclusive(async () => {
      for (const { owner: _, ...query } of missing.queries) await queries.put(query)
    })
    for (const { isJson, ...job } of missing.jobs) {
      await jobs.create({ ...job, ...(isJson === true && { isJson }) })
    }
    for (const source of missing.dataSources) {
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

  /** One file after the other: vertices come before the edges that join them. */
  async #putData(source: Omit<ImportSource, 'documents'>, mark: ImportMark): Promise<void> {
    const { directory, manifest, signal } = source
    const { upserts } = this.#options
    const files = manifest.data ?? []
    for (let index = mark.place.file; index < files.length; index++) {
      const file = files[index]!
      const begun = index === mark.place.file ? mark.place : { ...beginning, file: index }
      const fd = openContained(directory, join(directory, file.file))
      const chunks = createReadStream('', { fd, highWaterMark: 1 << 20 })
      let { count } = begun
      let lines = 0
      for await (const line of linesOf(chunks)) {
        throwIfEnded(signal)
        lines += 1
        if (lines <= begun.lines) continue
        const { result } = await upserts.upsert(file.graph, line, importFlags)
        count += file.kind === 'vertices' ? result.accepted_vertices : result.accepted_edges
        await this.#reached(mark.sha256, { file: index, lines, count }, false)
      }
      if (count !== file.count) {
        const found = `${file.file} brought ${count} ${file.kind}, not ${file.count}`
        throw new DbError('INVALID_PARAMETER', `${found}: some were deleted permanently here.`)
      }
      await this.#reached(mark.sha256, { ...beginning, file: index + 1 }, true)
    }
  }

  /** Everything up to this place is in the graph. */
  async #reached(sha256: string, place: ImportPlace, isEnd: boolean): Promise<void> {
    const { marks, clock } = this.#options
    const isDue = clock.monotonicMs() - this.#savedMs >= IMPORT_SAVE_EVERY_MS
    const mark = marks.find(sha256)
    if (mark === undefined || !(isEnd || isDue)) return
    this.#savedMs = clock.monotonicMs()
    await marks.put({ ...mark, place })
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
    const descriptor = openContained(directory, join(directory, file))
    try {
      return readFileSync(descriptor, 'utf8')
    } finally {
      closeSync(descriptor)
    }
  } catch (cause) {
    const text = `The directory holds no export: ${file} cannot be read.`
    throw new DbError('INVALID_PARAMETER', text, { cause })
  }
}

/** The schema is there by then: the same import goes on with it. */
function stopped(error: unknown): unknown {
  if (!isDbError(error)) return error
  const text = `The import stopped: ${error.message} What came before stays; the same import goes on from there (DROP GRAPH or DROP ALL removes it).`
  return new DbError(error.code, text, { details: error.details, cause: error })
}
