/** The server's answer about a change: how its lines are grouped, and what the button says. */

import type { ResultOf } from '#contract/endpoint.ts'
import type { readSchemaImpact } from '#contract/schema.ts'
import { counted } from '#lib/format.ts'
import type { Change, ChangeClass } from './schema-diff.ts'

export type ImpactView = ResultOf<typeof readSchemaImpact>
export type ImpactLine = ImpactView['operations'][number]

export const classOrder: readonly ChangeClass[] = ['destroys', 'rewrites', 'safe']

export const classTitles: Readonly<Record<ChangeClass, string>> = {
  destroys: 'Destroys data',
  rewrites: 'Costs work, keeps data',
  safe: 'Safe',
}

/** What the line depends on or takes along, as short texts. */
export function consequences(line: ImpactLine): readonly string[] {
  const texts: string[] = []
  if (line.vertices > 0) texts.push(counted(line.vertices, 'vertex', 'vertices'))
  if (line.edges > 0) texts.push(counted(line.edges, 'edge', 'edges'))
  if (line.edgeTypes.length > 0) texts.push(`edge types ${line.edgeTypes.join(', ')}`)
  if (line.indexes.length > 0) texts.push(`indexes ${line.indexes.join(', ')}`)
  if (line.queries.length > 0) texts.push(`queries ${line.queries.join(', ')}`)
  return texts
}

/** The server's lines once it has answered; until then what the console knows by itself. */
export function reviewLines(
  changes: readonly Change[],
  impact: ImpactView | undefined,
  changeClass: ChangeClass,
): readonly { readonly text: string; readonly details: readonly string[] }[] {
  if (impact === undefined) {
    return changes
      .filter((change) => change.changeClass === changeClass)
      .map(({ sentence }) => ({ text: sentence, details: [] }))
  }
  return impact.operations
    .filter((line) => line.class === changeClass)
    .map((line) => ({ text: line.text, details: consequences(line) }))
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
