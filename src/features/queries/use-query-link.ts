/**
 * Opens the query that an address holds: its text becomes a draft, what was typed for its parameters
 * stands in the form, and nothing runs. A draft of one's own is replaced only when one says so.
 */
import { useEffect, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { notify } from '#ui/feedback/toasts.tsx'
import { NEW_QUERY, readDraft, writeDraft, writeParameterTexts } from './model/drafts.ts'
import { type SharedQuery, unpackQuery } from './model/query-link.ts'

type Queries = readonly { readonly name: string }[]

/** @param queries of the graph; undefined while they are read */
export function useQueryLink(graph: string, queries: Queries | undefined) {
  const { hash, search } = useLocation()
  const navigate = useNavigate()
  const [question, setQuestion] = useState<SharedQuery | null>(null)
  /** Grows with each link that was opened. */
  const [opened, setOpened] = useState(0)
  const isLink = hash.startsWith('#query=')

  useEffect(() => {
    if (!isLink || queries === undefined) return
    let isCurrent = true
    void unpackQuery(hash).then((shared) => {
      if (!isCurrent) return
      const query = shared === null ? null : placed(shared, queries)
      if (query === null) notify('The link holds no query that is here.', { status: 'warning' })
      else if (isInTheWay(graph, query)) setQuestion(query)
      else {
        take(graph, query)
        setOpened((count) => count + 1)
      }
      void navigate({ search, hash: '' }, { replace: true })
    })
    return () => {
      isCurrent = false
    }
  }, [isLink, hash, search, graph, queries, navigate])

  const answer = (replace: boolean) => {
    if (question !== null && replace) {
      take(graph, question)
      setOpened((count) => count + 1)
    }
    setQuestion(null)
  }
  return {
    isOpening: isLink,
    opened,
    question: question && {
      name: question.name,
      onReplace: () => answer(true),
      onKeep: () => answer(false),
    },
  }
}

/** A query that this server does not have comes as a new one, if its text came with it. */
function placed(query: SharedQuery, queries: Queries): SharedQuery | null {
  if (queries.some(({ name }) => name === query.name)) return query
  return query.text === null ? null : { ...query, name: NEW_QUERY }
}

function isInTheWay(graph: string, { name, text }: SharedQuery): boolean {
  const draft = readDraft(graph, name)
  return text !== null && draft !== null && draft !== text
}

function take(graph: string, { name, text, parameters }: SharedQuery): void {
  if (text !== null) writeDraft(graph, name, text)
  writeParameterTexts(graph, name, new Map(parameters))
}
