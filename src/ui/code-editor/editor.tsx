import { Compartment, EditorState, type Extension } from '@codemirror/state'
import { EditorView, keymap } from '@codemirror/view'
import { useEffect, useRef } from 'react'
import classes from './editor.module.css'
import { baseExtensions, settingExtensions } from './extensions.ts'

export interface CodeEditorProps {
  /** Names the text field: `Query text`. */
  readonly label: string
  readonly value: string
  readonly onChange?: (value: string) => void
  readonly extensions?: Extension
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

const NO_EXTENSION: Extension = []

export function Editor(props: CodeEditorProps) {
  const { label, value, extensions = NO_EXTENSION, readOnly = false, placeholder = '' } = props
  const host = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView | null>(null)
  const changeable = useRef(new Compartment())
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
          changeable.current.of([]),
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
    const settings = settingExtensions({ label, placeholder, readOnly })
    view.current?.dispatch({ effects: changeable.current.reconfigure([extensions, settings]) })
  }, [extensions, label, placeholder, readOnly])

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
