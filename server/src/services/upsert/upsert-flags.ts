/** Flags of an upsert. */
import type { LoadPosition } from '#graph/load-positions.ts'
import { frameFlag } from '#graph/mutate/frame-format.ts'
import { DbError } from '#kernel/errors.ts'
import type { RequestKey } from '../instances/request-key.ts'
import type { ParsedPayload } from './payload-parser.ts'
import type { NamedTypes } from './payload-plan.ts'

export interface UpsertFlags {
  readonly newVertexOnly: boolean
  readonly updateVertexOnly: boolean
  readonly vertexMustExist: boolean
  readonly sourceVertexMustExist: boolean
  readonly targetVertexMustExist: boolean
  readonly atomic: boolean
  readonly ack: 'all' | 'none'
  /** Under which it is made once; each chunk has a part of it. */
  readonly key?: RequestKey | undefined
  /** Of a caller whose rights are limited to types: looks at them before anything is written. */
  readonly checkTypes?: (named: NamedTypes) => void
  /** The body is of an export: what no client may send is read, too (scalar-reader.ts). */
  readonly isExport?: boolean
  /** The numbers were checked by a loading job, which takes NaN and infinities as exports write them. */
  readonly takesNotFinite?: boolean
  /** The body is of a loading job: all of it is one commit, which says how far the job is. */
  readonly position?: LoadPosition
  /** What a thread has made of the body of a loading job. */
  readonly made?: MadePayload
}

/** A payload that was read elsewhere. */
export interface MadePayload {
  readonly payload: ParsedPayload
  /** Of the catalogue that it was read under: under another one it is read again. */
  readonly catalogVersion: number
}

/** @throws DbError INVALID_PAYLOAD when flags contradict each other */
export function checkFlags(flags: UpsertFlags): void {
  if (flags.newVertexOnly && flags.updateVertexOnly) {
    throw conflict('new_vertex_only', 'update_vertex_only')
  }
  if (!flags.vertexMustExist) return
  if (flags.sourceVertexMustExist) throw conflict('vertex_must_exist', 'source_vertex_must_exist')
  if (flags.targetVertexMustExist) throw conflict('vertex_must_exist', 'target_vertex_must_exist')
}

function conflict(one: string, other: string): DbError {
  return new DbError(
    'INVALID_PAYLOAD',
    `The parameters ${one} and ${other} contradict each other: only one may be true.`,
  )
}

export function hasMustExist(flags: UpsertFlags): boolean {
  return flags.vertexMustExist || flags.sourceVertexMustExist || flags.targetVertexMustExist
}

/** As bits of frameFlag. */
export function frameFlagsOf(flags: UpsertFlags): number {
  const source = flags.vertexMustExist || flags.sourceVertexMustExist
  const target = flags.vertexMustExist || flags.targetVertexMustExist
  return (
    (flags.newVertexOnly ? frameFlag.newVertexOnly : 0) |
    (flags.updateVertexOnly ? frameFlag.updateVertexOnly : 0) |
    (source ? frameFlag.sourceMustExist : 0) |
    (target ? frameFlag.targetMustExist : 0) |
    (flags.atomic ? frameFlag.atomic : 0)
  )
}
