/** One query in the editor: its text and draft, its parameters, installing, running, stopping. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useState } from 'react'
import { activity } from '#api/activity.ts'
import type { DeclaredParameters } from '#compiler/compiler.worker.ts'
import type { CompilerClient } from '#compiler/compiler-client.ts'
import { messageOf, requestAction } from '#ui/feedback/states.tsx'
import { notify } from '#ui/feedback/toasts.tsx'
import { drop, install, queryKeys, signatureQuery } from './api/queries.ts'
import type { QueryInfo } from './components/query-list.tsx'
import {
  declaredName,
  NEW_QUERY,
  queryTemplate,
  readDraft,
  readParameterTexts,
  writeDraft,
  writeParameterTexts,
} from './model/drafts.ts'
import { fieldsOf, readParameters } from './model/parameters.ts'
import { useQueryRun } from './use-query-run.ts'
import { useSelectionRun } from './use-selection-run.ts'

interface QueryEditorOptions {
  readonly graph: string
  /** Null: a new query. */
  readonly query: QueryInfo | null
  readonly vertexType: string | undefined
  /** Null: not started yet. */
  readonly compiler: CompilerClient | null
  /** The text was installed under another name, which the lists are about to show. */
  readonly onNaming: (name: string) => void
  readonly onChoose: (name: string) => void
  /** It is no longer on the server. */
  readonly onDrop: (name: string) => void
}

export function useQueryEditor(options: QueryEditorOptions) {
  const { graph, query, vertexType, compiler, onNaming, onChoose, onDrop } = options
  const client = useQueryClient()
  const name = query?.name ?? NEW_QUERY
  const saved = query?.code ?? ''
  const first = query === null ? queryTemplate(vertexType) : saved
  const { text, setText, latest, dirty } = useDraft(graph, name, { saved, first })
  const isHere = useIsMounted()

  const callable = query?.installed === true && query.enabled
  const signature = useQuery(signatureQuery(graph, name, callable))
  const declared = useDeclared(compiler, text)
  const defaults = useMemo(() => new Map(declared?.defaults), [declared])
  const isDraft = dirty || !callable
  const input = (isDraft ? declared?.input : undefined) ?? signature.data?.input
  const fields = useMemo(() => fieldsOf(input ?? []), [input])
  const [texts, setTexts] = useState(() => readParameterTexts(graph, name))
  const parameters = useMemo(() => readParameters(fields, texts), [fields, texts])

  const setParameters = (next: ReadonlyMap<string, string>) => {
    setTexts(next)
    writeParameterTexts(graph, name, next)
  }

  const refresh = () => client.invalidateQueries({ queryKey: queryKeys.ofGraph(graph) })
  const installing = useMutation({
    // One after the other: of two installs that follow each other the later one stands.
    scope: { id: `install ${graph}` },
    meta: activity((visible: string) => `Install ${declaredName(visible) ?? name}`),
    mutationFn: async (visible: string) => {
      const message = await install(graph, visible)
      return { message, text: visible, name: declaredName(visible) ?? name }
    },
    onSuccess: async (done) => {
      // Whatever was typed on meanwhile stays a draft.
      if (latest.current === done.text) writeDraft(graph, name, null)
      notify(done.message.trim())
      // Who looks at another query by now is not called back.
      const isNamed = done.name !== name && isHere.current
      if (isNamed) onNaming(done.name)
      await refresh()
      if (isNamed && isHere.current) onChoose(done.name)
    },
    onError: refresh,
  })
  const runs = useQueryRun(graph, name)
  const isFree = parameters.ok && runs.run.status !== 'pending'
  const selection = useSelectionRun({ compiler, fields, texts, runs, text })
  const dropping = useDropping({ graph, name, saved, onDrop, refresh })
  return {
    name,
    /** Who may do everything with it. */
    owner: query?.owner,
    text,
    setText,
    /** Unless it was typed on since. */
    replaceText: (before: string, after: string) => {
      if (latest.current === before) setText(after)
    },
    dirty,
    callable,
    /** A change of the schema or of another query has left it behind. */
    isDisabled: query?.installed === true && !query.enabled,
    fields,
    /** Declared defaults of the parameters, as the text writes them. */
    defaults,
    texts,
    problems: parameters.ok ? new Map<string, string>() : parameters.problems,
    setParameter: (field: string, value: string) => setParameters(new Map(texts).set(field, value)),
    setParameters,
    values: parameters.ok ? parameters.values : null,
    saved,
    revert: () => setText(saved),
    installing,
    run: runs.run,
    canRun: callable && !dirty && isFree,
    start: () => {
      if (parameters.ok) runs.start({ parameters: parameters.values, texts, draft: null })
    },
    /** The text is not the installed one, and can be tried as it is. */
    isDraft,
    canRunDraft: isDraft && isFree && text.trim() !== '',
    startDraft: (draft = latest.current) => {
      if (parameters.ok) runs.start({ parameters: parameters.values, texts, draft })
    },
    selection,
    stop: runs.stop,
    dropping,
  }
}

