/** Which colour is which type, with how many are shown; choosing one selects all of it. */
import { useMemo } from 'react'
import { formatCount } from '#lib/format.ts'
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
  const { scene, select } = explorer
  const { vertices, edges } = useMemo(() => {
    const shown = visible(scene)
    return { vertices: keysByType(shown.vertices), edges: keysByType(shown.edges) }
  }, [scene])
  if (vertices.size === 0) return null
  return (
    <ul className={classes.legend} aria-label="Legend">
      {[...vertices].map(([type, keys]) => (
        <LegendLine key={type} {...{ type, keys, select }} kind="vertex" total={totals.get(type)} />
      ))}
      {[...edges].map(([type, keys]) => (
        <LegendLine key={`edge ${type}`} {...{ type, keys, select }} kind="edge" />
      ))}
    </ul>
  )
}

interface LegendLineProps {
  readonly kind: 'vertex' | 'edge'
  readonly type: string
  readonly keys: readonly string[]
  readonly total?: number | undefined
  readonly select: (keys: readonly string[]) => void
}

function LegendLine({ kind, type, keys, total, select }: LegendLineProps) {
  const shown = formatCount(keys.length)
  return (
    <li>
      <button
        type="button"
        className={classes.legendType}
        title={`Select every ${type} shown`}
        onClick={() => select(keys)}
      >
        <TypeTag name={type} kind={kind} />
        <span className={classes.legendCount}>
          {total === undefined ? shown : `${shown} / ${formatCount(total)}`}
        </span>
      </button>
    </li>
  )
}

function keysByType(
  elements: readonly { readonly type: string; readonly key: string }[],
): ReadonlyMap<string, readonly string[]> {
  const byType = new Map<string, string[]>()
  for (const { type, key } of elements) {
    const keys = byType.get(type)
    if (keys === undefined) byType.set(type, [key])
    else keys.push(key)
  }
  return byType
}
