/** Widths that somebody gave the columns of a table: kept in this browser, by the name of the table. */
import { useMemo, useState } from 'react'
import { keepText, kept } from '#lib/storage/kept.ts'

/** In pixels, by id of the column; one that is missing is as wide as what stands in it. */
export type ColumnWidths = ReadonlyMap<string, number>

/** So narrow a column can be dragged; one of a button may be narrower by itself. */
export const COLUMN_WIDTH_MIN = 48
export const COLUMN_WIDTH_MAX = 2_000

/** @param table its name; undefined: nothing is kept */
export function useColumnWidths(table: string | undefined) {
  const key = table && `quiver.columns.${table}`
  const [given, setGiven] = useState<{ readonly key: string; readonly widths: ColumnWidths }>()
  const widths = useMemo(
    () => (given !== undefined && given.key === key ? given.widths : readWidths(key)),
    [given, key],
  )
  const setWidths = (next: ColumnWidths) => {
    if (key === undefined) return
    setGiven({ key, widths: next })
    keepText(key, next.size === 0 ? null : JSON.stringify([...next]))
  }
  return [widths, setWidths] as const
}

const readWidths = (key: string | undefined): ColumnWidths => {
  const entries = key === undefined ? null : kept(key)
  return new Map(Array.isArray(entries) ? entries.filter(isWidth) : [])
}

const isWidth = (entry: unknown): entry is [string, number] =>
  Array.isArray(entry) && Number.isInteger(entry[1]) && entry[1] > 0 && entry[1] <= COLUMN_WIDTH_MAX

/**
 * The columns in sight are held at what they are now, so that nothing moves but what is dragged: all
 * but the last, which takes what is left.
 *
 * @param heads the width of each column's head, by id; 0: it is not in sight
 * @param change undefined: as wide as what stands in it
 */
export function resized(
  widths: ColumnWidths,
  heads: readonly [id: string, width: number][],
  [id, width]: readonly [id: string, width: number | undefined],
): ColumnWidths {
  if (width === undefined) return new Map([...widths].filter(([other]) => other !== id))
  const inSight = heads.filter(([, now]) => now > 0).slice(0, -1)
  // A part of a pixel less, and what just fitted would be cut.
  const held = inSight.map(([other, now]): [string, number] => [other, Math.ceil(now)])
  return new Map([...widths, ...held.filter(isWidth), [id, width]])
}
