/** The draft as text. What is written is the draft as soon as it is a schema; until then its lines say why not. */
import { useEffect, useMemo, useRef, useState } from 'react'
import { counted } from '#lib/format.ts'
import { CodeEditor, type CodeEditorProps, showFrom } from '#ui/code-editor/code-editor.tsx'
import { beforeSitting, fingerprint } from '../model/draft.ts'
import { type JsonEdit, jsonEdit } from '../model/json-edit.ts'
import { schemaJson } from '../model/schema-text.ts'
import classes from './schema.module.css'
import type { SchemaEditor } from './use-schema-editor.ts'

interface JsonViewProps {
  readonly graph: string
  readonly editor: SchemaEditor
  readonly tuples: readonly string[]
  readonly selected: string | null
}

type View = Parameters<NonNullable<CodeEditorProps['onView']>>[0]

/** So many problems are told below the text; all of them are marked in it. */
const PROBLEMS_SHOWN = 3

export function JsonView({ graph, editor, tuples, selected }: JsonViewProps) {
  const { draft } = editor
  const { schema } = draft
  const view = useRef<View>(null)
  const [sitting] = useState(() => Date.now())
  const [text, setText] = useState(
    () => loadUnread(graph, fingerprint(schema)) ?? schemaJson(schema),
  )
  const before = useMemo(() => beforeSitting(draft, sitting), [draft, sitting])
  const { problems } = useMemo(() => jsonEdit(text, before, tuples), [text, before, tuples])
  const latest = useRef({ text, before, tuples, schema })
  useEffect(() => {
    // Steps that were not written here: undo, the form, somebody else.
    const isNew = latest.current.schema !== schema
    latest.current = { text, before, tuples, schema }
    if (!isNew) return
    const { operations, problems: unread } = jsonEdit(text, schema, tuples)
    if (operations.length + unread.length > 0) setText(schemaJson(schema))
  })
  useEffect(() => {
    storeUnread(graph, problems.length === 0 ? null : { text, of: fingerprint(schema) })
  }, [graph, text, problems, schema])
  const shown = useRef<string | null>(null)
  useEffect(() => {
    // What has just been added is in the text a moment later.
    if (shown.current !== selected && showType(view.current, selected)) shown.current = selected
  })

  const write = (now: string) => {
    setText(now)
    const edit = jsonEdit(now, before, tuples)
    if (edit.problems.length > 0) return
    editor.apply({ kind: 'json', sitting, operations: edit.operations })
  }
  const service = useMemo(
    () => ({
      diagnose: async (now: string) => {
        const found = jsonEdit(now, latest.current.before, latest.current.tuples)
        return found.problems.map((one) => ({ ...one, severity: 'error' as const }))
      },
    }),
    [],
  )
  return (
    <div className={classes['json']}>
      <div className={classes['jsonEditor']}>
        <CodeEditor
          label={`Schema of ${graph} as JSON`}
          language="json"
          value={text}
          onChange={write}
          service={service}
          onView={(made) => {
            view.current = made
            showType(made, selected)
          }}
        />
      </div>
      <p className={classes['jsonState']} role="status" data-wrong={problems.length > 0}>
        {problems.length === 0 ? 'The draft matches this text.' : told(text, problems)}
      </p>
    </div>
  )
}

function told(text: string, problems: JsonEdit['problems']): string {
  const lines = problems
    .slice(0, PROBLEMS_SHOWN)
    .map(({ from, message }) => `Line ${text.slice(0, from).split('\n').length}: ${message}`)
  const more = problems.length - lines.length
  const rest = more > 0 ? [`${counted(more, 'more problem', 'more problems')}.`] : []
  return ['Not in the draft yet.', ...lines, ...rest].join(' ')
}

/** Whether it is there, or nothing was asked for. */
function showType(view: View, name: string | null): boolean {
  if (name === null) return true
  const anchor = view?.state.doc.toString().indexOf(`"Name": ${JSON.stringify(name)}`) ?? -1
  if (anchor >= 0 && view != null) void showFrom(view, anchor)
  return anchor >= 0
}

/** A text that is no schema yet, kept for this tab as long as the draft under it stays. */
interface Unread {
  readonly text: string
  readonly of: string
}

const keyOf = (graph: string): string => `quiver.schema-json.${graph}`

function storeUnread(graph: string, unread: Unread | null): void {
  try {
    if (unread === null) sessionStorage.removeItem(keyOf(graph))
    else sessionStorage.setItem(keyOf(graph), JSON.stringify(unread))
  } catch {
    // then it holds for this visit
  }
}

function loadUnread(graph: string, of: string): string | null {
  try {
    const unread = JSON.parse(sessionStorage.getItem(keyOf(graph)) ?? 'null') as Unread | null
    return unread?.of === of ? unread.text : null
  } catch {
    return null
  }
}
