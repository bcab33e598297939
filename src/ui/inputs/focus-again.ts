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

const LOOK_MS = 400

/**
 * Catches the focus wherever else it falls: what had it is gone, as a row that was deleted, or works, as
 * a button that is busy. It comes back to it, or to the dialog or page it was in; unless somebody pointed
 * elsewhere.
 */
export function catchFocus(): void {
  let last: HTMLElement | null = null
  document.addEventListener('focusin', ({ target }) => {
    last = target instanceof HTMLElement ? target : null
  })
  document.addEventListener('pointerdown', ({ target }) => {
    if (last?.contains(target as Node) === false) last = null
  })
  setInterval(() => {
    if (last === null || document.activeElement !== document.body) return
    if (!last.isConnected) focusAgain(document.querySelector('[aria-modal="true"]'))
    else if (!last.hasAttribute('data-loading')) focusAgain(last)
  }, LOOK_MS)
}
