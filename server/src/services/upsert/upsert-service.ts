/**
 * Upserts: the payload is read and found valid whole, then committed.
 *
 * Without the atomic header a long payload becomes several commits, in order and in flight at the
 * same time (decision 5 of the contract): a crash then leaves a prefix of it. With the header it
 * is one commit that a flag rejects as a whole.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { requireGraphInPath, vertexTypeById } from '#catalog/lookup.ts'
import type { Catalog } from '#catalog/types.ts'
import type { CommitOptions } from '#graph/engine-options.ts'
import type { LoadPosition } from '#graph/load-positions.ts'
import { isStaleFrame } from '#graph/mutate/check-frame.ts'
import type { MutationOutcome, VertexName } from '#graph/mutate/outcome.ts'
import { withPosition, withPositionInPieces } from '#graph/mutate/positioned-frame.ts'
import { assert } from '#kernel/assert.ts'
import type { Clock } from '#kernel/clock.ts'
import { DbError, isDbError } from '#kernel/errors.ts'
import {
  APPLY_SLICE_BODY_BYTES,
  APPLY_SLICE_MS_MAX,
  UPSERT_OBJECT_SIZE_BYTES_MAX,
} from '#kernel/limits.ts'
import { keyOption } from '../instances/request-key.ts'
import { LongObject } from './json-bytes.ts'
import {
  noTypes,
  type PayloadOptions,
  type ReadPayload,
  readFailureOf,
  readPayload,
} from './made-payload.ts'
import { CHUNK_SIZE_BYTES, type ParsedPayload, PayloadParser } from './payload-parser.ts'
import { payloadPlan } from './payload-plan.ts'
import { checkFlags, frameFlagsOf, hasMustExist, type UpsertFlags } from './upsert-flags.ts'
import { checkUtf8 } from './utf8.ts'

/** Of imports: into a graph that is larger than the caches an entry takes several times as long. */
const IMPORT_CHUNK_SIZE_BYTES = 24 * 1_024
/** Shorter bodies are read in one go: no turn is over before they are. */
const SLICE_BODY_BYTES_MIN = 64 * 1_024
/** Bytes of a body read between two looks at the clock. */
const BYTES_PER_LOOK = 64 * 1_024
/** Missing vertices that an error names. */
const NAMES_IN_MESSAGE_MAX = 10

interface VertexReference {
  readonly v_type: string
  readonly v_id: string
}

/** The one object of `results`; the keys beyond the counters only with their flag. */
export interface UpsertResult {
  readonly accepted_vertices: number
  readonly accepted_edges: number
  readonly skipped_vertices?: number
  readonly vertices_already_exist?: readonly VertexReference[]
  readonly vertices_not_exist?: readonly VertexReference[]
  readonly vertices_deleted_permanently?: readonly VertexReference[]
  readonly skipped_edges?: number
  readonly edge_vertices_not_exist?: readonly VertexReference[]
}

export interface UpsertAnswer {
  readonly result: UpsertResult
  /** Vertices that edges brought along. */
  readonly createdEnds: number
  readonly code: 'REST-0001' | 'REST-0002' | 'REST-0003' | 'REST-0004'
}

/** What upserts need of the engine. */
export interface UpsertEngine {
  readonly catalog: Catalog
  commit(frame: Uint8Array, options?: CommitOptions): Promise<MutationOutcome>
}

/** Reads payloads on another thread. */
export interface PayloadThreads {
  readPayload(body: Uint8Array, options: PayloadOptions): Promise<ReadPayload>
}

type Totals = Omit<MutationOutcome, 'sequence'>

export class UpsertService {
  readonly #engine: UpsertEngine
  readonly #clock: Clock
  readonly #threads: PayloadThreads | null

  /** @param threads for payloads with long objects; absent: all are read here */
  constructor(engine: UpsertEngine, clock: Clock, threads: PayloadThreads | null = null) {
    this.#engine = engine
    this.#clock = clock
    this.#threads = threads
  }

