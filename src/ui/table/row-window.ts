/** Which rows of a long table are drawn: those in sight of its scrolled body, and some around. */
import { type RefObject, useLayoutEffect, useState } from 'react'

export interface ScrollPlace {
  /** Pixels above the first that is in sight. */
  readonly top: number
  /** Pixels in sight. */
  readonly height: number
}

export interface RowWindow {
  /** Positions in the list, `end` exclusive. */
  readonly start: number
  readonly end: number
  /** Pixels that the rows left out would take above and below. */
  readonly before: number
  readonly after: number
}

/** So many more on either side: a quick turn of the wheel shows no gap. */
const ROWS_AROUND = 12

/** Until the page is laid out nothing is known of its size. */
const UNMEASURED: ScrollPlace = { top: 0, height: 0 }

export function rowWindow(count: number, rowHeight: number, place: ScrollPlace): RowWindow {
  const first = Math.floor(place.top / rowHeight) - ROWS_AROUND
  const last = Math.ceil((place.top + place.height) / rowHeight) + ROWS_AROUND
  const end = Math.min(Math.max(last, 0), count)
  const start = Math.min(Math.max(first, 0), end)
  return { start, end, before: start * rowHeight, after: (count - end) * rowHeight }
}

/**
 * Follows the scrolling of `body`, where the rows are `count` and equally high.
 *
 * @returns the window of a list that is `virtual`, else all rows
 */
export function useRowWindow(
  body: RefObject<HTMLElement | null>,
  count: number,
  { virtual, rowHeight }: { readonly virtual: boolean; readonly rowHeight: number },
): RowWindow {
  const [place, setPlace] = useState(UNMEASURED)
  useLayoutEffect(() => {
    const element = body.current
    if (element === null || !virtual) return
    const measure = () =>
      setPlace((known) => {
        const { scrollTop: top, clientHeight: height } = element
        const isNear = Math.abs(known.top - top) < rowHeight && known.height === height
        return isNear ? known : { top, height }
      })
    measure()
    const sizes = new ResizeObserver(measure)
    sizes.observe(element)
    element.addEventListener('scroll', measure, { passive: true })
    return () => {
      sizes.disconnect()
      element.removeEventListener('scroll', measure)
    }
  }, [body, virtual, rowHeight])
  return virtual
    ? rowWindow(count, rowHeight, place)
    : { start: 0, end: count, before: 0, after: 0 }
}
