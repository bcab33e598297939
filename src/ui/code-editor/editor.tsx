import { Compartment, EditorState, type Extension } from '@codemirror/state'
import { EditorView, gutter, keymap } from '@codemirror/view'
import { useEffect, useMemo, useRef } from 'react'
import classes from './editor.module.css'
import type { LanguageService } from './editor-types.ts'
import { baseExtensions, settingExtensions } from './extensions.ts'
import { gsqlLanguage } from './gsql-highlight.ts'
import { jsonLanguage } from './json-language.ts'

export interface CodeEditorProps {
  /** Names the text field: `Query text`. */
  readonly label: string
  readonly value: string
  readonly onChange?: (value: string) => void
  readonly language?: 'gsql' | 'json'
  /** Diagnostics, completion and hover; null: they will come. Compared by identity. */
  readonly service?: LanguageService | null
  readonly readOnly?: boolean
  readonly placeholder?: string
  /** A CSS height; without one the editor fills its parent. */
  readonly height?: string
  /** Mod+Enter. The argument is exactly what the editor shows. */
  readonly onSubmit?: (text: string) => void
  /** Mod+S. */
  readonly onSave?: (text: string) => void
  /** For what the properties do not say: selections, jumps to a diagnostic. */
  readonly onView?: (view: EditorView | null) => void
}

const languages = { gsql: gsqlLanguage, json: jsonLanguage }

/** What only helps comes once the text is there: a fifth of the editor. */
const loadAssistance = () => import('./assistance.ts')

export function Editor(props: CodeEditorProps) {
  const { label, value, language, service, readOnly = false, placeholder = '' } = props
  const host = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView | null>(null)
  const changeable = useRef(new Compartment())
  const helping = useRef(new Compartment())
  const settings = useMemo(
    () => [
      language === undefined ? [] : languages[language],
      settingExtensions({ label, placeholder, readOnly }),
    ],
    [language, label, placeholder, readOnly],
  )
  /** What the editor was made with, or told since. */
  const shown = useRef(settings)
  const latest = useRef(props)
  useEffect(() => {
    latest.current = props
  })

  useEffect(() => {
    const parent = host.current
    if (parent === null) return
    const editor = new EditorView({
      parent,
      state: EditorState.create({
        doc: latest.current.value,
        extensions: [
          submitKeys(latest),
          baseExtensions,
          helping.current.of([askingKeys, latest.current.service === undefined ? [] : spareGutter]),
          changeable.current.of(shown.current),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) latest.current.onChange?.(update.state.doc.toString())
          }),
        ],
      }),
    })
    view.current = editor
    latest.current.onView?.(editor)
    return () => {
      latest.current.onView?.(null)
      view.current = null
      editor.destroy()
    }
  }, [])

  useEffect(() => {
    if (shown.current === settings) return
    shown.current = settings
    view.current?.dispatch({ effects: changeable.current.reconfigure(settings) })
  }, [settings])

  useEffect(() => {
    if (service === null) return
    let isCurrent = true
    const help = async () => {
      const { assistance } = await loadAssistance()
      const effects = helping.current.reconfigure(assistance(service ?? null))
      if (isCurrent) view.current?.dispatch({ effects })
    }
    // Without help one can still write.
    help().catch(() => undefined)
    return () => {
      isCurrent = false
    }
  }, [service])

  useEffect(() => {
    const editor = view.current
    if (editor === null || editor.state.doc.toString() === value) return
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: value } })
  }, [value])

  return (
    <div
      ref={host}
      className={classes.host}
      style={props.height === undefined ? undefined : { height: props.height }}
    />
  )
}

/** Before the default keys, which bind Mod+Enter to a blank line. */
function submitKeys(latest: { readonly current: CodeEditorProps }): Extension {
  const handing = (name: 'onSubmit' | 'onSave') => (editor: EditorView) => {
    const handler = latest.current[name]
    handler?.(editor.state.doc.toString())
    return handler !== undefined
  }
  return keymap.of([
    { key: 'Mod-Enter', run: handing('onSubmit') },
    { key: 'Mod-s', run: handing('onSave'), preventDefault: true },
  ])
}

/** Until help is there: its place beside the line numbers, so that nothing moves. */
const spareGutter = gutter({ class: 'cm-gutter-lint' })

/** Until help is there: what is asked of it by key is done as soon as it has come. */
const askingKeys = keymap.of([
  { key: 'Mod-f', run: asking('openSearchPanel'), preventDefault: true },
  { key: 'Ctrl-Space', run: asking('startCompletion'), preventDefault: true },
])

function asking(command: 'openSearchPanel' | 'startCompletion') {
  return (view: EditorView) => {
    loadAssistance().then(
      (loaded) => loaded[command](view),
      () => undefined,
    )
    return true
  }
}
