/** What is selected: a vertex with its attributes and neighbours, an edge, or several things. */
import { Button, CopyButton } from '@mantine/core'
import { Copy, Eraser, EyeOff, Minimize2, Pin } from 'lucide-react'
import type { ReactNode } from 'react'
import { formatCount } from '#lib/format.ts'
import { EmptyState, Loading } from '#ui/feedback/states.tsx'
import { TypeTag } from '#ui/theme/type-tag.tsx'
import { edgesBehind, vertexLabel } from '../model/canvas-scene.ts'
import type { PageSize } from '../model/expansion.ts'
import {
  type ListedKind,
  type Remainder,
  removeVertices,
  type SceneVertex,
} from '../model/scene.ts'
import { sceneActions } from '../scene-actions.ts'
import type { Explorer } from '../use-explorer.ts'
import { AttributeEditor } from './attribute-editor.tsx'
import { DeleteButton } from './delete-button.tsx'
import { EdgePanel } from './edge-panel.tsx'
import { GroupEdgePanel, GroupPanel } from './group-panel.tsx'
import classes from './inspector.module.css'
import { KindCsv } from './kind-csv.tsx'
import { Neighbours } from './neighbours.tsx'
import { Several } from './several.tsx'
import { StepsButton } from './steps-button.tsx'

interface InspectorProps {
  readonly graph: string
  readonly explorer: Explorer
  readonly pageSize: PageSize
  /** Bundles of parallel edges that are drawn one by one. */
  readonly unfolded: ReadonlySet<string>
  readonly onList: (kind: ListedKind) => void
  /** Asks whether what is selected is to be deleted from the graph. */
  readonly onDelete: () => void
  readonly onSteps: () => void
}

export function Inspector(props: InspectorProps) {
  const { graph, explorer, pageSize, unfolded, onDelete, onSteps } = props
  const { scene, selection } = explorer
  const [first, ...rest] = selection
  if (first === undefined) {
    return (
      <EmptyState text="Select a vertex or an edge to see its attributes and its neighbours." />
    )
  }
  if (rest.length > 0) return <Several {...{ graph, explorer, unfolded, onDelete, onSteps }} />
  const vertex = scene.vertices.get(first)
  if (vertex !== undefined) return <VertexPanel {...props} vertex={vertex} />
  const remainder = scene.remainders.get(first)
  if (remainder !== undefined) {
    const left = formatCount(remainder.count - remainder.shown)
    return (
      <Panel title={`${left} more by ${remainder.edgeType}`}>
        <Button
          disabled={explorer.busy}
          onClick={() => void explorer.expandRemainder(first, pageSize)}
        >
          Show the next {pageSize}
        </Button>
        <RemainderList {...props} remainder={remainder} />
      </Panel>
    )
  }
  const group = explorer.grouped.groups.get(first)
  if (group !== undefined) return <GroupPanel {...{ explorer, group }} />
  const groupEdge = explorer.grouped.edges.get(first)
  if (groupEdge !== undefined) return <GroupEdgePanel {...groupEdge} />
  const edges = edgesBehind(scene, first, unfolded)
  return edges.length === 0 ? (
    <EmptyState text="The selection is no longer on the canvas." />
  ) : (
    <EdgePanel {...{ graph, edges, explorer, onDelete }} />
  )
}

interface RemainderListProps extends InspectorProps {
  readonly remainder: Remainder
}

function RemainderList({ graph, explorer, onList, remainder }: RemainderListProps) {
  const vertex = explorer.scene.vertices.get(remainder.vertex)
  if (vertex === undefined) return null
  return (
    <>
      <Button variant="default" onClick={() => onList({ vertex, row: remainder })}>
        List all {formatCount(remainder.count)}
      </Button>
      <KindCsv {...{ graph, vertex }} row={remainder} />
    </>
  )
}

function Panel({ title, children }: { readonly title: ReactNode; readonly children: ReactNode }) {
  return (
    <div className={classes.panel}>
      <h2 className={classes.title}>{title}</h2>
      {children}
    </div>
  )
}

interface VertexPanelProps extends InspectorProps {
  readonly vertex: SceneVertex
}

function VertexPanel(props: VertexPanelProps) {
  const { graph, vertex, explorer, pageSize, onList, onDelete, onSteps } = props
  const { key, type, id, attributes } = vertex
  const { fold, hide, pin } = sceneActions(explorer)
  const isPinned = explorer.scene.pinned.has(key)
  return (
    <Panel title={vertexLabel(vertex)}>
      <div className={classes.identity}>
        <TypeTag name={type} />
        <code className={classes.id}>{id}</code>
        <CopyButton value={id}>
          {({ copied, copy }) => (
            <Button size="compact-xs" variant="subtle" onClick={copy} aria-label="Copy id">
              {copied ? 'Copied' : <Copy size={12} aria-hidden="true" />}
            </Button>
          )}
        </CopyButton>
      </div>
      {vertex.gone === true ? (
        <p className={classes.note}>The database has this vertex no more.</p>
      ) : (
        <>
          <h3 className={classes.heading}>Neighbours</h3>
          <Neighbours {...{ graph, vertex, explorer, pageSize, onList }} />
          <h3 className={classes.heading}>Attributes</h3>
          {attributes === null ? (
            <Loading what="attributes" rows={3} />
          ) : (
            <AttributeEditor key={key} {...{ graph, explorer }} element={vertex} />
          )}
        </>
      )}
      <div className={classes.actions}>
        {vertex.gone !== true && <StepsButton onClick={onSteps} />}
        <Button
          variant="default"
          leftSection={<Minimize2 size={13} aria-hidden="true" />}
          onClick={() => fold(key)}
        >
          Collapse
        </Button>
        <Button
          variant="default"
          aria-pressed={isPinned}
          leftSection={<Pin size={13} aria-hidden="true" />}
          title="No layout moves it (P)"
          onClick={() => pin([key])}
        >
          {isPinned ? 'Unpin' : 'Pin'}
        </Button>
        <Button
          variant="default"
          leftSection={<EyeOff size={13} aria-hidden="true" />}
          onClick={() => hide([key])}
        >
          Hide
        </Button>
        <Button
          variant="default"
          leftSection={<Eraser size={13} aria-hidden="true" />}
          title="Takes it off the canvas; the database keeps it"
          onClick={() => explorer.change('Remove', (scene) => removeVertices(scene, [key]))}
        >
          Remove
        </Button>
        {vertex.gone !== true && <DeleteButton graph={graph} onClick={onDelete} />}
      </div>
    </Panel>
  )
}
