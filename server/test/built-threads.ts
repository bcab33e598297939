/**
 * Threads of the servers that tests start run the built modules wherever QUIVER_TEST_PROGRAM names the built program, as
 * they do in production: a thread that loads hundreds of sources takes five times the processor time to start
 * (docs/decisions/0145).
 */
import { existsSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { basename, dirname, join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import threads, { Worker, type WorkerOptions } from 'node:worker_threads'

const program = process.env['QUIVER_TEST_PROGRAM']
const sources = new URL('../src/', import.meta.url).href

class BuiltWorker extends Worker {
  constructor(file: string | URL, options?: WorkerOptions) {
    super(options?.eval === true ? file : builtOf(file), options)
  }
}

/** Files of tests share a process, or have one each: one class is enough. */
if (program !== undefined && threads.Worker.name !== BuiltWorker.name) {
  threads.Worker = BuiltWorker
  syncBuiltinESMExports()
}

function builtOf(file: string | URL): string | URL {
  const { href } = new URL(file, sources)
  if (!href.startsWith(sources) || !href.endsWith('-worker.ts')) return file
  const built = join(dirname(program ?? ''), `${basename(fileURLToPath(href), '.ts')}.js`)
  return existsSync(built) ? built : file
}
