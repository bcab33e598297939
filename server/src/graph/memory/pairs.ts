/**
 * Sorting many pairs of numbers by key, then item, in pieces between which others may run. For delta
 * chains of hubs and for secondary indexes.
 */

const SORT_PIECE = 32_768
const MERGE_STEPS_PER_PIECE = 16_384
/** Pairs that are copied in one go. */
const COPY_PIECE = 131_072

/** Numbers of 64 bits that the platform sorts without a comparator: | item u32 | key u32 |. */
export interface Pairs {
  readonly values: BigUint64Array<ArrayBuffer>
  readonly words: Uint32Array<ArrayBuffer>
}

export function makePairs(count: number): Pairs {
  const values = new BigUint64Array(count)
  return { values, words: new Uint32Array(values.buffer) }
}

export function resized(pairs: Pairs, count: number): Pairs {
  const next = makePairs(count)
  next.words.set(pairs.words.subarray(0, Math.min(pairs.words.length, count * 2)))
  return next
}

export function runThrough(pieces: Generator<undefined, unknown>): void {
  while (pieces.next().done !== true);
}

/** How often `sortPairs` lets others run. */
export function sortPieceCount(count: number): number {
  const passes = count > SORT_PIECE ? Math.ceil(Math.log2(count / SORT_PIECE)) : 0
  const copies = passes % 2 === 1 ? Math.ceil(count / COPY_PIECE) : 0
  const merges = passes * Math.ceil((count * 2) / MERGE_STEPS_PER_PIECE)
  return Math.ceil(count / SORT_PIECE) + merges + copies
}

/** Sorts the first `count` pairs in place: pieces by the platform, then merged two by two. */
export function* sortPairs(pairs: Pairs, count: number): Generator<undefined, void> {
  for (let start = 0; start < count; start += SORT_PIECE) {
    pairs.values.subarray(start, Math.min(start + SORT_PIECE, count)).sort()
    yield
  }
  let [from, to] = [pairs, count > SORT_PIECE ? makePairs(count) : pairs]
  for (let length = SORT_PIECE; length < count; length *= 2) {
    for (let start = 0; start < count; start += 2 * length) {
      yield* mergeTwo(from, to, { start, length, count })
    }
    ;[from, to] = [to, from]
  }
  if (from === pairs) return
  for (let start = 0; start < count; start += COPY_PIECE) {
    const end = Math.min(start + COPY_PIECE, count)
    pairs.words.set(from.words.subarray(start * 2, end * 2), start * 2)
    yield
  }
}

function* mergeTwo(
  { words: from }: Pairs,
  { words: to }: Pairs,
  run: { readonly start: number; readonly length: number; readonly count: number },
): Generator<undefined, void> {
  const middle = Math.min(run.start + run.length, run.count) * 2
  const end = Math.min(run.start + 2 * run.length, run.count) * 2
  let left = run.start * 2
  let right = middle
  for (let at = left; at < end; at += 2) {
    const takesLeft = left < middle && (right === end || !isLess(from, right, left))
    const taken = takesLeft ? left : right
    to[at] = from[taken]!
    to[at + 1] = from[taken + 1]!
    if (takesLeft) left += 2
    else right += 2
    if (at % MERGE_STEPS_PER_PIECE === 0) yield
  }
}

function isLess(words: Uint32Array, a: number, b: number): boolean {
  const [first, second] = [words[a + 1]!, words[b + 1]!]
  return first < second || (first === second && words[a]! < words[b]!)
}