  /**
   * @param body the request's bytes, whatever its content type said
   * @throws DbError INVALID_JSON or INVALID_PAYLOAD (nothing written), GRAPH_NOT_FOUND,
   *   EDGE_ENDPOINT_MISSING when a flag rejects an atomic payload, and the engine's own
   */
  async upsert(graph: string, body: Uint8Array, flags: UpsertFlags): Promise<UpsertAnswer> {
    requireGraphInPath(this.#engine.catalog, graph, `/graph/${graph}`)
    checkFlags(flags)
    for (;;) {
      const { catalog } = this.#engine
      try {
        return await this.#upsertOnce(graph, body, flags)
      } catch (error) {
        // Another schema since it was read, and nothing written: it is read once more under that.
        if (!isStaleFrame(error) || catalog === this.#engine.catalog) throw error
      }
    }
  }

  async #upsertOnce(graph: string, body: Uint8Array, flags: UpsertFlags): Promise<UpsertAnswer> {
    const { payload, named } =
      this.#madeBefore(flags) ??
      (body.length <= SLICE_BODY_BYTES_MIN
        ? readPayload(body, this.#optionsOf(graph, flags))
        : await this.#readInSlices(body, this.#optionsOf(graph, flags)))
    if (named !== null) flags.checkTypes?.(named)
    const totals = await this.#commit(payload, flags)
    if (totals.rejected) throw this.#rejection(totals, flags)
    const { createdEnds } = totals
    return { result: this.#resultOf(totals, flags), createdEnds, code: codeOf(payload) }
  }

  #madeBefore({ made }: UpsertFlags): ReadPayload | null {
    if (made?.catalogVersion !== this.#engine.catalog.version) return null
    return { payload: made.payload, named: null }
  }

  /** Commits nothing but how far a loading job is. */
  async notePosition(position: LoadPosition): Promise<void> {
    await this.#engine.commit(withPosition(null, position))
  }

  #optionsOf(graph: string, flags: UpsertFlags): PayloadOptions {
    const chunkSizeBytes = flags.isExport ? IMPORT_CHUNK_SIZE_BYTES : CHUNK_SIZE_BYTES
    return {
      catalog: this.#engine.catalog,
      graph,
      flags: frameFlagsOf(flags),
      chunkSizeBytes: flags.atomic || flags.position !== undefined ? 0 : chunkSizeBytes,
      isExport: flags.isExport === true || flags.takesNotFinite === true,
      wantsNames: flags.checkTypes !== undefined,
    }
  }

  async #readInSlices(body: Uint8Array, options: PayloadOptions): Promise<ReadPayload> {
    await checkUtf8InSlices(body)
    try {
      return await this.#readHere(body, options)
    } catch (error) {
      if (!(error instanceof LongObject) || this.#threads === null) throw readFailureOf(error)
      return this.#threads.readPayload(body, options)
    }
  }

  /** @throws LongObject when another thread is to read the body */
  async #readHere(body: Uint8Array, options: PayloadOptions): Promise<ReadPayload> {
    const named = options.wantsNames ? noTypes() : null
    const objectSizeBytesMax =
      this.#threads === null ? Number.POSITIVE_INFINITY : UPSERT_OBJECT_SIZE_BYTES_MAX
    const plan = payloadPlan(options.catalog, options.graph)
    const parser = new PayloadParser(body, plan, { ...options, named, objectSizeBytesMax })
    let startMs = this.#clock.monotonicMs()
    while (!parser.run(parser.at + BYTES_PER_LOOK)) {
      if (this.#clock.monotonicMs() - startMs < APPLY_SLICE_MS_MAX) continue
      await nextTurn()
      startMs = this.#clock.monotonicMs()
    }
    return { payload: parser.finish(), named }
  }

  /** All chunks are ordered at once; the answer waits for all of them, the failed ones included. */
  async #commit(payload: ParsedPayload, { ack, position, key }: UpsertFlags): Promise<Totals> {
    const [first] = payload.frames
    if (first === undefined) return sumOf([])
    if (position !== undefined) {
      assert(payload.frames.length === 1, 'a batch of a loading job is one commit')
      const positioned = await withPositionInPieces(first, position)
      return this.#engine.commit(positioned, { ack, ...keyOption(key) })
    }
    if (payload.frames.length === 1) return this.#engine.commit(first, { ack, ...keyOption(key) })
    const commits = payload.frames.map((frame, part) =>
      this.#engine.commit(frame, { ack, ...keyOption(key, part) }),
    )
    const settled = await Promise.allSettled(commits)
    const failed = settled.filter((result) => result.status === 'rejected')
    const written = settled.flatMap((result) => (result.status === 'fulfilled' ? result.value : []))
    const [failure] = failed
    if (failure === undefined) return sumOf(written)
    throw written.length === 0 ? failure.reason : writtenInPart(failure.reason, sumOf(written))
  }

  #resultOf(totals: Totals, flags: UpsertFlags): UpsertResult {
    const { retiredEntries, retiredVertices } = totals
    const skipped = { skipped_vertices: totals.skippedVertices.length + retiredEntries }
    return {
      accepted_vertices: totals.acceptedVertices,
      accepted_edges: totals.acceptedEdges,
      ...(flags.newVertexOnly && {
        ...skipped,
        vertices_already_exist: this.#namesOf(totals.skippedVertices),
      }),
      ...(flags.updateVertexOnly && {
        ...skipped,
        vertices_not_exist: this.#namesOf(totals.skippedVertices),
      }),
      ...(retiredVertices.length > 0 && {
        ...skipped,
        skipped_edges: totals.skippedEdges,
        vertices_deleted_permanently: this.#namesOf(retiredVertices),
      }),
      ...(hasMustExist(flags) && {
        skipped_edges: totals.skippedEdges,
        edge_vertices_not_exist: this.#namesOf(totals.missingEndpoints),
      }),
    }
  }

  #namesOf(names: readonly VertexName[]): VertexReference[] {
    const { catalog } = this.#engine
    return names.map(({ typeId, id }) => ({
      v_type: vertexTypeById(catalog, typeId).name,
      v_id: id,
    }))
  }

