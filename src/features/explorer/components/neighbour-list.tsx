/**
 * All neighbours of one kind, page by page, however many: to look through, to tick, to draw. Only
 * one page is in memory at a time; the cursor of the server leads to the next without repeats.
 */
import { Button, Checkbox, NativeSelect, TextInput } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { ChevronLeft, ChevronRight, X } from 'lucide-react'
import { useEffect, useMemo, useRef, useState } from 'react'
import { graphSchemaQuery } from '#api/graph-schema.ts'
import { formatCount } from '#lib/format.ts'
import { ErrorNotice, Loading } from '#ui/feedback/states.tsx'
import { type Column, DataTable } from '#ui/table/data-table.tsx'
import { neighbourPageQuery } from '../api/explorer.ts'
import { vertexLabel } from '../model/canvas-scene.ts'
import { type NeighbourLine as Line, linesOf } from '../model/neighbour-csv.ts'
import { orderNames } from '../model/neighbour-orders.ts'
import type { DegreeRow, ListedKind, SceneVertex } from '../model/scene.ts'
import type { Explorer } from '../use-explorer.ts'
import { attributeText } from './attribute-list.tsx'
import { KindCsv } from './kind-csv.tsx'
import { KindName, kindWords } from './kind-name.tsx'
import classes from './neighbour-list.module.css'
import { OrderSelect } from './order-select.tsx'

const LIST_SIZES = [100, 500, 1_000] as const

interface NeighbourListProps extends ListedKind {
  readonly graph: string
  readonly explorer: Explorer
  readonly onClose: () => void
}

export function NeighbourList({ graph, vertex, row, explorer, onClose }: NeighbourListProps) {
  const [chosen, setChosen] = useState<ReadonlyMap<string, Line>>(new Map())
  const paging = usePaging(graph, { vertex, row })
  const { page, filter, sort } = paging
  const lines = useMemo(
    () => (page.data === undefined ? [] : linesOf(vertex.key, page.data)),
    [vertex.key, page.data],
  )
  const columns = useColumns(lines, explorer, { chosen, setChosen, sort })
  const title = useRef<HTMLHeadingElement>(null)
  // What opened it, a button of the inspector or a key of the canvas, is left for it.
  useEffect(() => title.current?.focus(), [])
  const draw = () => {
    if (chosen.size === 0) return
    const picked = [...chosen.values()]
    const elements = {
      vertices: [vertex, ...picked.map((line) => line.vertex)],
      edges: picked.map((line) => line.edge),
    }
    void explorer.addChosen(`Add ${picked.length} by ${row.edgeType}`, elements)
    setChosen(new Map())
  }
  return (
    <div className={classes.list}>
      <div className={classes.head}>
        <h2 ref={title} tabIndex={-1} className={classes.title}>
          <KindName row={row} />
          <small>of {vertexLabel(vertex)}</small>
        </h2>
        <Button size="compact-sm" variant="subtle" aria-label="Close the list" onClick={onClose}>
          <X size={14} aria-hidden="true" />
        </Button>
      </div>
      <FilterForm {...{ graph, row, paging }} />
      {page.isPending && <Loading what="neighbours" rows={8} />}
      {page.isError && (
        <ErrorNotice
          title="The neighbours could not be read"
          error={page.error}
          onRetry={page.refetch}
        />
      )}
      {page.isSuccess && (
        <DataTable
          id="explorer.neighbours"
          label={`Neighbours, ${kindWords(row)}`}
          rows={lines}
          columns={columns}
          rowKey={({ edge }) => edge.key}
          emptyText="No neighbour fits."
          maxHeight="fill"
        />
      )}
      <KindCsv key={filter} {...{ graph, vertex, row, filter, sort }} />
      <div className={classes.foot}>
        <PageButton label="Previous page" icon={ChevronLeft} onTurn={paging.previous} />
        <span role="status" className={classes.range}>
          {rangeText(paging, lines.length, row.count)}
        </span>
        <PageButton label="Next page" icon={ChevronRight} onTurn={paging.next} />
        <Button
          size="compact-sm"
          aria-disabled={chosen.size === 0}
          data-disabled={chosen.size === 0}
          onClick={draw}
        >
          Draw {chosen.size === 0 ? 'chosen' : formatCount(chosen.size)}
        </Button>
      </div>
    </div>
  )
}

interface PageButtonProps {
  readonly label: string
  readonly icon: typeof ChevronLeft
  /** Null: there is no such page, or one is on its way. */
  readonly onTurn: (() => void) | null
}

/** Never really disabled: a button that has the focus would lose it while the page is read. */
function PageButton({ label, icon: Icon, onTurn }: PageButtonProps) {
  return (
    <Button
      size="compact-sm"
      variant="default"
      aria-label={label}
      aria-disabled={onTurn === null}
      data-disabled={onTurn === null}
      onClick={() => onTurn?.()}
    >
      <Icon size={14} aria-hidden="true" />
    </Button>
  )
}

