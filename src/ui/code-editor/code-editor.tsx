/**
 * A text editor for queries and JSON: the only owner of CodeMirror. Loaded lazily by the pages that
 * need it. The page owns the text; diagnostics, completions and hovers come from callbacks.
 */
import {
  autocompletion,
  type CompletionContext,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
} from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands'
import { json } from '@codemirror/lang-json'
import { bracketMatching, indentOnInput, indentUnit } from '@codemirror/language'
import { lintGutter, lintKeymap, setDiagnostics } from '@codemirror/lint'
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search'
import { Compartment, EditorState, type Extension } from '@codemirror/state'
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  hoverTooltip,
  keymap,
  lineNumbers,
  placeholder as placeholderText,
} from '@codemirror/view'
import { useEffect, useImperativeHandle, useRef } from 'react'
import classes from './code-editor.module.css'
import { editorTheme } from './editor-theme.ts'
import type {
  EditorCompletion,
  EditorCompletions,
  EditorDiagnostic,
  EditorHover,
  EditorLanguage,
} from './editor-types.ts'
import { gsqlLanguage } from './gsql-highlight.ts'

export interface CodeEditorHandle {
  focus(): void
  /** Moves the cursor and scrolls there. */
  goTo(offset: number): void
  /** The whole text as it stands, or the selected part when there is one. */
  selectedText(): string
}

export interface CodeEditorProps {
  /** Names the editor: `Query text`. */
  readonly label: string
  readonly value: string
  readonly language: EditorLanguage
  readonly onChange?: (value: string) => void
  readonly readOnly?: boolean
  readonly placeholder?: string
  readonly diagnostics?: readonly EditorDiagnostic[]
  readonly complete?: (offset: number, explicit: boolean) => Promise<EditorCompletions | null>
  readonly hover?: (offset: number) => Promise<EditorHover | null>
  /** Mod+Enter. */
  readonly onSubmit?: () => void
  /** Mod+S. */
  readonly onSave?: () => void
  readonly handleRef?: React.Ref<CodeEditorHandle>
}

export function CodeEditor(props: CodeEditorProps) {
  const { label, value, language, readOnly = false, diagnostics } = props
  const host = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView | null>(null)
  const latest = useRef(props)
  useEffect(() => {
    latest.current = props
  })

  // biome-ignore lint/correctness/useExhaustiveDependencies: the text is fed below; a new editor for it would lose the cursor.
  useEffect(() => {
    if (host.current === null) return
    const made = new EditorView({
      parent: host.current,
      state: EditorState.create({
        doc: value,
        extensions: extensionsFor({ label, language, readOnly }, latest),
      }),
    })
    view.current = made
    return () => {
      made.destroy()
      view.current = null
    }
  }, [label, language, readOnly])

  useEffect(() => {
    const editor = view.current
    if (editor === null || editor.state.doc.toString() === value) return
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: value } })
  }, [value])

  useEffect(() => {
    const editor = view.current
    if (editor === null || diagnostics === undefined) return
    editor.dispatch(setDiagnostics(editor.state, marks(diagnostics, editor.state.doc.length)))
  }, [diagnostics])

  useImperativeHandle(props.handleRef, () => handleOf(view), [])
  return <div ref={host} className={classes.editor} />
}

function handleOf(view: React.RefObject<EditorView | null>): CodeEditorHandle {
  return {
    focus: () => view.current?.focus(),
    goTo: (offset) => {
      const editor = view.current
      if (editor === null) return
      const anchor = Math.min(offset, editor.state.doc.length)
      editor.dispatch({ selection: { anchor }, scrollIntoView: true })
      editor.focus()
    },
    selectedText: () => {
      const state = view.current?.state
      if (state === undefined) return ''
      const { from, to } = state.selection.main
      return from === to ? state.doc.toString() : state.sliceDoc(from, to)
    },
  }
}

function marks(diagnostics: readonly EditorDiagnostic[], length: number) {
  return diagnostics.map(({ from, to, severity, message, code }) => {
    const start = Math.min(from, length)
    const end = Math.min(Math.max(to, start), length)
    return { from: start, to: end, severity, message, ...(code !== undefined && { source: code }) }
  })
}

const languages: Readonly<Record<EditorLanguage, () => Extension>> = {
  gsql: () => gsqlLanguage,
  json: () => json(),
  text: () => [],
}

function extensionsFor(
  settings: {
    readonly label: string
    readonly language: EditorLanguage
    readonly readOnly: boolean
  },
  latest: React.RefObject<CodeEditorProps>,
): Extension {
  const { label, language, readOnly } = settings
  const { placeholder } = latest.current
  return [
    lineNumbers(),
    highlightActiveLineGutter(),
    highlightActiveLine(),
    history(),
    drawSelection(),
    indentOnInput(),
    indentUnit.of('  '),
    bracketMatching(),
    closeBrackets(),
    highlightSelectionMatches(),
    lintGutter(),
    languages[language](),
    completions(latest),
    hovers(latest),
    pageKeys(latest),
    keymap.of([
      ...closeBracketsKeymap,
      ...defaultKeymap,
      ...searchKeymap,
      ...historyKeymap,
      ...completionKeymap,
      ...lintKeymap,
      indentWithTab,
    ]),
    new Compartment().of(EditorState.readOnly.of(readOnly)),
    EditorView.contentAttributes.of({ 'aria-label': label }),
    EditorView.updateListener.of((update) => {
      if (update.docChanged) latest.current.onChange?.(update.state.doc.toString())
    }),
    placeholder === undefined ? [] : placeholderText(placeholder),
    editorTheme,
  ]
}

/** Escape leaves the editor, so that Tab is no trap for the keyboard. */
function pageKeys(latest: React.RefObject<CodeEditorProps>): Extension {
  return keymap.of([
    { key: 'Mod-Enter', run: () => run(latest.current.onSubmit) },
    { key: 'Mod-s', run: () => run(latest.current.onSave), preventDefault: true },
    {
      key: 'Escape',
      run: (view) => {
        view.contentDOM.blur()
        return false
      },
    },
  ])
}

function run(action: (() => void) | undefined): boolean {
  action?.()
  return action !== undefined
}

const icons: Readonly<Record<EditorCompletion['kind'], string>> = {
  keyword: 'keyword',
  type: 'class',
  attribute: 'property',
  edge: 'interface',
  accumulator: 'constant',
  variable: 'variable',
  function: 'function',
}

function completions(latest: React.RefObject<CodeEditorProps>): Extension {
  return autocompletion({
    override: [
      async (context: CompletionContext) => {
        const found = await latest.current.complete?.(context.pos, context.explicit)
        if (!found) return null
        return {
          from: found.from,
          options: found.options.map(({ label, kind, detail, info, insert }) => ({
            label,
            type: icons[kind],
            ...(detail !== undefined && { detail }),
            ...(info !== undefined && { info }),
            ...(insert !== undefined && { apply: insert }),
          })),
          validFor: /^[@\w]*$/,
        }
      },
    ],
  })
}

function hovers(latest: React.RefObject<CodeEditorProps>): Extension {
  return hoverTooltip(async (_, offset) => {
    const found = await latest.current.hover?.(offset)
    if (!found) return null
    return {
      pos: found.from,
      end: found.to,
      create: () => {
        const dom = document.createElement('div')
        dom.className = 'cm-hover'
        dom.textContent = found.text
        return { dom }
      },
    }
  })
}
