/**
 * Finding where to start: an id, `Type:id`, a pasted list, a type, or a condition; and, while one
 * types, what is drawn already.
 */
import { Button, TextInput } from '@mantine/core'
import { useClickOutside, useWindowEvent } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { Search } from 'lucide-react'
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react'
import { useSearchParams } from 'react-router'
import { graphSchemaQuery } from '#api/graph-schema.ts'
import { formatCount } from '#lib/format.ts'
import type { SchemaModel } from '#lib/graph-schema/schema-model.ts'
import { type DrawnVertices, drawnMatches, noMatches } from '../model/drawn-search.ts'
import type { SceneVertex, VertexKey } from '../model/scene.ts'
import { parseSearch, pastedIds } from '../model/search.ts'
import { SearchResults, VertexChoices } from './search-results.tsx'
import classes from './vertex-search.module.css'

interface VertexSearchProps {
  readonly graph: string
  readonly types: readonly string[]
  readonly drawn: DrawnVertices
  readonly onAdd: (vertices: readonly SceneVertex[]) => void
  /** One that is drawn was chosen. */
  readonly onShow: (key: VertexKey) => void
}

export function VertexSearch({ graph, types, drawn, onAdd, onShow }: VertexSearchProps) {
  const [text, setText] = useState('')
  // Kept as text: what it means depends on the types, which may arrive after it was typed.
  const [submitted, setSubmitted] = useState('')
  const schema = useQuery(graphSchemaQuery(graph)).data
  const request = useMemo(
    () => parseSearch(submitted, types, attributesOf(schema)),
    [submitted, types, schema],
  )
  useStartSearch(types, (wanted) => {
    setText(wanted)
    setSubmitted(wanted)
  })
  const field = useRef<HTMLInputElement>(null)
  const [isTyping, setTyping] = useState(false)
  const matches = useMemo(
    () => (isTyping ? drawnMatches(drawn, text) : noMatches),
    [isTyping, drawn, text],
  )
  const isOpen = request.kind !== 'empty' || matches.count > 0
  const hide = () => {
    setSubmitted('')
    setTyping(false)
  }
  const root = useClickOutside((event) => {
    if (!isOverPage(event)) hide()
  })
  const close = () => {
    hide()
    field.current?.focus()
  }
  const add = (vertices: readonly SceneVertex[]) => {
    onAdd(vertices)
    setText('')
    close()
  }
  // On the window: the button that had the focus may be gone.
  useWindowEvent('keydown', (event) => {
    if (event.key === 'Escape' && isOpen && !isOverPage(event)) close()
  })
  const keys = (event: KeyboardEvent) => {
    const isOfSelect = event.target instanceof HTMLSelectElement
    if (!isOfSelect && (event.key === 'ArrowDown' || event.key === 'ArrowUp')) {
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
          onChange={(event) => {
            setText(event.currentTarget.value)
            setTyping(true)
          }}
          onPaste={(event) => {
            const ids = pastedIds(event.clipboardData.getData('text'))
            if (ids === null) return
            event.preventDefault()
            const { selectionStart, selectionEnd, value } = event.currentTarget
            setText(value.slice(0, selectionStart ?? 0) + ids + value.slice(selectionEnd ?? 0))
          }}
          data-search-field
          spellCheck={false}
          autoComplete="off"
        />
        <Button type="submit" variant="default">
          Find
        </Button>
      </form>
      {isOpen && (
        <section className={classes.results} aria-label="Search results">
          {matches.count > 0 && (
            <>
              <p className={classes.head}>
                On the canvas
                {matches.count > matches.first.length &&
                  `, the first ${matches.first.length} of ${formatCount(matches.count)}`}
              </p>
              <VertexChoices
                vertices={matches.first}
                onChoose={({ key }) => {
                  onShow(key)
                  close()
                }}
              />
            </>
          )}
          {request.kind !== 'empty' && (
            <SearchResults
              {...{ graph, request, close }}
              onAdd={add}
              onSearch={(search) => {
                setText(search)
                setSubmitted(search)
              }}
            />
          )}
        </section>
      )}
    </search>
  )
}

const attributesOf = (schema: SchemaModel | undefined) =>
  new Map(schema?.vertices.map((type) => [type.name, type.attributes.map(({ name }) => name)]))

/** What happens in a dialog over the page is none of the page's. */
const isOverPage = ({ target }: Event): boolean =>
  target instanceof Element && target.closest('[role="dialog"]') !== null

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
