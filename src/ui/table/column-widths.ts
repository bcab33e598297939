/** Widths that the user gave the columns of a table, stored in this browser under the table's id. */
import type { ColumnSizingState } from '@tanstack/react-table'
import { useMemo, useState } from 'react'
import { keepText, kept } from '#lib/storage/kept.ts'

/** The narrowest a column can be dragged, in pixels; a column of buttons may be narrower by itself. */
export const COLUMN_WIDTH_MIN = 48
export const COLUMN_WIDTH_MAX = 2_000

/**
 * @param table its id; undefined: widths cannot be changed
 * @returns widths in pixels by id of the column, and their setter; a column without one is as wide as
 *   its content
 */
export function useColumnWidths(table: string | undefined) {
  const key = table && `quiver.columns.${table}`
  const [given, setGiven] = useState<{ readonly key: string; readonly widths: ColumnSizingState }>()
  const widths = useMemo(
    () => (given !== undefined && given.key === key ? given.widths : readWidths(key)),
    [given, key],
  )
  const setWidths = (next: ColumnSizingState) => {
    if (key === undefined) return
    setGiven({ key, widths: next })
    const entries = Object.entries(next)
    keepText(key, entries.length === 0 ? null : JSON.stringify(entries))
  }
  return [widths, setWidths] as const
}

const readWidths = (key: string | undefined): ColumnSizingState => {
  const entries = key === undefined ? null : kept(key)
  return widthsOf(Array.isArray(entries) ? entries.filter(isWidth) : [])
}

const isWidth = (entry: unknown): entry is [string, number] =>
  Array.isArray(entry) && Number.isInteger(entry[1]) && entry[1] > 0 && entry[1] <= COLUMN_WIDTH_MAX

/** Ids may be names of attributes, so that the object has no prototype. */
const widthsOf = (entries: Iterable<readonly [string, number]>): ColumnSizingState =>
  Object.assign(Object.create(null), Object.fromEntries(entries))

/**
 * Widths after one column was dragged: the other visible columns are held at what they are now, so
 * that nothing moves but what is dragged; the last one takes the rest.
 *
 * @param heads the width of each column's head, by id; 0: the column is hidden
 */
export function resized(
  widths: ColumnSizingState,
  heads: readonly [id: string, width: number][],
  change: readonly [id: string, width: number],
): ColumnSizingState {
  const inSight = heads.filter(([, now]) => now > 0).slice(0, -1)
  // A part of a pixel less, and what just fitted would be cut.
  const held = inSight.map(([other, now]): [string, number] => [other, Math.ceil(now)])
  return widthsOf([...Object.entries(widths), ...held.filter(isWidth), change])
}
