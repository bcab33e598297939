/** Composite ids: the parts in key order, joined by commas (contract 1.10). */

/** @returns the parts, or null when the id has not exactly `count` of them */
export function keyParts(id: string, count: number): readonly string[] | null {
  const parts = id.split(',')
  return parts.length === count ? parts : null
}
