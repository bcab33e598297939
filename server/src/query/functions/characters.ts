/**
 * Positions and lengths of texts count characters; JavaScript counts UTF-16 units, of which a
 * character beyond the first 65,536 has two.
 */
const PAIR = /[\ud800-\udbff][\udc00-\udfff]/

export function characterCount(text: string): number {
  return PAIR.test(text) ? [...text].length : text.length
}

/** From one character to before another, as `slice`. */
export function characterSlice(text: string, from: number, to?: number): string {
  if (!PAIR.test(text)) return text.slice(from, to)
  return [...text].slice(from, to).join('')
}

/** The unit that a character begins at. */
export function unitAt(text: string, character: number): number {
  return PAIR.test(text) ? characterSlice(text, 0, Math.max(0, character)).length : character
}

/** Which character begins at a unit; -1 stays. */
export function characterAt(text: string, unit: number): number {
  return unit < 0 ? unit : characterCount(text.slice(0, unit))
}
