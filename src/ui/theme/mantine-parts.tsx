/**
 * What the build puts in the place of some parts of Mantine (scripts/lean-mantine.mjs): scroll bars
 * drawn by hand, the arrows of tooltips, and a page that is held still in every way there is.
 */
import { type ReactNode, useEffect } from 'react'

interface AutosizeProps {
  /** The height from which on its content scrolls. */
  readonly mah: number | string
  readonly children: ReactNode
}

export const ScrollAreaAutosize = ({ mah, children }: AutosizeProps) => (
  <div style={{ maxHeight: mah, overflowY: 'auto' }}>{children}</div>
)

export const ScrollArea = { Autosize: ScrollAreaAutosize }

export const FloatingArrow = () => null

interface RemoveScrollProps {
  readonly enabled: boolean
  readonly children: ReactNode
}

/** How many dialogs that are open hold the page. */
let holders = 0

/** The page behind a dialog does not scroll; what covers it has nothing to scroll. */
export function RemoveScroll({ enabled, children }: RemoveScrollProps) {
  useEffect(() => {
    if (!enabled) return
    holders += 1
    document.body.style.overflow = 'hidden'
    return () => {
      holders -= 1
      if (holders === 0) document.body.style.overflow = ''
    }
  }, [enabled])
  return children
}
