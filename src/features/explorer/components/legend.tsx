/** Which colour is which type, with how many are shown; choosing one selects all of it. */
import { TypeTag } from '#ui/type-tag.tsx'
import classes from '../explorer-page.module.css'
import { visible } from '../model/scene.ts'
import type { Explorer } from '../use-explorer.ts'

interface LegendProps {
  readonly explorer: Explorer
  /** Vertices of each type in the database. */
  readonly totals: ReadonlyMap<string, number>
}

export function Legend({ explorer, totals }: LegendProps) {
  const shown = new Map<string, string[]>()
  for (const { type, key } of visible(explorer.scene).vertices) {
    shown.set(type, [...(shown.get(type) ?? []), key])
  }
  if (shown.size === 0) return null
  return (
    <ul className={classes.legend} aria-label="Legend">
      {[...shown].map(([type, keys]) => (
        <li key={type}>
          <button
            type="button"
            className={classes.legendType}
            title={`Select every ${type} shown`}
            onClick={() => explorer.select(keys)}
          >
            <TypeTag name={type} />
            <span className={classes.legendCount}>
              {keys.length.toLocaleString('en')} / {totals.get(type)?.toLocaleString('en') ?? '–'}
            </span>
          </button>
        </li>
      ))}
    </ul>
  )
}
