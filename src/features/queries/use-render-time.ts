/** How long it took to draw an answer. */
import { useEffect, useState } from 'react'
import type { RunAnswer } from './api/queries.ts'

/** When the drawing of an answer began, by the clock of the page, until its time is known. */
const begun = new WeakMap<RunAnswer, number>()
/** An answer is drawn once; who comes back to it is told of that time. */
const known = new WeakMap<RunAnswer, number>()

/** From the first line of drawing it to the frame in which it stands; null: not yet. */
export function useRenderTime(answer: RunAnswer): number | null {
  const [, setDrawn] = useState<RunAnswer | null>(null)
  const began = begun.get(answer) ?? performance.now()
  if (!known.has(answer)) begun.set(answer, began)
  useEffect(() => {
    if (known.has(answer)) return
    // The frame after the next one begins when this one is on screen.
    let frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(() => {
        known.set(answer, performance.now() - began)
        setDrawn(answer)
      })
    })
    return () => {
      cancelAnimationFrame(frame)
      begun.delete(answer)
    }
  }, [answer, began])
  return known.get(answer) ?? null
}
