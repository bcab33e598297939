/** Rebuild and the deleted-vertex check, and what the last runs said. */
import { closeSync, lstatSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import { getuid } from 'node:process'
import { findVertexType, requireVertexType, vertexTypesOf } from '#catalog/lookup.ts'
import { missingAttribute } from '#catalog/rule.ts'
import type { Catalog } from '#catalog/types.ts'
import { vectorsOf } from '#catalog/vectors.ts'
import type {
  DeletedSegment,
  DeletedVertexOptions,
  DeletedVertexReport,
} from '#graph/gse/deleted-check.ts'
import type { RebuildProgress } from '#graph/rebuild/progress.ts'
import type { RebuildOptions, RebuildReport, SegmentReport } from '#graph/rebuild/report.ts'
import type { VectorIndexStatus } from '#graph/vectors/vector-indexes.ts'
import type { Clock } from '#kernel/clock.ts'
import { DbError } from '#kernel/errors.ts'
import type { Collection, Documents } from '#storage/documents.ts'
import {
  containedPath,
  createContained,
  LinkInPath,
  makeFolders,
} from '#storage/files/contained.ts'
import { Turns } from '../auth/turns.ts'

export interface MaintenanceEngine {
  readonly catalog: Catalog
  readonly rebuildProgress: RebuildProgress | null
  rebuild(options?: RebuildOptions): Promise<RebuildReport>
  deletedVertexCheck(options?: DeletedVertexOptions): DeletedVertexReport
}

export interface MaintenanceOptions {
  readonly engine: MaintenanceEngine
  readonly vectors: { status(): readonly VectorIndexStatus[] }
  readonly documents: Documents
  readonly clock: Clock
  /** Folders named by requests lie in its folder for summaries; null: none may be named. */
  readonly dataDirectory: string | null
  /** Where summaries go when no folder is named; null: nowhere. */
  readonly reportDirectory: string | null
  onRebuilt(text: string): void
  /** Told when the summary of a rebuild could not be put into the folder of the contract. */
  onSummaryFailure(error: unknown): void
}

export interface MaintenanceRun {
  readonly startedAt: number
  readonly durationMs: number
  readonly kind: 'rebuild' | 'deleted-vertex-check'
  readonly graph: string | null
  readonly passed: boolean
  readonly text: string
}

export interface RebuildRequest {
  readonly vertexType: string | undefined
  readonly segmentIds: readonly number[] | undefined
  readonly path: string | undefined
  readonly force: boolean
}

export interface VectorPlace {
  readonly graph?: string | undefined
  readonly vertex_type?: string | undefined
  readonly vector?: string | undefined
}

/** What vectors still wait for, by server; docs/reference/rest.md has the names. */
export interface VectorStatus {
  readonly NeedRebuildServers: string[]
  readonly 'NeedRebuildInstances({SEGID}_{VECTOR_ID})'?: Record<string, string[]>
}

export interface CheckRequest {
  readonly vertexTypes: readonly string[] | undefined
  readonly segmentIds: readonly number[] | undefined
  /** Bits: 1 counts, 2 counts per segment, 4 deleted ids. */
  readonly verbose: number
}

/** A folder for summaries, and the part of its path that the server did not choose. */
interface SummaryFolder {
  readonly path: string
  /** Below it no link is followed. */
  readonly base: string
}

/** The folder that the message names without `path`: a client test compares it. */
const DEFAULT_FOLDER = '/tmp/rebuildnow'
/** In the data directory: where the folders lie that requests name. */
const OWN_FOLDER = 'rebuildnow'
/** The only processing engine there is. */
const SERVER_NAME = 'GPE_1#1'
const COLLECTION = 'maintenance'
const RUNS_MAX = 20

export class MaintenanceService {
  readonly #options: MaintenanceOptions
  readonly #documents: Collection
  readonly #turns = new Turns()

  constructor(options: MaintenanceOptions) {
    this.#options = options
    this.#documents = options.documents.openOwn(COLLECTION)
  }

  /**
   * Which vector indexes are still being made; searches are exact until they are there.
   * @throws DbError GRAPH_NOT_FOUND, VERTEX_TYPE_NOT_FOUND, ATTRIBUTE_NOT_FOUND
   */
  vectorStatus(place: VectorPlace, isVerbose = false): VectorStatus {
    const covers = this.#vectorsAt(place)
    const behind = this.#options.vectors
      .status()
      .filter((index) => !index.isReady && covers(index.typeId, index.attributeId))
    const NeedRebuildServers = behind.length === 0 ? [] : [SERVER_NAME]
    if (!isVerbose) return { NeedRebuildServers }
    const instances = behind.flatMap(({ missingSegments, attributeId }) =>
      missingSegments.map((segment) => `${segment}_${attributeId}`),
    )
    const byServer = behind.length === 0 ? {} : { [SERVER_NAME]: instances }
    return { NeedRebuildServers, 'NeedRebuildInstances({SEGID}_{VECTOR_ID})': byServer }
  }

  #vectorsAt({ graph, vertex_type: typeName, vector: name }: VectorPlace) {
    const { catalog } = this.#options.engine
    if (graph === undefined) return () => true
    if (typeName === undefined) {
      const typeIds = new Set(vertexTypesOf(catalog, graph).map(({ id }) => id))
      return (typeId: number) => typeIds.has(typeId)
    }
    const type = requireVertexType(catalog, graph, typeName)
    if (name === undefined) return (typeId: number) => typeId === type.id
    const vector = vectorsOf(type).find((one) => one.name === name)
    if (vector === undefined) throw missingAttribute(name, typeName)
    return (typeId: number, attributeId: number) => typeId === type.id && attributeId === vector.id
  }

  /** @returns the message of the contract. @throws DbError VERTEX_TYPE_NOT_FOUND, INVALID_PARAMETER */
  async rebuild(graph: string, request: RebuildRequest): Promise<string> {
    const { engine, clock, onRebuilt } = this.#options
    const isElsewhere = this.#isElsewhere(request.path)
    const path = isElsewhere ? this.#ownFolder() : request.path
    const folder = this.#preparedFolder(path)
    const typeIds =
      request.vertexType === undefined
        ? undefined
        : typeIdsNamed(engine.catalog, graph, request.vertexType)
    const startedAt = clock.nowMs()
    const report = await engine.rebuild({
      force: request.force,
      ...(typeIds && { vertexTypeIds: typeIds }),
      ...(request.segmentIds && { segmentIds: request.segmentIds }),
    })
    const { durationMs } = report
    const done = report.segments.filter((segment) => segment.isSelected).length
    const text = `Rebuilt ${done} of ${report.segments.length} segments.`
    await this.#record({ startedAt, durationMs, kind: 'rebuild', graph, passed: true, text })
    onRebuilt(text)
    if (folder !== null) this.#unlessNamed(path, () => writeSummary(folder, report))
    const message = `RebuildNow finished, please check details in the folder: ${path || DEFAULT_FOLDER}`
    return isElsewhere ? `${message}. Nothing is written to ${request.path}.` : message
  }

  /** Clients name folders of their own machine: such a path is a wish, and the summary goes to ours. */
  #isElsewhere(path: string | undefined): boolean {
    if (!path || !isAbsolute(path) || path.includes('\0')) return false
    const { dataDirectory } = this.#options
    const ours = dataDirectory === null ? [] : [join(dataDirectory, OWN_FOLDER)]
    const isIn = (base: string) => containedPath(base, path) !== null
    return path !== DEFAULT_FOLDER && ![...ours, DEFAULT_FOLDER].some(isIn)
  }

  #ownFolder(): string | undefined {
    const { dataDirectory } = this.#options
    return dataDirectory === null
      ? undefined
      : join(resolve(dataDirectory), OWN_FOLDER, 'elsewhere')
  }

  /** Null: there is none, or the one of the contract cannot be had. */
  #preparedFolder(path: string | undefined): SummaryFolder | null {
    const folder = this.#folder(path)
    if (folder === null) return null
    return this.#unlessNamed(path, () => makeFolder(folder)) ? folder : null
  }

  /**
   * The folder of the contract is the same for every server of a machine: that another user's lies
   * there must not fail a rebuild. A folder that the request names has to be good.
   * @returns whether it was done
   */
  #unlessNamed(path: string | undefined, work: () => void): boolean {
    try {
      work()
      return true
    } catch (error) {
      if (path && path !== DEFAULT_FOLDER) throw error
      this.#options.onSummaryFailure(error)
      return false
    }
  }

  /**
   * Folders of requests lie in a folder of the data directory, or in the one of the contract.
   * @throws DbError INVALID_PARAMETER for one elsewhere
   */
  #folder(path: string | undefined): SummaryFolder | null {
    const { dataDirectory, reportDirectory } = this.#options
    if (!path || path === DEFAULT_FOLDER) {
      return reportDirectory === null
        ? null
        : { path: resolve(reportDirectory), base: dirname(resolve(reportDirectory)) }
    }
    if (dataDirectory === null) throw outside()
    const own = containedPath(join(dataDirectory, OWN_FOLDER), path)
    if (own !== null) return { path: own, base: resolve(dataDirectory) }
    const shared = containedPath(DEFAULT_FOLDER, path)
    if (shared !== null) return { path: shared, base: dirname(DEFAULT_FOLDER) }
    throw outside()
  }

  /** @returns one object per engine instance, of which there is one */
  async check(graph: string | null, request: CheckRequest) {
    const { engine, clock } = this.#options
    const startedAt = clock.nowMs()
    const begun = clock.monotonicMs()
    const { catalog } = engine
    const named = request.vertexTypes?.flatMap((name) => typeIdsNamed(catalog, graph, name))
    const ofGraph =
      graph === null ? undefined : vertexTypesOf(catalog, graph).map((type) => type.id)
    const vertexTypeIds = named ?? ofGraph
    const report = engine.deletedVertexCheck({
      withIds: (request.verbose & 4) !== 0,
      ...(vertexTypeIds && { vertexTypeIds }),
      ...(request.segmentIds && { segmentIds: request.segmentIds }),
    })
    const passed = report.isPassed
    const wrong = report.segments.filter((segment) => !segment.isInSync)
    const durationMs = clock.monotonicMs() - begun
    const text = passed
      ? `${report.segments.length} segments agree.`
      : `${wrong.length} of ${report.segments.length} segments disagree.`
    await this.#record({ startedAt, durationMs, kind: 'deleted-vertex-check', graph, passed, text })
    return {
      GPE: 'GPE_1_1',
      PassCheck: passed,
      UnSyncList: wrong.map((segment) => ({
        Segid: segment.segmentId,
        IsRemote: false,
        VertexType: segment.typeName,
        GPEDelHash: segment.gpeHash,
        IDSDelHash: segment.gseHash,
      })),
      ...verboseFields(report.segments, request.verbose),
    }
  }

  /** Of all graphs: a rebuild is one of the whole server. Null: none runs. */
  progress() {
    const running = this.#options.engine.rebuildProgress
    if (running === null) return { rebuild: null }
    const { startedMs: startedAt, step, share } = running
    return { rebuild: { startedAt, step, share } }
  }

  async runs(): Promise<MaintenanceRun[]> {
    const bytes = await this.#documents.get('runs')
    return bytes === null ? [] : (JSON.parse(Buffer.from(bytes).toString()) as MaintenanceRun[])
  }

  #record(run: MaintenanceRun): Promise<void> {
    return this.#turns.run(async () => {
      const runs = [run, ...(await this.runs())].slice(0, RUNS_MAX)
      const bytes = Buffer.from(JSON.stringify(runs))
      await this.#documents.put('runs', bytes)
    })
  }
}