  #listOf(which: string, refused: readonly VertexName[]): string {
    if (refused.length === 0) return ''
    const shown = this.#namesOf(refused.slice(0, NAMES_IN_MESSAGE_MAX))
    const names = shown.map(({ v_type, v_id }) => `${v_type} '${v_id}'`).join(', ')
    const more = refused.length > shown.length ? ` and ${refused.length - shown.length} more` : ''
    return `Vertices ${which}: ${names}${more}. `
  }

  #rejection(totals: Totals, flags: UpsertFlags): DbError {
    const isMissing = totals.missingEndpoints.length > 0 || !flags.newVertexOnly
    const refused = [...totals.missingEndpoints, ...totals.skippedVertices]
    const parts = [
      this.#listOf(isMissing ? 'that do not exist' : 'that exist already', refused),
      this.#listOf('that were deleted permanently', totals.retiredVertices),
    ]
    const message = `The atomic request was rejected, nothing was written. ${parts.join('')}`.trim()
    const result = this.#resultOf({ ...totals, acceptedVertices: 0, acceptedEdges: 0 }, flags)
    return new DbError('EDGE_ENDPOINT_MISSING', message, { details: { results: [result] } })
  }
}

/** Other commits of the payload have been made: it may not be read anew, and the client is told. */
function writtenInPart(cause: unknown, { acceptedVertices, acceptedEdges }: Totals): unknown {
  if (!isDbError(cause)) return cause
  const part = `${acceptedVertices} vertices and ${acceptedEdges} edges`
  const text = `${cause.message} Of the request ${part} are written, the others are not.`
  // What is refused whole may be sent again; this may not.
  const code = cause.code === 'NOT_WRITER' ? 'OUTCOME_UNKNOWN' : cause.code
  return new DbError(code, text, { cause, details: isStaleFrame(cause) ? {} : cause.details })
}

async function checkUtf8InSlices(body: Uint8Array): Promise<void> {
  let checked = 0
  while (checked < body.length) {
    if (checked > 0) await nextTurn()
    checked = checkUtf8(body, checked, Math.min(body.length, checked + APPLY_SLICE_BODY_BYTES))
  }
}

function codeOf({ vertexCount, edgeCount }: ParsedPayload): UpsertAnswer['code'] {
  if (vertexCount === 0) return edgeCount === 0 ? 'REST-0004' : 'REST-0002'
  return edgeCount === 0 ? 'REST-0001' : 'REST-0003'
}

function sumOf(outcomes: readonly Totals[]): Totals {
  const sum = (of: (outcome: Totals) => number): number =>
    outcomes.reduce((total, outcome) => total + of(outcome), 0)
  return {
    acceptedVertices: sum((outcome) => outcome.acceptedVertices),
    acceptedEdges: sum((outcome) => outcome.acceptedEdges),
    createdEnds: sum((outcome) => outcome.createdEnds),
    skippedEdges: sum((outcome) => outcome.skippedEdges),
    deletedVertices: 0,
    deletedEdges: 0,
    retiredEntries: sum((outcome) => outcome.retiredEntries),
    retiredVertices: eachOnce(outcomes.flatMap((outcome) => outcome.retiredVertices)),
    skippedVertices: outcomes.flatMap((outcome) => outcome.skippedVertices),
    missingEndpoints: eachOnce(outcomes.flatMap((outcome) => outcome.missingEndpoints)),
    rejected: false,
    isInConflict: false,
  }
}

function eachOnce(names: readonly VertexName[]): VertexName[] {
  const seen = new Map(names.map((name) => [`${name.typeId}:${name.id}`, name]))
  return seen.size === names.length ? [...names] : [...seen.values()]
}
