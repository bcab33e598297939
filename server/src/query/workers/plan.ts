/**
 * An installed query as workers run it: plain data. A worker generates and compiles the text when it
 * first meets the plan over memory of a certain signature, and keeps it. Between threads a plan is
 * bytes, so that a thread that only passes it on never holds the tree.
 */
import { createHash } from 'node:crypto'
import { deserialize } from 'node:v8'
import { findGraph } from '#catalog/lookup.ts'
import type { Catalog } from '#catalog/types.ts'
import type { BoundQuery } from '#query/ir/bound.ts'
import { type ChangeReads, changeReadsOf } from '#query/plan/changes/change-reads.ts'
import { hasParallelSelects } from '#query/plan/parallel/parallel-shape.ts'
import { sharedBytes } from './shared-bytes.ts'

export interface InstalledPlan {
  /** Equal for equal queries over equal types. */
  readonly id: string
  readonly query: BoundQuery
  /** Some of its loops can be divided between threads. */
  readonly isParallel: boolean
  /** The vertex types of its graph: those of other graphs may have the same names. */
  readonly vertexTypes: readonly (readonly [name: string, typeId: number])[]
  /** Vertex types whose primary id prints among the attributes under a name of its own. */
  readonly idAttributes: readonly (readonly [typeId: number, name: string])[]
  /** Edge types whose first attributes are a discriminator, and how many. */
  readonly discriminators: readonly (readonly [typeId: number, count: number])[]
  readonly reads: ChangeReads
}

/** A plan as it is sent to query workers. */
export interface PackedPlan {
  readonly id: string
  /** Of the query. */
  readonly name: string
  readonly isParallel: boolean
  readonly bytes: Uint8Array<SharedArrayBuffer>
}

export function packPlan(plan: InstalledPlan): PackedPlan {
  const { id, isParallel, query } = plan
  return { id, name: query.name, isParallel, bytes: sharedBytes(plan) }
}

export function unpackPlan({ bytes }: PackedPlan): InstalledPlan {
  return deserialize(bytes) as InstalledPlan
}

export function compileQuery(query: BoundQuery, catalog: Catalog): InstalledPlan {
  const typeIds = findGraph(catalog, query.graph)?.vertexTypeIds ?? []
  const vertexTypes = catalog.vertexTypes
    .filter(({ id }) => typeIds.includes(id))
    .map(({ name, id }) => [name, id] as const)
  const idAttributes = catalog.vertexTypes
    .filter(({ primaryId }) => primaryId.asAttribute && primaryId.syntax === 'PRIMARY_ID')
    .map(({ id, primaryId }) => [id, primaryId.names[0]!] as const)
  const discriminators = catalog.edgeTypes
    .filter(({ discriminatorCount }) => discriminatorCount > 0)
    .map(({ id, discriminatorCount }) => [id, discriminatorCount] as const)
  const reads = changeReadsOf(query)
  const content = { query, vertexTypes, idAttributes, discriminators, reads }
  const text = JSON.stringify(content, (_, value: unknown) =>
    typeof value === 'bigint' ? `${value}n` : value,
  )
  const id = createHash('sha256').update(text).digest('base64url')
  return { ...content, id, isParallel: hasParallelSelects(query) }
}