/** Types of several graphs may bear one name: without a graph they are all meant. */
function typeIdsNamed(catalog: Catalog, graph: string | null, name: string): number[] {
  const types =
    graph === null
      ? catalog.vertexTypes.filter((one) => one.name === name)
      : [findVertexType(catalog, graph, name) ?? []].flat()
  if (types.length > 0) return types.map(({ id }) => id)
  throw new DbError(
    'VERTEX_TYPE_NOT_FOUND',
    `The input parameter vertextype = '${name}' is not a valid vertex type.`,
  )
}

function verboseFields(segments: readonly DeletedSegment[], verbose: number) {
  const counted = ({ segmentId, typeName, vertexCount, gpeCount }: DeletedSegment) => ({
    Segid: segmentId,
    VertexType: typeName,
    Count: vertexCount,
    Deleted: gpeCount,
  })
  return {
    ...((verbose & 1) !== 0 && { VertexCounts: countsByType(segments) }),
    ...((verbose & 2) !== 0 && { SegmentCounts: segments.map(counted) }),
    ...((verbose & 4) !== 0 && {
      DeletedIds: segments.map(({ segmentId, typeName, deletedIds }) => ({
        Segid: segmentId,
        VertexType: typeName,
        Ids: [...deletedIds],
      })),
    }),
  }
}

