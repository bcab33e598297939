/** Several things selected: what to do with all of them, and how they are connected. */
import { Button } from '@mantine/core'
import { Eraser, EyeOff, Group, Pin } from 'lucide-react'
import { counted, formatCount } from '#lib/format.ts'
import { selectedEdges } from '../model/canvas-scene.ts'
import { arePinned } from '../model/pins.ts'
import { removeVertices } from '../model/scene.ts'
import { sceneActions } from '../scene-actions.ts'
import type { Explorer } from '../use-explorer.ts'
import { Connections } from './connections.tsx'
import { DeleteButton } from './delete-button.tsx'
import classes from './inspector.module.css'
import { PathForm } from './path-form.tsx'
import { StepsButton } from './steps-button.tsx'

/** Each two of them are one search through the graph. */
const CONNECTED_MAX = 5

interface SeveralProps {
  readonly graph: string
  readonly explorer: Explorer
  /** Bundles of parallel edges that are drawn one by one. */
  readonly unfolded: ReadonlySet<string>
  readonly onDelete: () => void
  readonly onSteps: () => void
}

export function Several({ graph, explorer, unfolded, onDelete, onSteps }: SeveralProps) {
  const { selection, scene, connected } = explorer
  const chosen = selection.flatMap((key) => scene.vertices.get(key) ?? [])
  const vertices = chosen.map(({ key }) => key)
  const edges = selectedEdges(scene, selection, unfolded)
  const types = new Set(chosen.map(({ type }) => type))
  const { hide, pin, collapseType } = sceneActions(explorer)
  const canConnect = chosen.length > 1 && chosen.length <= CONNECTED_MAX
  return (
    <div className={classes.panel}>
      <h2 className={classes.title}>{formatCount(selection.length)} selected</h2>
      <p className={classes.note}>
        {counted(vertices.length, 'vertex', 'vertices')}, {counted(edges.length, 'edge', 'edges')}
      </p>
      {canConnect && <PathForm {...{ graph, explorer, chosen }} />}
      {connected?.selection === selection && <Connections connections={connected.connections} />}
      <div className={classes.actions}>
        {vertices.length > 0 && <StepsButton onClick={onSteps} />}
        <Button
          variant="default"
          leftSection={<EyeOff size={13} aria-hidden="true" />}
          disabled={vertices.length === 0}
          onClick={() => hide(vertices)}
        >
          Hide {formatCount(vertices.length)}
        </Button>
        <Button
          variant="default"
          leftSection={<Eraser size={13} aria-hidden="true" />}
          disabled={vertices.length === 0}
          onClick={() => explorer.change('Remove', (current) => removeVertices(current, vertices))}
        >
          Remove {formatCount(vertices.length)}
        </Button>
        <Button
          variant="default"
          leftSection={<Pin size={13} aria-hidden="true" />}
          title="No layout moves them"
          disabled={vertices.length === 0}
          onClick={() => pin(vertices)}
        >
          {arePinned(scene, vertices) ? 'Unpin' : 'Pin'} {formatCount(vertices.length)}
        </Button>
        {chosen.length > 1 && types.size === 1 && (
          <Button
            variant="default"
            leftSection={<Group size={13} aria-hidden="true" />}
            onClick={() => [...types].forEach(collapseType)}
          >
            Draw all {[...types]} as one
          </Button>
        )}
        <DeleteButton graph={graph} onClick={onDelete} />
      </div>
    </div>
  )
}
