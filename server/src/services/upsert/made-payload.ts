/**
 * Payloads that a thread for loading reads, in place of the event loop: a single object is read in one go,
 * and the longest takes some hundred milliseconds.
 */
import type { Catalog } from '#catalog/types.ts'
import { DbError } from '#kernel/errors.ts'
import { CHUNK_SIZE_BYTES, type ParsedPayload, PayloadParser } from './payload-parser.ts'
import { type NamedTypes, payloadPlan } from './payload-plan.ts'
import { frameFlagsOf, type MadePayload, type UpsertFlags } from './upsert-flags.ts'
import { checkUtf8 } from './utf8.ts'

export interface MakeOptions {
  readonly catalog: Catalog
  readonly graph: string
  readonly flags: UpsertFlags
  /** The payload has a position in its job. */
  readonly isOneCommit: boolean
}

/** @throws DbError INVALID_JSON, INVALID_PAYLOAD, GRAPH_NOT_FOUND */
export function makePayload(
  body: Uint8Array,
  { catalog, graph, flags, isOneCommit }: MakeOptions,
): MadePayload {
  const { payload } = readPayload(body, {
    ...{ catalog, graph, wantsNames: false },
    flags: frameFlagsOf(flags),
    chunkSizeBytes: isOneCommit ? 0 : CHUNK_SIZE_BYTES,
    isExport: flags.takesNotFinite === true,
  })
  return { payload, catalogVersion: catalog.version }
}

/** What of a request the reader has to know. */
export interface PayloadOptions {
  readonly catalog: Catalog
  readonly graph: string
  /** As for the parser. */
  readonly flags: number
  readonly chunkSizeBytes: number
  readonly isExport: boolean
  /** Of types, for a caller whose rights are limited to some. */
  readonly wantsNames: boolean
}

export interface ReadPayload {
  readonly payload: ParsedPayload
  /** Null: they were not wanted. */
  readonly named: NamedTypes | null
}

/** @throws DbError INVALID_JSON, INVALID_PAYLOAD, GRAPH_NOT_FOUND, MEMORY_LIMIT */
export function readPayload(body: Uint8Array, options: PayloadOptions): ReadPayload {
  const { catalog, graph, flags, chunkSizeBytes, isExport } = options
  checkUtf8(body, 0, body.length)
  const named = options.wantsNames ? noTypes() : null
  try {
    const parser = new PayloadParser(body, payloadPlan(catalog, graph), {
      flags,
      chunkSizeBytes,
      isExport,
      named,
    })
    parser.run(body.length)
    return { payload: parser.finish(), named }
  } catch (error) {
    throw readFailureOf(error)
  }
}

/** Of V8, when the system refuses the memory of an array; other RangeErrors are faults of this program. */
const allocationFailure =
  /allocation failed|invalid array buffer length|invalid typed array length/i

/** Maps an array that the system refuses to MEMORY_LIMIT; nothing is written yet. */
export function readFailureOf(error: unknown): unknown {
  if (!(error instanceof RangeError && allocationFailure.test(error.message))) return error
  return new DbError('MEMORY_LIMIT', 'There is no memory to read the payload.', { cause: error })
}

export function noTypes(): NamedTypes {
  return { vertices: new Set(), edges: new Set(), ends: new Set() }
}

/** The buffers of the frames, to be handed over and not copied. */
export function buffersOf({ frames }: ParsedPayload): ArrayBuffer[] {
  const buffers = frames.map(({ buffer }) => buffer)
  return [...new Set(buffers)].filter((buffer) => buffer instanceof ArrayBuffer)
}
