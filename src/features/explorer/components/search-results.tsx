/** What a search has found in the database, and what it says before a slow one begins. */
import { Button } from '@mantine/core'
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { graphSchemaQuery } from '#api/graph-schema.ts'
import { counted, formatCount } from '#lib/format.ts'
import { ErrorNotice, Loading } from '#ui/feedback/states.tsx'
import { TypeTag } from '#ui/theme/type-tag.tsx'
import { asItCame, findVertices, searchPlanQuery, similarQuery } from '../api/explorer.ts'
import { vertexLabel } from '../model/canvas-scene.ts'
import { orderNames } from '../model/neighbour-orders.ts'
import type { SceneVertex } from '../model/scene.ts'
import type { SearchRequest } from '../model/search.ts'
import { attributeText } from './attribute-list.tsx'
import { OrderSelect } from './order-select.tsx'
import classes from './vertex-search.module.css'

/** Looking at more vertices one by one than this is announced, and begun on request. */
export const SCAN_ANNOUNCED_MIN = 100_000
/** Between two looks at whether an index is ready. */
const PENDING_LOOK_MS = 1_000

interface ResultsProps {
  readonly graph: string
  readonly request: SearchRequest
  readonly close: () => void
  readonly onAdd: (vertices: readonly SceneVertex[]) => void
  /** Another search in the place of this one. */
  readonly onSearch: (text: string) => void
}

export function SearchResults(props: ResultsProps) {
  const { request } = props
  if (request.kind === 'invalid') return <p className={classes.note}>{request.reason}</p>
  if (request.kind === 'choices') return <Choices {...props} {...request} />
  return request.kind === 'filter' ? (
    <FilterResults {...props} {...request} key={`${request.type} ${request.filter}`} />
  ) : (
    <Found {...props} key={JSON.stringify(request)} />
  )
}

type ChoicesProps = ResultsProps & Extract<SearchRequest, { readonly kind: 'choices' }>

function Choices({ why, searches, onSearch }: ChoicesProps) {
  return (
    <>
      <p className={classes.note}>{why}</p>
      <ul className={classes.list}>
        {searches.map((search) => (
          <li key={search}>
            <button type="button" className={classes.result} onClick={() => onSearch(search)}>
              {search}
            </button>
          </li>
        ))}
      </ul>
    </>
  )
}

type FilterProps = ResultsProps & { readonly type: string; readonly filter: string }

/** A condition that no index covers looks at every vertex of the type: of a large one only if wanted. */
function FilterResults(props: FilterProps) {
  const { graph, type, filter, close } = props
  const plan = useQuery({
    ...searchPlanQuery(graph, type, filter),
    gcTime: 0,
    refetchInterval: ({ state }) => (state.data?.pending.length ? PENDING_LOOK_MS : false),
  })
  const [isWanted, setWanted] = useState(false)
  if (plan.isPending) return <Loading what="search results" rows={3} />
  if (plan.isError) {
    return <ErrorNotice title="The search failed" error={plan.error} onRetry={plan.refetch} />
  }
  const { index, rows, unindexed, pending } = plan.data
  if (isWanted || index !== null || rows < SCAN_ANNOUNCED_MIN) return <Found {...props} />
  return (
    <div className={classes.note}>
      <p role="status">
        No index serves this condition: up to {formatCount(rows)} vertices of type {type} are looked
        at one by one.
        {pending.length > 0 && ` ${pending.join(' and ')} is not ready yet.`}
        {unindexed.length > 0 && ` An index on ${unindexed.join(' or ')} would spare that.`}
      </p>
      <div className={classes.choice}>
        <Button size="compact-sm" onClick={() => setWanted(true)}>
          Search all the same
        </Button>
        <Button size="compact-sm" variant="default" onClick={close}>
          Close
        </Button>
      </div>
    </div>
  )
}

