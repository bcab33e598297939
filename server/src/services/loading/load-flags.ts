/** Flags of the upserts of a loading job, for the main thread and for the thread of the job. */
import type { UpsertFlags } from '../upsert/upsert-flags.ts'

export interface LoadFlags {
  readonly newVertexOnly: boolean
  readonly vertexMustExist: boolean
}

export function flagsOf({ newVertexOnly, vertexMustExist }: LoadFlags): UpsertFlags {
  return {
    newVertexOnly,
    updateVertexOnly: false,
    vertexMustExist,
    sourceVertexMustExist: false,
    targetVertexMustExist: false,
    takesNotFinite: true,
    atomic: false,
    ack: 'all',
  }
}
