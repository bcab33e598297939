/** Which colour is which type or value, with how many are shown; choosing one selects all of it. */
import { type MouseEvent, type Ref, useMemo } from 'react'
import { formatCount } from '#lib/format.ts'
import { TypeTag } from '#ui/theme/type-tag.tsx'
import classes from '../explorer-page.module.css'
import { hideVertices, visible } from '../model/scene.ts'
import type { Looks } from '../model/scene-style.ts'
import type { Explorer } from '../use-explorer.ts'

interface LegendProps {
  readonly ref: Ref<HTMLUListElement>
  readonly explorer: Explorer
  readonly looks: Looks
  /** Vertices of each type in the database. */
  readonly totals: ReadonlyMap<string, number>
}

export function Legend({ ref, explorer, looks, totals }: LegendProps) {
  const { scene, select, change } = explorer
  const { vertices, edges } = useMemo(() => {
    const shown = visible(scene)
    return { vertices: keysByType(shown.vertices), edges: keysByType(shown.edges) }
  }, [scene])
  if (vertices.size === 0) return null
  const solo = (type: string) =>
    change(`Only ${type}`, (now) => {
      const others = [...now.vertices.values()].filter((vertex) => vertex.type !== type)
      return hideVertices(
        now,
        others.map(({ key }) => key),
      )
    })
  const line = (kind: 'vertex' | 'edge', type: string, keys: ReadonlySet<string>) => (
    <li key={`${kind} ${type}`}>
      <button
        type="button"
        className={classes.legendType}
        title={`Select every ${type} shown${kind === 'vertex' ? '; with Alt, hide all others' : ''}`}
        onClick={(event: MouseEvent) => {
          if (event.altKey && kind === 'vertex') solo(type)
          else select([...keys])
        }}
      >
        <TypeTag name={type} kind={kind} />
        <LegendCount shown={keys.size} total={kind === 'vertex' ? totals.get(type) : undefined} />
      </button>
      <Bands {...{ looks, type, keys, select }} />
    </li>
  )
  return (
    <ul ref={ref} className={classes.legend} aria-label="Legend">
      {[...vertices].map(([type, keys]) => line('vertex', type, keys))}
      {[...edges].map(([type, keys]) => line('edge', type, keys))}
    </ul>
  )
}

interface LegendCountProps {
  readonly shown: number
  readonly total?: number | undefined
}

function LegendCount({ shown, total }: LegendCountProps) {
  const count = formatCount(shown)
  return (
    <span className={classes.legendCount}>
      {total === undefined ? count : `${count} / ${formatCount(total)}`}
    </span>
  )
}

interface BandsProps {
  readonly looks: Looks
  readonly type: string
  /** Of the type, what is not hidden. */
  readonly keys: ReadonlySet<string>
  readonly select: (keys: readonly string[]) => void
}

function Bands({ looks, type, keys, select }: BandsProps) {
  const bands = looks.bands.get(type)
  if (bands === undefined) return null
  return (
    <ul className={classes.bands} aria-label={`Colours of ${type}`}>
      {bands.map(({ label, color, dashed = false, keys: all }) => {
        const shown = all.filter((key) => keys.has(key))
        if (shown.length === 0) return null
        return (
          <li key={label}>
            <button type="button" className={classes.legendType} onClick={() => select(shown)}>
              <span className={classes.band}>
                <span
                  className={classes.swatch}
                  data-dashed={dashed}
                  style={{ borderColor: `var(${color})` }}
                />
                <span className={classes.bandLabel}>{label}</span>
              </span>
              <LegendCount shown={shown.length} />
            </button>
          </li>
        )
      })}
    </ul>
  )
}

function keysByType(
  elements: readonly { readonly type: string; readonly key: string }[],
): ReadonlyMap<string, ReadonlySet<string>> {
  const byType = new Map<string, Set<string>>()
  for (const { type, key } of elements) {
    const keys = byType.get(type)
    if (keys === undefined) byType.set(type, new Set([key]))
    else keys.add(key)
  }
  return byType
}
