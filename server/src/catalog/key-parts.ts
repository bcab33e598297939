/** Composite ids: the parts in key order, joined by commas. */

/**
 * A comma too many belongs to the last part.
 * @returns exactly `count` parts, or null when the id has fewer
 */
export function keyParts(id: string, count: number): readonly string[] | null {
  const parts = id.split(',')
  if (parts.length < count) return null
  return [...parts.slice(0, count - 1), parts.slice(count - 1).join(',')]
}
