/** One query in the editor: its text and draft, its parameters, installing, running, stopping. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { notify } from '#ui/toasts.tsx'
import { abortByAddress, drop, install, queryKeys, run, signatureQuery } from './api/queries.ts'
import type { QueryInfo } from './components/query-list.tsx'
import { declaredName, NEW_QUERY, queryTemplate, readDraft, writeDraft } from './model/drafts.ts'
import { fieldsOf, readParameters } from './model/parameters.ts'

/** Long enough for analytics; the server's own limit is shorter. */
const TIMEOUT_SECONDS = 600

interface QueryEditorOptions {
  readonly graph: string
  /** Null: a new query. */
  readonly query: QueryInfo | null
  readonly vertexType: string | undefined
  readonly onChoose: (name: string) => void
}

export function useQueryEditor({ graph, query, vertexType, onChoose }: QueryEditorOptions) {
  const client = useQueryClient()
  const name = query?.name ?? NEW_QUERY
  const saved = query?.code ?? ''
  const [text, setText] = useState(
    () => readDraft(graph, name) ?? (query === null ? queryTemplate(vertexType) : saved),
  )
  const dirty = text !== saved
  useEffect(() => {
    const kept = dirty && text.trim() !== '' ? text : null
    const timer = setTimeout(() => writeDraft(graph, name, kept), 300)
    return () => clearTimeout(timer)
  }, [graph, name, text, dirty])

  const callable = query?.installed === true && query.enabled
  const signature = useQuery(signatureQuery(graph, name, callable))
  const fields = useMemo(() => fieldsOf(signature.data?.input ?? []), [signature.data])
  const [texts, setTexts] = useState<ReadonlyMap<string, string>>(new Map())
  const parameters = useMemo(() => readParameters(fields, texts), [fields, texts])

  const refresh = () => client.invalidateQueries({ queryKey: queryKeys.ofGraph(graph) })
  const installing = useMutation({
    mutationFn: async (visible: string) => {
      const message = await install(graph, visible)
      return { message, name: declaredName(visible) ?? name }
    },
    onSuccess: async (done) => {
      writeDraft(graph, name, null)
      notify(done.message.trim())
      await refresh()
      if (done.name !== name) onChoose(done.name)
    },
    onError: refresh,
  })
  const running = useMutation({
    mutationFn: async () => {
      if (!parameters.ok) throw new Error('Some parameters cannot be read; see the fields.')
      const request = { graph, name, parameters: parameters.values }
      return await run({ ...request, timeoutSeconds: TIMEOUT_SECONDS })
    },
  })
  const stopping = useMutation({ mutationFn: () => abortByAddress(graph, name) })
  const dropping = useMutation({
    mutationFn: () => drop(graph, name),
    onSuccess: async () => {
      const undo = () => void install(graph, saved).then(refresh)
      notify(`Dropped ${name}`, { action: { label: 'Undo', run: undo } })
      writeDraft(graph, name, null)
      await refresh()
      onChoose('')
    },
  })
  return {
    name,
    text,
    setText,
    dirty,
    callable,
    fields,
    texts,
    problems: parameters.ok ? new Map<string, string>() : parameters.problems,
    setParameter: (field: string, value: string) =>
      setTexts((before) => new Map(before).set(field, value)),
    revert: () => setText(saved),
    installing,
    running,
    stopping,
    dropping,
  }
}

export type QueryEditor = ReturnType<typeof useQueryEditor>
