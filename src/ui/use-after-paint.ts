/** For what a page shows below its first content: whether that has been on screen for a frame. */
import { startTransition, useEffect, useState } from 'react'

export function useAfterPaint(): boolean {
  const [isPainted, setPainted] = useState(false)
  useEffect(() => {
    // The second frame begins when the first one is on screen.
    let frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(() => startTransition(() => setPainted(true)))
    })
    return () => cancelAnimationFrame(frame)
  }, [])
  return isPainted
}