export type QueryEditor = ReturnType<typeof useQueryEditor>

interface Dropping {
  readonly graph: string
  readonly name: string
  readonly saved: string
  readonly onDrop: (name: string) => void
  readonly refresh: () => Promise<void>
}

function useDropping({ graph, name, saved, onDrop, refresh }: Dropping) {
  return useMutation({
    mutationFn: () => drop(graph, name),
    onSuccess: async () => {
      const undo = () =>
        void install(graph, saved).then(refresh, (error) =>
          notify(`${name} could not be brought back: ${messageOf(error)}`, {
            status: 'danger',
            ...requestAction(error),
          }),
        )
      notify(`Dropped ${name}`, { action: { label: 'Undo', run: undo } })
      writeDraft(graph, name, null)
      onDrop(name)
      await refresh()
    },
  })
}

interface DraftTexts {
  /** What the server has. */
  readonly saved: string
  /** To begin with where there is no draft. */
  readonly first: string
}

/** The text in the editor, kept in this browser while it differs from the server's. */
function useDraft(graph: string, name: string, { saved, first }: DraftTexts) {
  const [text, setText] = useState(() => readDraft(graph, name) ?? first)
  const latest = useRef(text)
  useEffect(() => {
    latest.current = text
  })
  // The server keeps no blank lines around a query.
  const dirty = text.trim() !== saved.trim()
  const [followed, setFollowed] = useState(saved)
  if (followed !== saved) {
    setFollowed(saved)
    // Installed elsewhere, and nothing was typed here: the old text is no draft.
    if (text.trim() === followed.trim()) setText(saved)
  }
  const drafted = useRef(name)
  useEffect(() => {
    // A query that is given another name takes its draft along.
    if (drafted.current !== name) writeDraft(graph, drafted.current, null)
    drafted.current = name
    // At once: a page may be left between two key strokes.
    writeDraft(graph, name, dirty && text !== first && text.trim() !== '' ? text : null)
  }, [graph, name, text, dirty, first])
  return { text, setText, latest, dirty }
}

/** Typing has to rest so long before the text is read. */
const READ_DELAY_MS = 150

/** What the text declares; null: nothing is known of it yet. */
function useDeclared(compiler: CompilerClient | null, text: string): DeclaredParameters | null {
  const [declared, setDeclared] = useState<DeclaredParameters | null>(null)
  const isFirst = declared === null
  useEffect(() => {
    let isCurrent = true
    const read = async () => {
      const found = await compiler?.parameters(text)
      // Of a text that is being changed the last that could be read.
      if (isCurrent && found != null) setDeclared(found)
    }
    const timer = setTimeout(read, isFirst ? 0 : READ_DELAY_MS)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [compiler, text, isFirst])
  return declared
}

function useIsMounted() {
  const isHere = useRef(false)
  useEffect(() => {
    isHere.current = true
    return () => {
      isHere.current = false
    }
  }, [])
  return isHere
}
