/** What a run did beyond what its lines say: values that were defaulted, and ends that edges made. */
import type { LoadRun } from './load-run.ts'
import type { DefaultedCount } from './targets.ts'

export interface LoadEffects {
  readonly defaultedValues: number
  /** The same by attribute. */
  readonly defaulted: readonly Readonly<DefaultedCount>[]
  readonly createdEndpoints: number
}

export function effectsOf(run: LoadRun): LoadEffects {
  const all = run.reports.flatMap(({ defaulted }) => defaulted)
  return { ...defaultsOf(all), createdEndpoints: run.createdEnds }
}

/** As `effectsOf`, for each of the run's reports: what a statement made belongs to the first that names it. */
export function effectsBySource(run: LoadRun): LoadEffects[] {
  const left = new Map(run.applied)
  return run.reports.map(({ defaulted, statements }) => {
    let createdEndpoints = 0
    for (const statement of statements) {
      createdEndpoints += left.get(statement)?.createdEnds ?? 0
      left.delete(statement)
    }
    return { ...defaultsOf(defaulted), createdEndpoints }
  })
}

/** Several targets and stretches count the same attribute. */
function defaultsOf(counts: readonly DefaultedCount[]): Omit<LoadEffects, 'createdEndpoints'> {
  const sums = new Map<string, DefaultedCount>()
  for (const { typeName, attribute, count } of counts) {
    const key = JSON.stringify([typeName, attribute])
    const sum = (sums.get(key)?.count ?? 0) + count
    sums.set(key, { typeName, attribute, count: sum })
  }
  const defaulted = [...sums.values()]
  return { defaultedValues: defaulted.reduce((all, { count }) => all + count, 0), defaulted }
}
