/**
 * Entries of all sizes in random order, with folds, clean stops and kills between them, for as long
 * as QUIVER_SLOW_MINUTES says (60). QUIVER_SLOW_SEED repeats a run.
 */
import { expect, it } from 'vitest'
import { FRAME_SIZE_BYTES_MAX } from '#kernel/limits.ts'
import { createRandom, type Random } from '#kernel/prng.ts'
import { FRAME_HEADER_SIZE_BYTES } from '#storage/frame/frame.ts'
import { LogUnderTest, SIZES } from '../conformance/log-sizes.ts'
import { openSqliteHarness } from '../conformance/sqlite-harness.ts'

const MEGABYTE = 1024 * 1024
const SIZE_MAX = 64 * MEGABYTE
const minutes = Number(process.env['QUIVER_SLOW_MINUTES'] ?? 60)
const seed = Number(process.env['QUIVER_SLOW_SEED'] ?? 1)

it(
  `a log of mixed sizes is read back after every end, for ${minutes} minutes (seed ${seed})`,
  async () => {
    const random = createRandom(seed)
    await using log = new LogUnderTest(await openSqliteHarness(), 'kill')
    const endMs = performance.now() + minutes * 60_000
    let restarts = 0
    while (performance.now() < endMs) {
      await appendSome(log, random)
      if (random.below(3) === 0) await log.fold(log.entryCount - random.below(4))
      await log.restartAndCheck(random.below(2) === 0 ? 'kill' : 'clean stop')
      restarts++
    }
    expect(restarts).toBeGreaterThan(0)
  },
  minutes * 60_000 + 600_000,
)

it.each(['clean stop', 'kill'] as const)(
  'the largest entry is read back after a %s',
  async (end) => {
    await using log = new LogUnderTest(await openSqliteHarness(), end)
    for (const less of [1, 0]) {
      await log.append(FRAME_SIZE_BYTES_MAX - FRAME_HEADER_SIZE_BYTES - less)
      await log.restartAndCheck()
    }
  },
  600_000,
)

/** One after the other, or at once, so that they share groups. */
async function appendSome(log: LogUnderTest, random: Random): Promise<void> {
  const sizes = Array.from({ length: 4 + random.below(9) }, () => sizeOf(random))
  if (random.below(2) === 0) {
    await Promise.all(sizes.map((size) => log.append(size)))
    return
  }
  for (const size of sizes) await log.append(size)
}

/** Half of them at the boundaries, the others of every magnitude. */
function sizeOf(random: Random): number {
  if (random.below(2) === 0) return SIZES[random.below(SIZES.length)] ?? 1
  const magnitude = 2 ** random.below(Math.log2(SIZE_MAX) + 1)
  return Math.min(SIZE_MAX, magnitude + random.below(magnitude))
}
