import { type RefObject, useEffect, useRef } from 'react'

/** Where the focus goes when what had it was taken away: back, or to the page; never nowhere. */
export function focusAgain(before: Element | null): void {
  for (const wanted of [before, document.getElementById('main')]) {
    if (document.activeElement !== document.body) return
    if (wanted instanceof HTMLElement) wanted.focus({ preventScroll: true })
  }
}

/**
 * Of buttons that take each other's place, such as Run and Stop: when the one that has the focus goes,
 * the one that came is given it.
 *
 * @param state what decides which of them there are
 * @returns for the element around them
 */
export function useKeptFocus<E extends HTMLElement>(state: unknown): RefObject<E | null> {
  const group = useRef<E>(null)
  const isHeld = useRef(false)
  useEffect(() => {
    // Nothing is told when an element with the focus goes.
    const look = ({ target }: FocusEvent) => {
      isHeld.current = group.current?.contains(target as Node) ?? false
    }
    document.addEventListener('focusin', look)
    return () => document.removeEventListener('focusin', look)
  }, [])
  useEffect(() => {
    const isLost = document.activeElement === document.body
    if (state !== undefined && isLost && isHeld.current) {
      focusAgain(group.current?.querySelector('button:enabled') ?? null)
    }
  }, [state])
  return group
}
