/** "Did you mean": the nearest known name, by edit distance with a limit that grows with length. */

/** @param most mistakes, however long the name is */
export function suggest(name: string, known: Iterable<string>, most = name.length): string {
  const best = nearest(name, known, most)
  return best === null ? '' : `; did you mean "${best}"?`
}

/** Null: none is near. */
export function nearest(name: string, known: Iterable<string>, most = name.length): string | null {
  const limit = Math.min(most, Math.max(1, Math.floor(name.length / 3)))
  let best: string | null = null
  let bestDistance = limit + 1
  for (const candidate of known) {
    const distance = editDistance(name.toLowerCase(), candidate.toLowerCase(), bestDistance)
    if (distance < bestDistance) {
      best = candidate
      bestDistance = distance
    }
  }
  return best
}

/** Levenshtein, row by row, and neighbours that changed places; stops early at `limit`. */
function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit
  let before: number[] = []
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1
      const turned = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const swapped = turned ? before[j - 2]! + 1 : limit
      row.push(Math.min(previous[j]! + 1, row[j - 1]! + 1, previous[j - 1]! + same, swapped))
    }
    before = previous
    previous = row
  }
  return previous[b.length]!
}
