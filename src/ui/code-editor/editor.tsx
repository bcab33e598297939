import { historyField } from '@codemirror/commands'
import { Compartment, EditorState, type Extension, type StateEffect } from '@codemirror/state'
import { EditorView, gutter, keymap, type ViewUpdate } from '@codemirror/view'
import { useEffect, useLayoutEffect, useMemo, useRef } from 'react'
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
  /** Told when a selection of more than blanks begins and ends. */
  readonly onSelect?: (isSelected: boolean) => void
  /** For what the properties do not say: selections, jumps to a diagnostic. */
  readonly onView?: (view: EditorView | null) => void
  /** The same object gives the next editor of this text its cursor, its place and what can be undone. */
  readonly memory?: EditorMemory | undefined
}

export interface EditorMemory {
  left?: { readonly state: unknown; readonly scroll: StateEffect<unknown> }
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

  // While the place it had can still be read when it goes.
  useLayoutEffect(() => {
    const parent = host.current
    if (parent === null) return
    const { value: doc, service: helper, memory } = latest.current
    const extensions = [
      submitKeys(latest),
      baseExtensions,
      helping.current.of([askingKeys, helper === undefined ? [] : spareGutter]),
      changeable.current.of(shown.current),
      EditorView.updateListener.of((update) => tell(update, latest.current)),
    ]
    const left = memory?.left
    const last = left && EditorState.fromJSON(left.state, { extensions }, keptFields)
    // What it can undo is of use for its own text only.
    const again = last?.doc.toString() === doc ? last : undefined
    const editor = new EditorView({
      parent,
      state: again ?? EditorState.create({ doc, extensions }),
      ...(again && left && { scrollTo: left.scroll }),
    })
    view.current = editor
    latest.current.onView?.(editor)
    if (hasSelection(editor.state)) latest.current.onSelect?.(true)
    return () => {
      const { memory: next, onView } = latest.current
      if (next !== undefined) {
        next.left = { state: editor.state.toJSON(keptFields), scroll: editor.scrollSnapshot() }
      }
      onView?.(null)
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

const keptFields = { history: historyField }

const hasSelection = ({ doc, selection: { main } }: EditorState): boolean =>
  !main.empty && /\S/.test(doc.sliceString(main.from, main.to))

function tell({ state, startState, docChanged }: ViewUpdate, to: CodeEditorProps): void {
  if (docChanged) to.onChange?.(state.doc.toString())
  if (to.onSelect === undefined) return
  const isSelected = hasSelection(state)
  if (isSelected !== hasSelection(startState)) to.onSelect(isSelected)
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
