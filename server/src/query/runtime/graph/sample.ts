/**
 * Random edges of a source: of `left` edges still to come `need` are wanted, so the next one is
 * taken with probability need / left. What is drawn depends on the run and the source alone: several
 * passes over the rows, and several threads, meet the same edges.
 */
import { createRandom } from '#kernel/prng.ts'

export interface EdgeSample {
  need: number
  left: number
  readonly next: () => number
}

/** Parts seeds of neighbouring vertices from each other. */
const SPREAD = 0x9e3779b1

export function sampleFunctions(seed: number) {
  return {
    sampleOf: (
      vertex: number,
      ...[amount, isPercent, total]: readonly [number, boolean, number]
    ): EdgeSample | null => {
      const wanted = isPercent ? Math.ceil((total * amount) / 100) : Math.trunc(amount)
      const need = Math.max(0, wanted)
      if (need >= total) return null
      const random = createRandom((seed ^ Math.imul(vertex + 1, SPREAD)) >>> 0)
      return { need, left: total, next: () => random.next() }
    },
    sampled: (sample: EdgeSample | null): boolean => {
      if (sample === null) return true
      const isTaken = sample.next() * sample.left < sample.need
      sample.left -= 1
      if (isTaken) sample.need -= 1
      return isTaken
    },
  }
}
