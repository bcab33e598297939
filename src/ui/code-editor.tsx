/**
 * The editor of every page. CodeMirror is loaded with the first editor that is shown.
 *
 * ```tsx
 * <CodeEditor label="Query text" value={text} onChange={setText} language="gsql" onSubmit={run} />
 * ```
 *
 * The document belongs to the page (`value`); a `service` must keep its identity between renders.
 */
import { lazy, Suspense } from 'react'
import type { CodeEditorProps } from './code-editor/editor.tsx'
import { Loading } from './states.tsx'

export type { CodeEditorProps }

const Editor = lazy(async () => ({ default: (await import('./code-editor/editor.tsx')).Editor }))

export function CodeEditor(props: CodeEditorProps) {
  return (
    <Suspense fallback={<Loading what="editor" rows={3} />}>
      <Editor {...props} />
    </Suspense>
  )
}
