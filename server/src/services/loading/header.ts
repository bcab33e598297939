/** Names of columns: where each is, and whether those that a loading job reads are there. */
import { suggest } from '#query/syntax/suggest.ts'

const NAMES_SHOWN = 20

/** Of two columns with the same name the second; `headerFault` refuses to read them by name. */
export function positionsOf(names: readonly string[]): ReadonlyMap<string, number> {
  return new Map(names.map((name, position) => [name, position]))
}

/** Why columns cannot be read by these names, as a sentence whose subject is the header; null: they can. */
export function headerFault(names: readonly string[], columns: readonly string[]): string | null {
  const positions = positionsOf(names)
  for (const column of columns) {
    const shown = JSON.stringify(column)
    const position = positions.get(column)
    if (position === undefined) {
      const known = names.slice(0, NAMES_SHOWN).map((name) => JSON.stringify(name))
      return `has no column ${shown}${suggest(column, names) || `; it has ${known.join(', ')}.`}`
    }
    if (names.indexOf(column) !== position) {
      return `has the column ${shown} more than once; name it by its position.`
    }
  }
  return null
}
