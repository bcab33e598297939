/**
 * The elements of a canvas as buttons: what a screen reader reads and what tests find by name. It
 * is out of sight until one of its buttons has the focus.
 */
import { memo } from 'react'
import styles from './graph-canvas.module.css'
import type { Scene, SceneEdge } from './scene.ts'

/** More would slow the page down; the page's own table shows the rest. */
const MIRRORED_MAX = 500

interface MirrorListProps {
  readonly label: string
  readonly scene: Scene
  readonly selection: readonly string[]
  readonly onSelect: (id: string) => void
  readonly onOpen: (id: string) => void
}

export const MirrorList = memo(function MirrorList(props: MirrorListProps) {
  const { label, scene, selection, onSelect, onOpen } = props
  const selected = new Set(selection)
  const names = new Map(scene.nodes.map((node) => [node.id, node.description ?? node.label]))
  const edges = scene.edges.slice(0, MIRRORED_MAX)
  const hidden = [scene.nodes, scene.edges].some(({ length }) => length > MIRRORED_MAX)
  return (
    <section className={styles['mirror']} aria-label={`${label}, as a list`}>
      <ul aria-label="Nodes">
        {scene.nodes.slice(0, MIRRORED_MAX).map((node) => (
          <li key={node.id}>
            <MirrorButton
              name={names.get(node.id) ?? node.label}
              id={node.id}
              isSelected={selected.has(node.id)}
              onSelect={onSelect}
              onOpen={onOpen}
            />
          </li>
        ))}
      </ul>
      <ul aria-label="Edges">
        {edges.map((edge) => (
          <li key={edge.id}>
            <MirrorButton
              name={edge.description ?? edgeName(edge, names)}
              id={edge.id}
              isSelected={selected.has(edge.id)}
              onSelect={onSelect}
              onOpen={onOpen}
            />
          </li>
        ))}
      </ul>
      {hidden && <p>The first {MIRRORED_MAX} of each; the table holds all elements.</p>}
    </section>
  )
})

interface MirrorButtonProps {
  readonly name: string
  readonly id: string
  readonly isSelected: boolean
  readonly onSelect: (id: string) => void
  readonly onOpen: (id: string) => void
}

/** Of a thousand most stay as they are when the scene changes. */
const MirrorButton = memo(function MirrorButton(props: MirrorButtonProps) {
  const { name, id, isSelected, onSelect, onOpen } = props
  return (
    <button
      type="button"
      tabIndex={-1}
      aria-pressed={isSelected}
      onClick={() => onSelect(id)}
      onDoubleClick={() => onOpen(id)}
    >
      {name}
    </button>
  )
})

function edgeName(edge: SceneEdge, names: ReadonlyMap<string, string>): string {
  const joint = edge.directed ? 'to' : 'and'
  return `${edge.label}: ${names.get(edge.source) ?? ''} ${joint} ${names.get(edge.target) ?? ''}`
}
