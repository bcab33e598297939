/** One edge, or all parallel ones of a bundle, told apart by their discriminators. */
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { formatCount } from '#lib/format.ts'
import { ErrorNotice, Loading } from '#ui/feedback/states.tsx'
import { TypeTag } from '#ui/theme/type-tag.tsx'
import { parallelEdgesQuery } from '../api/explorer.ts'
import { parseVertexKey, type SceneEdge, type VertexKey } from '../model/scene.ts'
import type { Explorer } from '../use-explorer.ts'
import { AttributeEditor } from './attribute-editor.tsx'
import { DeleteButton } from './delete-button.tsx'
import classes from './inspector.module.css'

const EDGES_SHOWN_MAX = 50

interface EdgePanelProps {
  readonly graph: string
  /** At least one; all of one type between the same two vertices. */
  readonly edges: readonly SceneEdge[]
  readonly explorer: Explorer
  /** Asks whether they are to be deleted from the graph. */
  readonly onDelete: () => void
}

export function EdgePanel({ graph, edges, explorer, onDelete }: EdgePanelProps) {
  const first = edges[0] as SceneEdge
  const unread = edges.some(({ attributes }) => attributes === null)
  const read = useQuery({ ...parallelEdgesQuery(graph, first), enabled: unread })
  const known = new Map(read.data?.map((edge) => [edge.key, edge]))
  const title = edges.length > 1 ? `${first.type} ×${formatCount(edges.length)}` : first.type
  return (
    <div className={classes.panel}>
      <h2 className={classes.title}>{title}</h2>
      <dl className={classes.ends}>
        <dt>From</dt>
        <dd>
          <EndButton vertex={first.from} explorer={explorer} />
        </dd>
        <dt>To</dt>
        <dd>
          <EndButton vertex={first.to} explorer={explorer} />
        </dd>
      </dl>
      {unread && read.isPending && <Loading what="edge attributes" rows={3} />}
      {read.isError && (
        <ErrorNotice
          title="The edges could not be read"
          error={read.error}
          onRetry={read.refetch}
        />
      )}
      {edges.slice(0, EDGES_SHOWN_MAX).map((edge) => (
        <OneEdge
          key={edge.key}
          edge={edge.attributes === null ? (known.get(edge.key) ?? edge) : edge}
          isRead={edge.attributes !== null || read.isSuccess}
          {...{ graph, explorer }}
        />
      ))}
      {edges.length > EDGES_SHOWN_MAX && (
        <p className={classes.note}>
          The first {EDGES_SHOWN_MAX} of {formatCount(edges.length)} parallel edges; double-click
          the line to draw each.
        </p>
      )}
      <div className={classes.actions}>
        <DeleteButton graph={graph} onClick={onDelete} />
      </div>
    </div>
  )
}

interface OneEdgeProps {
  readonly graph: string
  readonly explorer: Explorer
  readonly edge: SceneEdge
  readonly isRead: boolean
}

function OneEdge({ graph, explorer, edge, isRead }: OneEdgeProps) {
  return (
    <section
      className={classes.one}
      aria-label={edge.discriminator === '' ? edge.type : edge.discriminator}
    >
      {edge.discriminator !== '' && <h3 className={classes.heading}>{edge.discriminator}</h3>}
      {edge.attributes !== null && <AttributeEditor {...{ graph, explorer }} element={edge} />}
      {edge.attributes === null && isRead && (
        <p className={classes.note}>The database has this edge no more.</p>
      )}
    </section>
  )
}

interface EndButtonProps {
  readonly vertex: VertexKey
  readonly explorer: Explorer
}

function EndButton({ vertex, explorer }: EndButtonProps) {
  const { type, id } = parseVertexKey(vertex)
  return (
    <Button
      size="compact-sm"
      variant="subtle"
      className={classes.end ?? ''}
      onClick={() => explorer.select([vertex])}
    >
      <TypeTag name={type} />
      <code className={classes.id}>{id}</code>
    </Button>
  )
}
