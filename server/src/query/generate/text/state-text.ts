/** What outlives a statement of a query: accumulators, base variables, vertex sets. */
import { defaultValue } from '../expressions/columns.ts'
import { isBlockKind } from './temporaries.ts'
import type { Unit } from './unit.ts'

export function stateText(unit: Unit): string {
  const { query } = unit
  const names: string[] = []
  query.globalAccums.forEach((_, i) => {
    names.push(`g${i}=0`, `g${i}_c=0`)
  })
  query.vertexAccums.forEach((_, i) => {
    names.push(`v${i}=null`, `v${i}_c=null`, `i${i}=0`)
  })
  query.vertexSets.forEach((_, i) => {
    names.push(`s${i}=${unit.call('emptySet')}`)
  })
  query.variables.forEach(({ type }, i) => {
    const value = defaultValue(unit, type)
    // A called query gives its variables back: each has a block of its own.
    const isOwn = unit.isCallee && isBlockKind(type.kind)
    names.push(`x${i}=${isOwn ? unit.call('copyBlock', value) : value}`)
  })
  return names.length === 0 ? '' : `let ${names.join(',')};`
}
