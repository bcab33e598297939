/** Asks the compiler worker: one per page, started with the first question. */
import type { EditorDiagnostic } from '#ui/code-editor/editor-types.ts'
import type {
  CompilerAnswer,
  CompilerMessage,
  CompilerQuestion,
  CompilerSchema,
} from './compiler.worker.ts'

export interface CompilerClient {
  setSchema(schema: CompilerSchema): void
  diagnose(text: string): Promise<readonly EditorDiagnostic[]>
  close(): void
}

export function startCompiler(): CompilerClient {
  const worker = new Worker(new URL('./compiler.worker.ts', import.meta.url), { type: 'module' })
  const waiting = new Map<number, (diagnostics: readonly EditorDiagnostic[]) => void>()
  let next = 0
  worker.onmessage = ({ data }: MessageEvent<CompilerAnswer>) => {
    waiting.get(data.number)?.(data.diagnostics)
    waiting.delete(data.number)
  }
  // The server checks again at install: without live errors one can still work.
  worker.onerror = () => {
    for (const settle of waiting.values()) settle([])
    waiting.clear()
  }
  const ask = (question: CompilerQuestion) =>
    new Promise<readonly EditorDiagnostic[]>((settle) => {
      const message: CompilerMessage = { number: next++, question }
      waiting.set(message.number, settle)
      worker.postMessage(message)
    })
  return {
    setSchema: (schema) => void ask({ kind: 'schema', schema }),
    diagnose: (text) => ask({ kind: 'diagnose', text }),
    close: () => worker.terminate(),
  }
}
