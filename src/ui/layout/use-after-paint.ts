/** For what a page shows below its first content: whether that has been on screen for a frame. */
import { useEffect, useState } from 'react'

export function useAfterPaint(): boolean {
  const [isPainted, setPainted] = useState(false)
  useEffect(() => {
    // The second frame begins when the first one is on screen. No transition: one that waits for code
    // would hold up the next change of page.
    let frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(() => setPainted(true))
    })
    return () => cancelAnimationFrame(frame)
  }, [])
  return isPainted
}
