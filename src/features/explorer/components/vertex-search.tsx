/** Finding where to start: an id, `Type:id`, a pasted list, a type, or a condition. */
import { Button, TextInput } from '@mantine/core'
import { useClickOutside, useWindowEvent } from '@mantine/hooks'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Search } from 'lucide-react'
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react'
import { useSearchParams } from 'react-router'
import { counted, formatCount } from '#lib/format.ts'
import { ErrorNotice, Loading } from '#ui/states.tsx'
import { TypeTag } from '#ui/type-tag.tsx'
import { findVertices } from '../api/explorer.ts'
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
  useStartSearch(types, (wanted) => {
    setText(wanted)
    setSubmitted(wanted)
  })
  const field = useRef<HTMLInputElement>(null)
  const root = useClickOutside(() => setSubmitted(''))
  const close = () => {
    setSubmitted('')
    field.current?.focus()
  }
  const add = (vertices: readonly SceneVertex[]) => {
    onAdd(vertices)
    setText('')
    close()
  }
  // On the window: the button that had the focus may be gone.
  useWindowEvent('keydown', (event) => {
    if (event.key === 'Escape' && submitted !== '') close()
  })
  const keys = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      moveFocus(root.current, event.key === 'ArrowDown' ? 1 : -1)
      event.preventDefault()
    }
  }
  return (
    <search ref={root} className={classes.search} onKeyDown={keys}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          setSubmitted(text)
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
        <section className={classes.results} aria-label="Search results">
          <Results {...{ graph, request, close }} onAdd={add} />
        </section>
      )}
    </search>
  )
}

/** `?find=Type` from a link: other pages lead here; what it means is known with the types. */
function useStartSearch(types: readonly string[], start: (text: string) => void): void {
  const [search, setSearch] = useSearchParams()
  const wanted = search.get('find')
  const latest = useRef(start)
  useEffect(() => {
    latest.current = start
  })
  useEffect(() => {
    if (wanted === null || types.length === 0) return
    latest.current(wanted)
    setSearch({}, { replace: true })
  }, [wanted, types, setSearch])
}

/** Through the field and the results; the field is the first. */
function moveFocus(root: HTMLElement | null, step: 1 | -1): void {
  const places = [...(root?.querySelectorAll<HTMLElement>('input, section button') ?? [])]
  const at = places.indexOf(document.activeElement as HTMLElement)
  places[Math.min(places.length - 1, Math.max(0, at + step))]?.focus()
}

interface ResultsProps {
  readonly graph: string
  readonly request: SearchRequest
  readonly close: () => void
  readonly onAdd: (vertices: readonly SceneVertex[]) => void
}

function Results({ graph, request, close, onAdd }: ResultsProps) {
  const found = useInfiniteQuery({
    queryKey: ['explorer', graph, 'search', request],
    queryFn: ({ signal, pageParam }) => findVertices(graph, request, { cursor: pageParam, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ cursor }) => cursor,
    staleTime: 0,
    gcTime: 0,
  })
  if (request.kind === 'invalid') return <p className={classes.note}>{request.reason}</p>
  if (found.isPending) return <Loading what="search results" rows={3} />
  if (found.isError) {
    return <ErrorNotice title="The search failed" error={found.error} onRetry={found.refetch} />
  }
  const vertices = found.data.pages.flatMap((page) => page.vertices)
  const missing = found.data.pages.flatMap((page) => page.missing)
  const count = formatCount(vertices.length)
  return (
    <>
      <div className={classes.head}>
        <span role="status">
          {found.hasNextPage
            ? `The first ${count}`
            : counted(vertices.length, 'vertex', 'vertices')}
        </span>
        {vertices.length > 1 && (
          <Button size="compact-xs" variant="default" onClick={() => onAdd(vertices)}>
            Add all {count}
          </Button>
        )}
        <Button size="compact-xs" variant="subtle" onClick={close}>
          Close
        </Button>
      </div>
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
      {found.hasNextPage && (
        <div className={classes.more}>
          <Button
            size="compact-sm"
            variant="default"
            aria-busy={found.isFetchingNextPage}
            onClick={() => void found.fetchNextPage({ cancelRefetch: false })}
          >
            {found.isFetchingNextPage ? 'Reading…' : 'More'}
          </Button>
        </div>
      )}
      {missing.length > 0 && <p className={classes.note}>{missingWords(missing)}</p>}
      {vertices.length === 0 && missing.length === 0 && (
        <p className={classes.note}>No vertex fits.</p>
      )}
    </>
  )
}

const MISSING_NAMED_MAX = 5

function missingWords(ids: readonly string[]): string {
  const named = ids.slice(0, MISSING_NAMED_MAX).join(', ')
  const others = ids.length - MISSING_NAMED_MAX
  const words = `No vertex has the id ${named}`
  return others > 0 ? `${words}, nor ${formatCount(others)} others.` : `${words}.`
}