function Found({ graph, request, close, onAdd }: Omit<ResultsProps, 'onSearch'>) {
  const [sort, setSort] = useState('')
  const schema = useQuery(graphSchemaQuery(graph)).data
  const found = useInfiniteQuery({
    queryKey: ['explorer', graph, 'search', request, sort],
    queryFn: ({ signal, pageParam }) =>
      findVertices(graph, request, { cursor: pageParam, sort, signal }),
    placeholderData: keepPreviousData,
    initialPageParam: null as string | null,
    getNextPageParam: ({ cursor }) => cursor,
    staleTime: 0,
    gcTime: 0,
    ...asItCame,
  })
  if (found.isPending) return <Loading what="search results" rows={3} />
  if (found.isError) {
    return <ErrorNotice title="The search failed" error={found.error} onRetry={found.refetch} />
  }
  const vertices = found.data.pages.flatMap((page) => page.vertices)
  const missing = found.data.pages.flatMap((page) => page.missing)
  const index = found.data.pages[0]?.index ?? null
  const count = formatCount(vertices.length)
  const isListing = request.kind === 'type' || request.kind === 'filter'
  const what = found.hasNextPage
    ? `The first ${count}`
    : counted(vertices.length, 'vertex', 'vertices')
  const foundWords = index === null ? what : `${what} by the index ${index}`
  return (
    <>
      <div className={classes.head}>
        <span role="status">{found.isPlaceholderData ? 'Reading…' : foundWords}</span>
        {isListing && (
          <OrderSelect
            names={orderNames(schema, { edgeType: '', targetType: request.type })}
            value={sort}
            onChange={setSort}
          />
        )}
        {vertices.length > 1 && (
          <Button size="compact-xs" variant="default" onClick={() => onAdd(vertices)}>
            Add all {count}
          </Button>
        )}
        <Button size="compact-xs" variant="subtle" onClick={close}>
          Close
        </Button>
      </div>
      <VertexChoices
        vertices={vertices}
        attribute={sort.replace('-', '')}
        onChoose={(vertex) => onAdd([vertex])}
      />
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
      {missing.length > 0 && <p className={classes.note}>{missingWords(missing, request)}</p>}
      {missing.length === 1 && <Similar {...{ graph, request, onAdd }} id={missing[0] ?? ''} />}
      {vertices.length === 0 && missing.length === 0 && (
        <p className={classes.note}>No vertex fits.</p>
      )}
    </>
  )
}

interface VertexChoicesProps {
  readonly vertices: readonly SceneVertex[]
  /** Its values are shown, too: what they are ordered by. */
  readonly attribute?: string
  readonly onChoose: (vertex: SceneVertex) => void
}

export function VertexChoices({ vertices, attribute = '', onChoose }: VertexChoicesProps) {
  return (
    <ul className={classes.list}>
      {vertices.map((vertex) => (
        <li key={vertex.key}>
          <button type="button" className={classes.result} onClick={() => onChoose(vertex)}>
            <TypeTag name={vertex.type} />
            <span className={classes.id}>{vertex.id}</span>
            <span className={classes.label}>
              {vertexLabel(vertex) === vertex.id ? '' : vertexLabel(vertex)}
            </span>
            <span className={classes.value}>{orderedBy(vertex, attribute)}</span>
          </button>
        </li>
      ))}
    </ul>
  )
}

/** Of an attribute that is not told already; empty where there is none. */
function orderedBy(vertex: SceneVertex, name: string): string {
  const value = vertex.attributes?.[name]
  const text = value === undefined ? '' : attributeText(value)
  return text === vertex.id || text === vertexLabel(vertex) ? '' : text
}

/** What may have been meant; when that cannot be told, nothing is. */
function Similar({
  graph,
  request,
  id,
  onAdd,
}: Pick<ResultsProps, 'graph' | 'request' | 'onAdd'> & { id: string }) {
  const type = request.kind === 'ids' ? request.type : null
  const { data } = useQuery(similarQuery(graph, id, type))
  if (data === undefined) return null
  const limits = data.complete ? '' : ', of those that were looked at'
  return (
    <div role="status">
      <p className={classes.note}>
        {data.vertices.length === 0 ? `Nothing similar${limits}.` : `Similar${limits}:`}
      </p>
      <VertexChoices vertices={data.vertices} onChoose={(vertex) => onAdd([vertex])} />
    </div>
  )
}

const MISSING_NAMED_MAX = 5

function missingWords(ids: readonly string[], request: SearchRequest): string {
  const type = request.kind === 'ids' ? request.type : null
  const named = ids.slice(0, MISSING_NAMED_MAX).join(', ')
  const others = ids.length - MISSING_NAMED_MAX
  const words = `No ${type ?? 'vertex'} has the id ${named}`
  const said = others > 0 ? `${words}, nor ${formatCount(others)} others.` : `${words}.`
  return ids.length > 1 ? `${said} An id with a comma in it goes in quotes.` : said
}
