/**
 * Payloads of loading jobs that the thread of the job reads, in place of the event loop: a single object
 * is read in one go, and the longest takes some hundred milliseconds.
 */
import type { Catalog } from '#catalog/types.ts'
import { CHUNK_SIZE_BYTES, PayloadParser } from './payload-parser.ts'
import { payloadPlan } from './payload-plan.ts'
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
  checkUtf8(body, 0, body.length)
  const parser = new PayloadParser(body, payloadPlan(catalog, graph), {
    flags: frameFlagsOf(flags),
    chunkSizeBytes: isOneCommit ? 0 : CHUNK_SIZE_BYTES,
    isExport: flags.takesNotFinite === true,
  })
  parser.run(body.length)
  return { payload: parser.finish(), catalogVersion: catalog.version }
}
