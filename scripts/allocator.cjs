'use strict'
/**
 * Settings of glibc's memory allocator for the server process.
 *
 * By default each thread gets an arena of its own, and the size from which on memory is mapped by
 * itself grows with what is freed, up to 32 MiB. Freed memory then stays with the process: under
 * mixed load 500 of 670 MB that the allocator held were free (docs/decisions/0085). Other
 * C libraries ignore these variables.
 */
const allocatorSettings = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: String(128 * 1024),
  MALLOC_TRIM_THRESHOLD_: String(256 * 1024),
}

module.exports = { allocatorSettings }
