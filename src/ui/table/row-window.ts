/** Which rows of a long table are in the document: those in view and some around, by TanStack Virtual. */
import { useVirtualizer } from '@tanstack/react-virtual'
import { type RefCallback, type RefObject, useLayoutEffect, useState } from 'react'

export interface RowWindow {
  /** Positions in the list, `end` exclusive. */
  readonly start: number
  readonly end: number
  /** The height of the rows left out above and below, in pixels. */
  readonly before: number
  readonly after: number
  /**
   * Measures a row, which has its position as `data-index`: where columns are folded into one, rows
   * differ in height. Undefined where all rows are in the document.
   */
  readonly measure?: RefCallback<HTMLTableRowElement>
}

/** So many more on either side: a quick turn of the wheel shows no gap. */
const ROWS_AROUND = 12

/** Of a row that was not measured yet, in pixels; the style sheet has another one by density. */
const ROW_HEIGHT = 34

/**
 * Follows the scrolling of `body`.
 *
 * @returns the window of a list that is `virtual`, else all rows
 */
export function useRowWindow(
  body: RefObject<HTMLElement | null>,
  count: number,
  isVirtual: boolean,
): RowWindow {
  const rowHeight = useRowHeight(body, isVirtual)
  const rows = useVirtualizer<HTMLElement, HTMLTableRowElement>({
    count,
    enabled: isVirtual,
    getScrollElement: () => body.current,
    estimateSize: () => rowHeight,
    overscan: ROWS_AROUND,
    // Until the page is laid out: some rows, so that there is something to measure.
    initialRect: { width: 0, height: ROW_HEIGHT },
    useFlushSync: false,
  })
  useLayoutEffect(() => {
    // Sizes were estimated with another height.
    if (isVirtual && rowHeight > 0) rows.measure()
  }, [rows, isVirtual, rowHeight])
  if (!isVirtual) return { start: 0, end: count, before: 0, after: 0 }
  const items = rows.getVirtualItems()
  const [first, last] = [items[0], items.at(-1)]
  return {
    start: first?.index ?? 0,
    end: last === undefined ? 0 : last.index + 1,
    before: first?.start ?? 0,
    after: rows.getTotalSize() - (last?.end ?? 0),
    measure: rows.measureElement,
  }
}

/** What the style sheet gives a row, by the density that the user chose. */
function useRowHeight(body: RefObject<HTMLElement | null>, isVirtual: boolean): number {
  const [height, setHeight] = useState(ROW_HEIGHT)
  useLayoutEffect(() => {
    if (!isVirtual || body.current === null) return
    const given = getComputedStyle(body.current).getPropertyValue('--q-row')
    setHeight(Number.parseInt(given, 10) || ROW_HEIGHT)
  })
  return height
}
