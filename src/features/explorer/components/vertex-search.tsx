/** Finding where to start: an id, `Type:id`, a pasted list, a type, or a condition. */
import { Button, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Search } from 'lucide-react'
import { type KeyboardEvent, useId, useMemo, useRef, useState } from 'react'
import { ErrorNotice, Loading } from '#ui/states.tsx'
import { TypeTag } from '#ui/type-tag.tsx'
import { findVertices, SEARCH_RESULTS_MAX } from '../api/explorer.ts'
import { vertexLabel } from '../model/canvas-scene.ts'
import type { SceneVertex } from '../model/scene.ts'
import { parseSearch, type SearchRequest } from '../model/search.ts'
import classes from './vertex-search.module.css'

interface VertexSearchProps {
  readonly graph: string
  readonly types: readonly string[]
  readonly onAdd: (vertices: readonly SceneVertex[]) => void
}

export function VertexSearch({ graph, types, onAdd }: VertexSearchProps) {
  const [text, setText] = useState('')
  // Kept as text: what it means depends on the types, which may arrive after it was typed.
  const [submitted, setSubmitted] = useState('')
  const request = useMemo(() => parseSearch(submitted, types), [submitted, types])
  const resultsId = useId()
  const field = useRef<HTMLInputElement>(null)
  const close = () => {
    setSubmitted('')
    field.current?.focus()
  }
  const add = (vertices: readonly SceneVertex[]) => {
    onAdd(vertices)
    setText('')
    close()
  }
  return (
    <search className={classes.search}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          setSubmitted(text)
        }}
        onKeyDown={(event) => {
          if (event.key === 'Escape') close()
          if (event.key === 'ArrowDown') focusFirst(event, resultsId)
        }}
      >
        <TextInput
          ref={field}
          aria-label="Find vertices"
          placeholder={`id, ${types[0] ?? 'Type'}:id, or ${types[0] ?? 'Type'} where attribute > value`}
          leftSection={<Search size={14} aria-hidden="true" />}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          data-search-field
          spellCheck={false}
          autoComplete="off"
        />
        <Button type="submit" variant="default">
          Find
        </Button>
      </form>
      {request.kind !== 'empty' && (
        <section id={resultsId} className={classes.results} aria-label="Search results">
          <Results {...{ graph, request, close }} onAdd={add} />
        </section>
      )}
    </search>
  )
}

function focusFirst(event: KeyboardEvent, resultsId: string): void {
  event.preventDefault()
  document.getElementById(resultsId)?.querySelector('button')?.focus()
}

interface ResultsProps {
  readonly graph: string
  readonly request: SearchRequest
  readonly close: () => void
  readonly onAdd: (vertices: readonly SceneVertex[]) => void
}

function Results({ graph, request, close, onAdd }: ResultsProps) {
  const found = useQuery({
    queryKey: ['explorer', graph, 'search', request],
    queryFn: ({ signal }) => findVertices(graph, request, signal),
    staleTime: 0,
    gcTime: 0,
  })
  if (request.kind === 'invalid') return <p className={classes.note}>{request.reason}</p>
  if (found.isPending) return <Loading what="search results" rows={3} />
  if (found.isError) {
    return <ErrorNotice title="The search failed" error={found.error} onRetry={found.refetch} />
  }
  const { vertices, missing, more } = found.data
  return (
    <>
      {vertices.length > 1 && (
        <div className={classes.head}>
          <span>{more ? `The first ${vertices.length}` : `${vertices.length} found`}</span>
          <Button size="compact-xs" variant="default" onClick={() => onAdd(vertices)}>
            Add all {vertices.length}
          </Button>
          <Button size="compact-xs" variant="subtle" onClick={close}>
            Close
          </Button>
        </div>
      )}
      <ul className={classes.list}>
        {vertices.map((vertex) => (
          <li key={vertex.key}>
            <button type="button" className={classes.result} onClick={() => onAdd([vertex])}>
              <TypeTag name={vertex.type} />
              <span className={classes.id}>{vertex.id}</span>
              <span className={classes.label}>
                {vertexLabel(vertex) === vertex.id ? '' : vertexLabel(vertex)}
              </span>
            </button>
          </li>
        ))}
      </ul>
      {missing.length > 0 && (
        <p className={classes.note}>No vertex has the id {missing.slice(0, 5).join(', ')}.</p>
      )}
      {vertices.length === 0 && missing.length === 0 && (
        <p className={classes.note}>
          Nothing fits. The search looks at most at {SEARCH_RESULTS_MAX}.
        </p>
      )}
    </>
  )
}
