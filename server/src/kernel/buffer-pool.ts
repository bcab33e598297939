/**
 * Sets how many bytes the platform allocates at once to cut small buffers from, on each thread that
 * imports this file. Its 64 KiB live as long as the last buffer that was cut from them, and leave holes
 * in the memory of the allocator when they go (docs/decisions/0149).
 */
Buffer.poolSize = 8 * 1024

export {}
