/** What a run has read and made of it, source by source. */
import type { PlannedLoad } from './load-plan.ts'
import type { DefaultedCount, ObjectCounts } from './targets.ts'

export interface LineCounts {
  validLine: number
  rejectLine: number
  failedConditionLine: number
  notEnoughToken: number
  invalidJson: number
  oversizeToken: number
  invalidQuote: number
}

export interface SourceReport extends LineCounts {
  readonly sourceName: string
  readonly fileName: string
  readonly vertex: readonly ObjectCounts[]
  readonly edge: readonly ObjectCounts[]
  readonly deleteVertex: readonly ObjectCounts[]
  readonly deleteEdge: readonly ObjectCounts[]
  /** The attributes for which lines had nothing. */
  readonly defaulted: readonly DefaultedCount[]
  /** Those that read it. */
  readonly statements: readonly number[]
}

/** A source that is being read, or was. */
export interface SourceProgress {
  readonly name: string
  readonly fileName: string
  readonly loads: readonly PlannedLoad[]
  readonly counts: LineCounts
}

export function newLineCounts(): LineCounts {
  return {
    validLine: 0,
    rejectLine: 0,
    failedConditionLine: 0,
    notEnoughToken: 0,
    invalidJson: 0,
    oversizeToken: 0,
    invalidQuote: 0,
  }
}

/** Bad lines and bad objects; a line may be several. */
export function errorsOf(report: SourceReport): {
  readonly errors: number
  readonly lines: number
} {
  const { rejectLine, notEnoughToken, invalidJson, oversizeToken, invalidQuote, validLine } = report
  const bad = notEnoughToken + invalidJson + oversizeToken + invalidQuote
  const objects = [report.vertex, report.edge, report.deleteVertex, report.deleteEdge].flat()
  const invalid = objects.reduce(
    (sum, { typeName: _, validObject: _valid, ...counts }) =>
      sum + Object.values(counts).reduce((all, count) => all + count, 0),
    0,
  )
  return { errors: bad + invalid, lines: bad + rejectLine + validLine }
}

export function reportOf({ name, fileName, loads, counts }: SourceProgress): SourceReport {
  const targets = loads.flatMap((load) => load.targets.map(({ target }) => target))
  const of = (kind: 'vertex' | 'edge' | 'deleteVertex' | 'deleteEdge') =>
    targets.flatMap((target) => (target.kind === kind ? [target.counts] : []))
  return {
    sourceName: name,
    fileName,
    ...counts,
    vertex: of('vertex'),
    edge: of('edge'),
    deleteVertex: of('deleteVertex'),
    deleteEdge: of('deleteEdge'),
    defaulted: targets
      .flatMap((target) => ('defaulted' in target ? target.defaulted : []))
      .filter(({ count }) => count > 0),
    statements: loads.map(({ statement }) => statement),
  }
}