function countsByType(segments: readonly DeletedSegment[]) {
  const counts = new Map<string, { VertexType: string; Count: number; Deleted: number }>()
  for (const { typeName, vertexCount, gpeCount } of segments) {
    const count = counts.get(typeName) ?? { VertexType: typeName, Count: 0, Deleted: 0 }
    count.Count += vertexCount
    count.Deleted += gpeCount
    counts.set(typeName, count)
  }
  return [...counts.values()]
}

/** @throws DbError INVALID_PARAMETER for a path that cannot be a folder of this server */
function makeFolder({ path, base }: SummaryFolder): void {
  try {
    makeFolders(base, path)
    // In a folder for everyone another user may have made it, and could exchange what lies in it.
    if (getuid !== undefined && lstatSync(path).uid !== getuid()) throw new LinkInPath(path)
  } catch (cause) {
    if (cause instanceof LinkInPath) throw outside(cause)
    const text = 'The parameter path names no folder that can be made.'
    throw new DbError('INVALID_PARAMETER', text, { cause })
  }
}

function outside(cause?: unknown): DbError {
  const text = `The parameter path must lie inside the folder ${OWN_FOLDER} of the data directory or inside ${DEFAULT_FOLDER}, without links.`
  return new DbError('INVALID_PARAMETER', text, cause === undefined ? {} : { cause })
}

