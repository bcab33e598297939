/**
 * The editor of every page. CodeMirror is loaded with the first editor that is shown.
 *
 * ```tsx
 * <CodeEditor label="Query text" value={text} onChange={setText} language="gsql" onSubmit={run} />
 * ```
 *
 * The document belongs to the page (`value`); a `service` must keep its identity between renders.
 */
import { Suspense } from 'react'
import { Loading } from '../feedback/states.tsx'
import { later } from '../layout/later.tsx'
import type { CodeEditorProps, EditorMemory } from './editor.tsx'
import type { EditorDiagnostic } from './editor-types.ts'

export type { CodeEditorProps, EditorMemory }

const Editor = later(async () => (await import('./editor.tsx')).Editor)

/** For a page that will show one. */
export const prefetchEditor: () => Promise<unknown> = Editor.fetch

/** Marks what another look has found, until the text is changed. */
export async function showDiagnostics(
  view: Parameters<NonNullable<CodeEditorProps['onView']>>[0],
  diagnostics: readonly EditorDiagnostic[],
): Promise<void> {
  const { markAll } = await import('./assistance.ts')
  if (view !== null) markAll(view, diagnostics)
}

/** What follows a place in the text is seen, too. */
export async function showFrom(
  view: Parameters<NonNullable<CodeEditorProps['onView']>>[0],
  anchor: number,
): Promise<void> {
  const { bringToTop } = await import('./assistance.ts')
  if (view !== null && anchor <= view.state.doc.length) bringToTop(view, anchor)
}

export function CodeEditor(props: CodeEditorProps) {
  return (
    <Suspense fallback={<Loading what="editor" rows={3} />}>
      <Editor {...props} />
    </Suspense>
  )
}
