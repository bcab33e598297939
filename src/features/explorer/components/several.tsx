/** Several things selected: what to do with all of them, and how they are connected. */
import { Button } from '@mantine/core'
import { Eraser, EyeOff, Route } from 'lucide-react'
import { counted, formatCount } from '#lib/format.ts'
import { selectedEdges, vertexLabel } from '../model/canvas-scene.ts'
import { type Connection, PATHS_TOLD_MAX } from '../model/path-words.ts'
import { hideVertices, removeVertices } from '../model/scene.ts'
import type { Explorer } from '../use-explorer.ts'
import { DeleteButton } from './delete-button.tsx'
import classes from './inspector.module.css'

/** Each two of them are one search through the graph. */
const CONNECTED_MAX = 5

interface SeveralProps {
  readonly explorer: Explorer
  /** Bundles of parallel edges that are drawn one by one. */
  readonly unfolded: ReadonlySet<string>
  readonly onDelete: () => void
}

export function Several({ explorer, unfolded, onDelete }: SeveralProps) {
  const { selection, scene, connected } = explorer
  const chosen = selection.flatMap((key) => scene.vertices.get(key) ?? [])
  const vertices = chosen.map(({ key }) => key)
  const edges = selectedEdges(scene, selection, unfolded)
  const canConnect = chosen.length > 1 && chosen.length <= CONNECTED_MAX
  return (
    <div className={classes.panel}>
      <h2 className={classes.title}>{formatCount(selection.length)} selected</h2>
      <p className={classes.note}>
        {counted(vertices.length, 'vertex', 'vertices')}, {counted(edges.length, 'edge', 'edges')}
      </p>
      <div className={classes.actions}>
        {canConnect && (
          <Button
            leftSection={<Route size={13} aria-hidden="true" />}
            disabled={explorer.busy}
            onClick={() => void explorer.connect(chosen)}
          >
            Shortest paths between them
          </Button>
        )}
        <Button
          variant="default"
          leftSection={<EyeOff size={13} aria-hidden="true" />}
          disabled={vertices.length === 0}
          onClick={() => explorer.change('Hide', (current) => hideVertices(current, vertices))}
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
        <DeleteButton onClick={onDelete} />
      </div>
      {connected?.selection === selection &&
        connected.connections.map((connection) => (
          <Paths key={`${connection.source.key} ${connection.target.key}`} {...connection} />
        ))}
    </div>
  )
}

function Paths({ source, target, length, paths, isCut }: Connection) {
  const title = `${vertexLabel(source)} and ${vertexLabel(target)}`
  return (
    <section aria-label={`Paths between ${title}`}>
      <h3 className={classes.heading}>{title}</h3>
      <p className={classes.note}>
        {length === null
          ? 'No path so short that it would tell anything.'
          : `${counted(length, 'edge', 'edges')} apart`}
        {isCut && `; the first ${PATHS_TOLD_MAX} of more ways`}
      </p>
      <ol className={classes.paths}>
        {paths.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ol>
    </section>
  )
}
