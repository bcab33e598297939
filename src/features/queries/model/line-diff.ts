/** What changed between two texts, line by line. */

export interface DiffLine {
  readonly kind: 'same' | 'added' | 'removed'
  readonly text: string
  /** Counted from 1 in the text before; null for an added line. */
  readonly before: number | null
  /** Counted from 1 in the text after; null for a removed line. */
  readonly after: number | null
}

/** Above so many pairs of lines the middle is told as replaced: nobody reads such a comparison. */
export const PAIRS_MAX = 4_000_000

/** The lines of both, in order, with as many as possible the same (longest common subsequence). */
export function diffLines(before: string, after: string): readonly DiffLine[] {
  const old = before.split('\n')
  const now = after.split('\n')
  let head = 0
  while (head < old.length && head < now.length && old[head] === now[head]) head++
  let tail = 0
  const room = Math.min(old.length, now.length) - head
  while (tail < room && old[old.length - 1 - tail] === now[now.length - 1 - tail]) tail++
  const middle = {
    old: old.slice(head, old.length - tail),
    now: now.slice(head, now.length - tail),
  }
  const lines = [
    ...old.slice(0, head).map(same),
    ...compared(middle.old, middle.now),
    ...(tail === 0 ? [] : old.slice(-tail).map(same)),
  ]
  return numbered(lines)
}

type Line = Pick<DiffLine, 'kind' | 'text'>

const same = (text: string): Line => ({ kind: 'same', text })
const added = (text: string): Line => ({ kind: 'added', text })
const removed = (text: string): Line => ({ kind: 'removed', text })

function compared(old: readonly string[], now: readonly string[]): readonly Line[] {
  if (old.length * now.length > PAIRS_MAX) return [...old.map(removed), ...now.map(added)]
  const common = commonLengths(old, now)
  const width = now.length + 1
  const at = (row: number, column: number) => common[row * width + column] ?? 0
  const lines: Line[] = []
  let row = 0
  let column = 0
  while (row < old.length || column < now.length) {
    const [left, right] = [old[row], now[column]]
    if (left !== undefined && left === right) {
      lines.push(same(left))
      row++
      column++
    } else if (
      left !== undefined &&
      (right === undefined || at(row + 1, column) >= at(row, column + 1))
    ) {
      lines.push(removed(left))
      row++
    } else if (right !== undefined) {
      lines.push(added(right))
      column++
    }
  }
  return lines
}

/** Entry (i, j): how many lines the ends of both texts from i and j on have in common. */
function commonLengths(old: readonly string[], now: readonly string[]): Uint32Array {
  const width = now.length + 1
  const lengths = new Uint32Array((old.length + 1) * width)
  for (let row = old.length - 1; row >= 0; row--) {
    for (let column = now.length - 1; column >= 0; column--) {
      const cell = row * width + column
      lengths[cell] =
        old[row] === now[column]
          ? (lengths[cell + width + 1] ?? 0) + 1
          : Math.max(lengths[cell + width] ?? 0, lengths[cell + 1] ?? 0)
    }
  }
  return lengths
}

function numbered(lines: readonly Line[]): readonly DiffLine[] {
  let before = 0
  let after = 0
  return lines.map(({ kind, text }) => ({
    kind,
    text,
    before: kind === 'added' ? null : ++before,
    after: kind === 'removed' ? null : ++after,
  }))
}
