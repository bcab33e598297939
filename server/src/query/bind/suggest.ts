/** "Did you mean": the nearest known name, by edit distance with a limit that grows with length. */

export function suggest(name: string, known: Iterable<string>): string {
  const limit = Math.max(1, Math.floor(name.length / 3))
  let best = ''
  let bestDistance = limit + 1
  for (const candidate of known) {
    const distance = editDistance(name.toLowerCase(), candidate.toLowerCase(), bestDistance)
    if (distance < bestDistance) {
      best = candidate
      bestDistance = distance
    }
  }
  return best === '' ? '' : `; did you mean "${best}"?`
}

/** Levenshtein, row by row; stops early at `limit`. */
function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1
      row.push(Math.min(previous[j]! + 1, row[j - 1]! + 1, previous[j - 1]! + same))
    }
    previous = row
  }
  return previous[b.length]!
}
