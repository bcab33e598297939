/** Asks the compiler worker: one per page, started with the first question. */
import type {
  EditorCompletions,
  EditorDiagnostic,
  EditorHover,
  LanguageService,
} from '#ui/code-editor/editor-types.ts'
import type {
  CompilerAnswer,
  CompilerMessage,
  CompilerQuestion,
  CompilerSchema,
  DeclaredParameters,
  SelectedRun,
} from './compiler.worker.ts'

export interface CompilerClient extends LanguageService {
  setSchema(schema: CompilerSchema): void
  /** Of the queries that a text may call, by name. */
  setQueries(texts: ReadonlyMap<string, string>): void
  /** Of the first query; null: the text has none that can be read. */
  parameters(text: string): Promise<DeclaredParameters | null>
  /** A part of the text as something to run. */
  selection(text: string, start: number, end: number): Promise<SelectedRun | null>
  /** The text laid out; null: its tokens cannot be told apart. */
  format(text: string): Promise<string | null>
  close(): void
}

export function startCompiler(): CompilerClient {
  const worker = new Worker(new URL('./compiler.worker.ts', import.meta.url), { type: 'module' })
  const waiting = new Map<number, (value: unknown) => void>()
  let next = 0
  worker.onmessage = ({ data }: MessageEvent<CompilerAnswer>) => {
    waiting.get(data.number)?.(data.value)
    waiting.delete(data.number)
  }
  // The server checks again at install: without live help one can still work.
  worker.onerror = () => {
    for (const settle of waiting.values()) settle(null)
    waiting.clear()
  }
  const ask = (question: CompilerQuestion) =>
    new Promise<unknown>((settle) => {
      const message: CompilerMessage = { number: next++, question }
      waiting.set(message.number, settle)
      worker.postMessage(message)
    })
  return {
    setSchema: (schema) => void ask({ kind: 'schema', schema }),
    setQueries: (texts) => void ask({ kind: 'queries', texts }),
    selection: async (text, start, end) =>
      (await ask({ kind: 'selection', text, start, end })) as SelectedRun | null,
    parameters: async (text) =>
      (await ask({ kind: 'parameters', text })) as DeclaredParameters | null,
    diagnose: async (text) =>
      ((await ask({ kind: 'diagnose', text })) ?? []) as readonly EditorDiagnostic[],
    complete: async (text, offset, explicit) =>
      explicit || isWithinName(text, offset)
        ? ((await ask({ kind: 'complete', text, offset })) as EditorCompletions | null)
        : null,
    hover: async (text, offset) =>
      (await ask({ kind: 'hover', text, offset })) as EditorHover | null,
    format: async (text) => (await ask({ kind: 'format', text })) as string | null,
    close: () => worker.terminate(),
  }
}

/** Nothing is offered unasked after a blank or a brace: the list would lie over the next line. */
const isWithinName = (text: string, offset: number): boolean =>
  /[\w@.]/.test(text.charAt(offset - 1))
