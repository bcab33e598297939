'use strict'
/**
 * Settings of memory for the server process: of glibc's allocator, and of the main thread's heap.
 *
 * By default each thread gets an arena of its own, and the size from which on memory is mapped by
 * itself grows with what is freed, up to 32 MiB. Freed memory then stays with the process: under
 * mixed load 500 of 670 MB that the allocator held were free (docs/decisions/0085). Other
 * C libraries ignore these variables.
 */
const allocatorSettings = {
  MALLOC_ARENA_MAX: '1',
  MALLOC_MMAP_THRESHOLD_: String(128 * 1024),
  MALLOC_TRIM_THRESHOLD_: String(256 * 1024),
}

/**
 * Limits of V8. The semi-space size, in MiB, bounds the young generation of the main thread, which
 * otherwise grows with the load and does not shrink. The growing factor, in per cent, starts a collection
 * when a heap exceeds its live objects by that share; the default lets a small heap grow to a multiple of
 * them, and each thread has a heap. The cache of V8 for compiled texts holds every function that the
 * text of a query was made into, with its code, for as long as memory is not short, also when the
 * program has let go of it (docs/decisions/0167).
 */
const heapOptions = [
  '--max-semi-space-size=16',
  '--heap-growing-percent=40',
  '--no-compilation-cache',
]

module.exports = { allocatorSettings, heapOptions }
