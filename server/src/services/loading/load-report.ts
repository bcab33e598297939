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

/**
 * The reports of two stretches of a run: a source that both have read has one report.
 * @param later of what comes behind `earlier`
 */
export function joinReports(
  earlier: readonly SourceReport[],
  later: readonly SourceReport[],
): readonly SourceReport[] {
  const joined = [...earlier]
  for (const report of later) {
    const index = joined.findIndex((one) => isSameSource(one, report))
    if (index < 0) joined.push(report)
    else joined[index] = sumOf(joined[index]!, report)
  }
  return joined
}

export function isSameSource(one: SourceReport, other: SourceReport): boolean {
  return (
    one.sourceName === other.sourceName &&
    one.fileName === other.fileName &&
    one.statements.join() === other.statements.join()
  )
}

function sumOf(one: SourceReport, other: SourceReport): SourceReport {
  return {
    ...one,
    ...sums(lineCountsOf(one), lineCountsOf(other)),
    vertex: objectSums(one.vertex, other.vertex),
    edge: objectSums(one.edge, other.edge),
    deleteVertex: objectSums(one.deleteVertex, other.deleteVertex),
    deleteEdge: objectSums(one.deleteEdge, other.deleteEdge),
    defaulted: defaultedSums(one.defaulted, other.defaulted),
  }
}

function lineCountsOf(report: SourceReport): LineCounts {
  const counts = newLineCounts()
  for (const name of Object.keys(counts) as (keyof LineCounts)[]) counts[name] = report[name]
  return counts
}

function sums<Counts extends { [name in keyof Counts]: number }>(
  one: Counts,
  other: Counts,
): Counts {
  const names = Object.keys(one) as (keyof Counts)[]
  return Object.fromEntries(names.map((name) => [name, one[name] + other[name]])) as Counts
}

/** A plan has its targets in the same order in each stretch, unless the schema was changed. */
function objectSums(
  one: readonly ObjectCounts[],
  other: readonly ObjectCounts[],
): readonly ObjectCounts[] {
  const namesOf = (list: readonly ObjectCounts[]) => list.map(({ typeName }) => typeName).join()
  if (namesOf(one) !== namesOf(other)) return [...one, ...other]
  return one.map(({ typeName, ...counts }, index) => {
    const { typeName: _, ...more } = other[index]!
    return { typeName, ...sums(counts, more) }
  })
}

function defaultedSums(
  one: readonly DefaultedCount[],
  other: readonly DefaultedCount[],
): readonly DefaultedCount[] {
  const summed = one.map((entry) => ({ ...entry }))
  for (const { typeName, attribute, count } of other) {
    const known = summed.find(
      (entry) => entry.typeName === typeName && entry.attribute === attribute,
    )
    if (known === undefined) summed.push({ typeName, attribute, count })
    else known.count += count
  }
  return summed
}