/** One line per segment, in the words of docs/reference/rest.md. @throws DbError INVALID_PARAMETER */
function writeSummary({ path, base }: SummaryFolder, report: RebuildReport): void {
  const lines = report.segments.map((segment) => summaryLine(segment, report))
  const file = join(path, 'finished.summary.txt')
  try {
    rmSync(file, { force: true })
    const descriptor = createContained(base, file)
    try {
      writeFileSync(descriptor, `${lines.join('\n')}\n`)
    } finally {
      closeSync(descriptor)
    }
  } catch (cause) {
    const { code } = cause as { code?: string }
    const text = `The rebuild is done, but its summary cannot be written into ${path} (${code}).`
    throw new DbError('INVALID_PARAMETER', text, { cause })
  }
}

function summaryLine(segment: SegmentReport, { sequence, startedMs }: RebuildReport): string {
  const rebuiltAt = Math.floor(startedMs / 1000)
  return [
    segment.isSelected ? '[SELECTED]' : '[SKIPPED]',
    `Segment id: ${segment.segmentId}`,
    `vertextype: ${segment.typeName}`,
    `vertexsubtypeid: ${segment.typeId}`,
    `vertexcount: ${segment.vertexCount}`,
    `edgecount: ${segment.edgeCount}`,
    `deletevertexcount: ${segment.deletedVertexCount}`,
    'postqueue_pos: 0',
    `transaction id: ${sequence}`,
    `rebuild ts: ${rebuiltAt}`,
  ].join(', ')
}
