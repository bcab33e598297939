/** Pairs of vertex types as ticks: rows are sources, columns targets; one stop of Tab, then arrows. */
import { TextInput } from '@mantine/core'
import { type KeyboardEvent, useState } from 'react'
import type { EdgeModel, EdgePairModel, SchemaModel } from '#lib/graph-schema/schema-model.ts'
import { isSamePair, withoutPair } from '../model/pairs.ts'
import classes from './schema.module.css'

export interface PairProps {
  readonly edge: EdgeModel
  readonly schema: SchemaModel
  readonly onChange: (pairs: readonly EdgePairModel[]) => void
}

interface PairMatrixProps extends PairProps {
  /** With room of its own: names of columns stand upright, and both sides can be narrowed. */
  readonly isWide?: boolean
}

/** Fewer are all in sight. */
const FILTER_TYPES_MIN = 15

/** So many rows and columns are drawn at once. */
const SIDE_MAX = 30

const steps: Readonly<Record<string, readonly [number, number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
}

export function PairMatrix({ edge, schema, onChange, isWide = false }: PairMatrixProps) {
  const [filters, setFilters] = useState({ from: '', to: '' })
  const [at, setAt] = useState('0 0')
  const rows = sideOf(edge, schema, 'from', filters.from)
  const columns = sideOf(edge, schema, 'to', filters.to)
  const has = (pair: EdgePairModel) => edge.pairs.some((one) => isSamePair(edge, one, pair))
  const toggle = (pair: EdgePairModel) => {
    if (!has(pair)) onChange([...edge.pairs, pair])
    else if (edge.pairs.length > 1) onChange(withoutPair(edge, pair))
  }
  const [row = 0, column = 0] = at.split(' ').map(Number)
  const stop = row < rows.shown.length && column < columns.shown.length ? at : '0 0'
  return (
    <>
      {isWide && schema.vertices.length > FILTER_TYPES_MIN && (
        <div className={classes['pair']}>
          {(['from', 'to'] as const).map((side) => (
            <TextInput
              key={side}
              label={side === 'from' ? 'Sources' : 'Targets'}
              placeholder="All types"
              description={leftOut(side === 'from' ? rows : columns)}
              value={filters[side]}
              onChange={(event) => setFilters({ ...filters, [side]: event.currentTarget.value })}
            />
          ))}
        </div>
      )}
      <section className={classes['matrix']} data-wide={isWide} aria-label="Pairs of vertex types">
        <table onKeyDown={walk}>
          <thead>
            <tr>
              <th scope="col">from ↓ to →</th>
              {columns.shown.map((name) => (
                <th scope="col" key={name}>
                  <span className={classes['matrixName']} title={name}>
                    {name}
                  </span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.shown.map((from, y) => (
              <tr key={from}>
                <th scope="row">
                  <span className={classes['matrixName']} title={from}>
                    {from}
                  </span>
                </th>
                {columns.shown.map((to, x) => (
                  <td key={to}>
                    <input
                      type="checkbox"
                      aria-label={`${from} to ${to}`}
                      title={`${from} to ${to}`}
                      data-at={`${y} ${x}`}
                      tabIndex={stop === `${y} ${x}` ? 0 : -1}
                      checked={has({ from, to })}
                      aria-disabled={edge.pairs.length === 1 && has({ from, to })}
                      onFocus={() => setAt(`${y} ${x}`)}
                      onChange={() => toggle({ from, to })}
                    />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </>
  )
}

function walk(event: KeyboardEvent<HTMLElement>): void {
  const step = steps[event.key]
  if (step === undefined || !(event.target instanceof HTMLElement)) return
  event.preventDefault()
  const place = event.target.dataset['at']
    ?.split(' ')
    .map((one, side) => Number(one) + (step[side] ?? 0))
  event.currentTarget.querySelector<HTMLElement>(`[data-at="${place?.join(' ')}"]`)?.focus()
}

interface Side {
  readonly shown: readonly string[]
  readonly count: number
}

/** The types that fit; where not all have room, those that the edge joins come first. */
function sideOf(edge: EdgeModel, schema: SchemaModel, side: 'from' | 'to', filter: string): Side {
  const wanted = filter.trim().toLowerCase()
  const names = schema.vertices
    .map(({ name }) => name)
    .filter((name) => name.toLowerCase().includes(wanted))
  if (names.length <= SIDE_MAX) return { shown: names, count: names.length }
  const isJoined = (name: string) =>
    edge.pairs.some(
      (pair) => pair[side] === name || (!edge.directed && (pair.from === name || pair.to === name)),
    )
  const first = names.filter(isJoined)
  const rest = names.filter((name) => !isJoined(name))
  return { shown: [...first, ...rest].slice(0, SIDE_MAX), count: names.length }
}

function leftOut({ shown, count }: Side): string | null {
  return shown.length === count ? null : `${shown.length} of ${count}: type to narrow them down`
}
