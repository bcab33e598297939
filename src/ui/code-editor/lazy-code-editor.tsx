/** The editor as its own chunk: pages show a quiet frame until it is there. */
import { lazy, Suspense } from 'react'
import { Loading } from '../states.tsx'
import type { CodeEditorProps } from './code-editor.tsx'

const Editor = lazy(async () => ({ default: (await import('./code-editor.tsx')).CodeEditor }))

export function LazyCodeEditor(props: CodeEditorProps) {
  return (
    <Suspense fallback={<Loading what="editor" rows={8} />}>
      <Editor {...props} />
    </Suspense>
  )
}
