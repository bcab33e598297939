import { expect, it } from 'vitest'
import { REBUILD_LOG_BYTES_MAX, REBUILD_LOG_BYTES_MIN } from '#kernel/limits.ts'
import { rebuildLogBytes } from './due.ts'

it('the log is folded at a quarter of the segments, on a shared store without an upper limit', () => {
  const small = 4 * REBUILD_LOG_BYTES_MIN - 4
  const large = 40 * REBUILD_LOG_BYTES_MAX
  expect([small, large].map((size) => rebuildLogBytes(size))).toEqual([
    REBUILD_LOG_BYTES_MIN,
    REBUILD_LOG_BYTES_MAX,
  ])
  expect([small, large].map((size) => rebuildLogBytes(size, true))).toEqual([
    REBUILD_LOG_BYTES_MIN,
    large / 4,
  ])
})
