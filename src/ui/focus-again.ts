/** Where the focus goes when what had it was taken away: back, or to the page; never nowhere. */
export function focusAgain(before: Element | null): void {
  for (const wanted of [before, document.getElementById('main')]) {
    if (document.activeElement !== document.body) return
    if (wanted instanceof HTMLElement) wanted.focus({ preventScroll: true })
  }
}
