/** The server's answer about a change: how its lines are grouped, and what the button says. */

import { ApiError } from '#api/api-error.ts'
import type { ResultOf } from '#contract/endpoint.ts'
import type { readSchemaImpact } from '#contract/schema.ts'
import { counted } from '#lib/format.ts'
import type { Change, ChangeClass } from './schema-diff.ts'

export type ImpactView = ResultOf<typeof readSchemaImpact>
export type ImpactLine = ImpactView['operations'][number]
/** A part of the change that the server does not take, and why. */
export type Refusal = NonNullable<NonNullable<ImpactView['problem']>['place']> & {
  readonly message: string
}

export interface ReviewLine {
  readonly text: string
  readonly details: readonly string[]
  /** Why the server does not take it. */
  readonly refusal?: string | undefined
}

export const classOrder: readonly ChangeClass[] = ['destroys', 'rewrites', 'safe']

export const classTitles: Readonly<Record<ChangeClass, string>> = {
  destroys: 'Deletes data',
  rewrites: 'Rewrites data',
  safe: 'Safe',
}

/** What the line depends on or takes along, as short texts. */
export function consequences(line: ImpactLine): readonly string[] {
  const texts: string[] = []
  if (line.vertices > 0) texts.push(counted(line.vertices, 'vertex', 'vertices'))
  if (line.edges > 0) texts.push(counted(line.edges, 'edge', 'edges'))
  const list = (names: readonly string[], one: string, several: string) => {
    if (names.length > 0) texts.push(`${names.length === 1 ? one : several} ${names.join(', ')}`)
  }
  list(line.edgeTypes, 'edge type', 'edge types')
  list(line.indexes, 'index', 'indexes')
  list(line.queries, 'query', 'queries')
  list(line.jobs ?? [], 'loading job', 'loading jobs')
  if (line.unkept !== undefined) {
    const { count, ids } = line.unkept
    // Who may not read the data is told how many alone.
    const of = ids.length === 0 ? '' : `: ${ids.join(', ')}${count > ids.length ? ' …' : ''}`
    texts.push(`${counted(count, 'value', 'values')} cannot be kept${of}`)
  }
  return texts
}

/** The server's lines once it has answered; until then what the console knows by itself. */
export function reviewLines(
  changes: readonly Change[],
  impact: ImpactView | undefined,
  changeClass: ChangeClass,
  refusals: readonly Refusal[] = [],
): readonly ReviewLine[] {
  if (impact === undefined) {
    return changes
      .filter((change) => change.changeClass === changeClass)
      .map(({ sentence }) => ({ text: sentence, details: [] }))
  }
  const refused = new Map(
    refusals.flatMap((one) => linesOf(one, impact.operations).map((line) => [line, one.message])),
  )
  return impact.operations
    .filter((line) => line.class === changeClass)
    .map((line) => ({
      text: line.text,
      details: consequences(line),
      refusal: refused.get(line),
    }))
}

/** The lines of the part that is refused, or those of them whose attribute it names. */
function linesOf(
  { operation, name, detail, message }: Refusal,
  lines: readonly ImpactLine[],
): readonly ImpactLine[] {
  const words = new Set(message.split(/\W+/))
  const isSaid = (text: string) => text.split(/\W+/).every((word) => words.has(word))
  const own = lines.filter(
    (line) =>
      line.operation === operation &&
      (line.name === name || (operation === 'graphs' && isSaid(line.name))),
  )
  const named = own.filter((line) =>
    detail === undefined
      ? line.detail !== undefined && isSaid(line.detail)
      : line.detail === detail,
  )
  return named.length > 0 ? named : own
}

/** What a refused publish names, or else the look before it. */
export function refusalsOf(error: unknown, impact: ImpactView | undefined): readonly Refusal[] {
  if (error !== null) {
    const body = error instanceof ApiError ? error.details.body : null
    return (body as { readonly errors?: readonly Refusal[] } | null)?.errors ?? []
  }
  const { place, message = '' } = impact?.problem ?? {}
  return place == null ? [] : [{ ...place, message }]
}

/** The button names the consequence: "Publish: delete 12,480 vertices and 3 edges". */
export function publishLabel(
  changeCount: number,
  destroys: boolean,
  impact: ImpactView | undefined,
): string {
  const count = changeCount === 1 ? '1 change' : `${changeCount} changes`
  if (!destroys) return `Publish ${count}`
  const losses = lossesOf(impact)
  return losses === '' ? `Publish ${count} and lose data` : `Publish and delete ${losses}`
}

function lossesOf(impact: ImpactView | undefined): string {
  if (impact === undefined) return ''
  const { destroyedVertices, destroyedEdges } = impact
  const parts: string[] = []
  if (destroyedVertices > 0) parts.push(counted(destroyedVertices, 'vertex', 'vertices'))
  if (destroyedEdges > 0) parts.push(counted(destroyedEdges, 'edge', 'edges'))
  return parts.join(' and ')
}
