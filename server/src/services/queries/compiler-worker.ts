/** The compiler's thread: one text at a time, as the main thread sends them. */
import { platform, setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import '#kernel/buffer-pool.ts'
import type { Catalog } from '#catalog/types.ts'
import { collectLater } from '#graph/memory/collect-later.ts'
import { assert } from '#kernel/assert.ts'
import { unpackViews } from '#kernel/shared-views.ts'
import { answerOf } from './compile-text.ts'
import { type FromCompiler, plainError, requestText, type ToCompiler } from './compiler-protocol.ts'

/** A third of the main thread's share when both want a core. */
const COMPILER_NICENESS = 5

const port = parentPort
assert(port !== null, 'the compiler thread is started by Compiler')
let catalog: Catalog | null = null

// On Linux this is the priority of the calling thread alone; elsewhere of the whole process.
if (platform() === 'linux') setPriority(COMPILER_NICENESS)

port.on('message', (message: ToCompiler) => {
  port.postMessage(answerTo(unpackViews(message)))
  // It came with a version of the graph.
  if (message.request.kind === 'explain') collectLater()
})
port.on('messageerror', (error) => {
  port.postMessage({ kind: 'failed', error: plainError(error) } satisfies FromCompiler)
})

function answerTo(message: ToCompiler): FromCompiler {
  try {
    catalog = message.catalog ?? catalog
    assert(catalog !== null, 'the first request brings a catalogue')
    const texts = new Map<string, string | null>()
    const queryText = (name: string, graph: string) => {
      const key = `${graph}/${name}`
      const known = texts.get(key)
      if (known !== undefined) return known
      const text = requestText((request) => port!.postMessage(request, [request.port]), name, graph)
      texts.set(key, text)
      return text
    }
    return { kind: 'done', answer: answerOf(message.request, { catalog, queryText }) }
  } catch (error) {
    return { kind: 'failed', error: plainError(error) }
  }
}
