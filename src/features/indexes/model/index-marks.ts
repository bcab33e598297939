/** What the server's counts say of an index that is there, and of one that is not. */
import type { SchemaModel } from '#lib/graph-schema/schema-model.ts'
import { type IndexRow, indexChoices, suggestedName } from './indexes.ts'

/** Nothing is called unused before it was watched for so long. */
const WATCHED_MS_MIN = 3_600_000

/** A scan of fewer vertices takes well under a millisecond: an index would save next to nothing. */
const SMALL_TYPE_COUNT = 1_000

interface Watch {
  /** Since when hits are counted, epoch milliseconds. */
  readonly since: number
  /** Null: before this was kept. */
  readonly createdAt: number | null
  readonly now: number
}

/** How long an index without a hit has been watched; null: too short a time to say so. */
export function unusedMs({ since, createdAt, now }: Watch): number | null {
  const watchedMs = now - Math.max(since, createdAt ?? since)
  return watchedMs < WATCHED_MS_MIN ? null : watchedMs
}

/** As the server counts them: reads and runs that had to look at every vertex of the type. */
interface MissedCount {
  readonly vertex: string
  readonly attribute: string
  readonly scans: number
  readonly lastScannedAt: number
}

export interface MissedAttribute extends MissedCount {
  readonly attributeType: string
  /** Of the index that would serve it. */
  readonly indexName: string
  /** Live vertices of the type: what each scan looks at, and what building reads once. */
  readonly vertexCount: number | undefined
  readonly isSmall: boolean
}

interface MissedContext {
  readonly schema: SchemaModel
  readonly rows: readonly IndexRow[]
  readonly counts: ReadonlyMap<string, number> | undefined
}

/** Those that can get an index, the one that spares the most vertices first. */
export function missedAttributes(
  missed: readonly MissedCount[],
  { schema, rows, counts }: MissedContext,
): MissedAttribute[] {
  const choices = indexChoices(schema, rows)
  const found = missed.flatMap((one): MissedAttribute[] => {
    const choice = choices.find(({ vertexType }) => vertexType === one.vertex)
    const attribute = choice?.attributes.find(({ name }) => name === one.attribute)
    if (attribute === undefined) return []
    const vertexCount = counts?.get(one.vertex)
    return [
      {
        ...one,
        attributeType: attribute.type,
        indexName: suggestedName(one.vertex, one.attribute, rows),
        vertexCount,
        isSmall: vertexCount !== undefined && vertexCount < SMALL_TYPE_COUNT,
      },
    ]
  })
  return found.sort((a, b) => sparedBy(b) - sparedBy(a))
}

const sparedBy = ({ scans, vertexCount }: MissedAttribute): number => scans * (vertexCount ?? 1)