/** The trail of cursors from the first page to this one, and where it may go. */
function usePaging(graph: string, { vertex, row }: ListedKind) {
  const [limit, setLimit] = useState<number>(LIST_SIZES[0])
  const [filter, setFilter] = useState('')
  const [sort, setSort] = useState('')
  const [trail, setTrail] = useState<readonly (string | null)[]>([null])
  const cursor = trail.at(-1) ?? null
  const request = { vertex: vertex.key, row, limit, cursor }
  const page = useQuery({
    ...neighbourPageQuery(graph, request, { filter, sort }),
    placeholderData: keepPreviousData,
  })
  const isShown = !page.isFetching
  const nextCursor = isShown ? (page.data?.nextCursor ?? null) : null
  const restart = <V,>(set: (value: V) => void) => {
    return (value: V) => {
      set(value)
      setTrail([null])
    }
  }
  return {
    page,
    limit,
    filter,
    sort,
    /** Of the page that was asked for; until it is here, the rows are still those of the last. */
    first: page.isPlaceholderData ? null : (trail.length - 1) * limit,
    setLimit: restart(setLimit),
    setFilter: restart(setFilter),
    setSort: restart(setSort),
    next: nextCursor === null ? null : () => setTrail([...trail, nextCursor]),
    previous: trail.length > 1 && isShown ? () => setTrail(trail.slice(0, -1)) : null,
  }
}

type Paging = ReturnType<typeof usePaging>

function rangeText({ first, filter, page, next }: Paging, shown: number, count: number): string {
  if (first === null) return 'Reading…'
  if (page.isPending || page.isError || shown === 0) return ''
  const range = `${formatCount(first + 1)}–${formatCount(first + shown)}`
  if (filter === '') return `${range} of ${formatCount(Math.max(count, first + shown))}`
  return next === null ? `${range}, the last` : `${range}, and more`
}

interface Choice {
  readonly chosen: ReadonlyMap<string, Line>
  readonly setChosen: (chosen: ReadonlyMap<string, Line>) => void
  readonly sort: string
}

function useColumns(lines: readonly Line[], explorer: Explorer, choice: Choice) {
  const { chosen, setChosen, sort } = choice
  const { edges } = explorer.scene
  return useMemo((): readonly Column<Line>[] => {
    const toggle = (line: Line) => {
      const next = new Map(chosen)
      if (!next.delete(line.edge.key)) next.set(line.edge.key, line)
      setChosen(next)
    }
    const names = Object.keys(lines[0]?.edge.attributes ?? {})
    const sorted = sort.replace('-', '')
    return [
      {
        id: 'choose',
        header: 'Choose',
        hideHeader: true,
        width: '34px',
        cell: (line) => (
          <Checkbox
            size="xs"
            aria-label={`Choose ${line.vertex.id}`}
            checked={chosen.has(line.edge.key) || edges.has(line.edge.key)}
            disabled={edges.has(line.edge.key)}
            onChange={() => toggle(line)}
          />
        ),
      },
      { id: 'id', header: 'Id', cell: ({ vertex }) => vertex.id },
      ...(lines.some(({ vertex }) => vertexLabel(vertex) !== vertex.id) ? [labelColumn] : []),
      ...names.map((name): Column<Line> => {
        return {
          id: name,
          header: name,
          align: alignOf(lines[0]?.edge.attributes?.[name]),
          cell: ({ edge }) => attributeText(edge.attributes?.[name]),
        }
      }),
      ...(names.includes(sorted) ? [] : otherColumn(lines, sorted)),
    ]
  }, [lines, edges, chosen, setChosen, sort])
}

/** What the vertices are ordered by is seen. */
function otherColumn([first]: readonly Line[], name: string): readonly Column<Line>[] {
  const value = first?.vertex.attributes?.[name]
  if (value === undefined) return []
  return [
    {
      id: name,
      header: name,
      align: alignOf(value),
      cell: ({ vertex }) => attributeText(vertex.attributes?.[name]),
    },
  ]
}

const alignOf = (value: unknown) =>
  typeof value === 'number' || typeof value === 'bigint' ? 'end' : 'start'

const labelColumn: Column<Line> = {
  id: 'label',
  header: 'Label',
  cell: ({ vertex }) => <LabelCell vertex={vertex} />,
}

/** What a vertex is called besides its id. */
function LabelCell({ vertex }: { readonly vertex: SceneVertex }) {
  const label = vertexLabel(vertex)
  if (label === vertex.id) return null
  return (
    <span className={classes.label} title={label}>
      {label}
    </span>
  )
}

interface FilterFormProps {
  readonly graph: string
  readonly row: DegreeRow
  readonly paging: Paging
}

function FilterForm({ graph, row, paging }: FilterFormProps) {
  const [text, setText] = useState('')
  const names = orderNames(useQuery(graphSchemaQuery(graph)).data, row)
  return (
    <form
      className={classes.filter}
      onSubmit={(event) => {
        event.preventDefault()
        paging.setFilter(text.trim())
      }}
    >
      <TextInput
        aria-label="Filter by attributes"
        placeholder="attribute > value"
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value)
          if (event.currentTarget.value === '') paging.setFilter('')
        }}
        spellCheck={false}
        autoComplete="off"
      />
      <NativeSelect
        aria-label="Rows per page"
        value={String(paging.limit)}
        onChange={(event) => paging.setLimit(Number(event.currentTarget.value))}
        data={LIST_SIZES.map((size) => ({ value: String(size), label: `${size} rows` }))}
      />
      <OrderSelect names={names} value={paging.sort} onChange={paging.setSort} />
    </form>
  )
}
