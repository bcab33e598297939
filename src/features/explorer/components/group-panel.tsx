/** A node or a line that stands for many: what it holds, and how to have them one by one. */
import { Button } from '@mantine/core'
import { EyeOff, Ungroup } from 'lucide-react'
import { counted, formatCount } from '#lib/format.ts'
import { TypeTag } from '#ui/theme/type-tag.tsx'
import { vertexLabel } from '../model/canvas-scene.ts'
import type { Group, GroupEdge } from '../model/groups.ts'
import { sceneActions } from '../scene-actions.ts'
import type { Explorer } from '../use-explorer.ts'
import classes from './inspector.module.css'

interface GroupPanelProps {
  readonly explorer: Explorer
  readonly group: Group
}

export function GroupPanel({ explorer, group }: GroupPanelProps) {
  const { type, parent, members } = group
  const { scene, select } = explorer
  const { open, hide } = sceneActions(explorer)
  const center = parent === null ? undefined : scene.vertices.get(parent)
  const expandable = new Set([...scene.remainders.values()].map(({ vertex }) => vertex))
  const withMore = members.filter((key) => expandable.has(key)).length
  return (
    <div className={classes.panel}>
      <h2 className={classes.title}>
        {formatCount(members.length)} {type}
      </h2>
      <div className={classes.identity}>
        <TypeTag name={type} />
      </div>
      <p className={classes.note}>
        {center === undefined
          ? 'All of the type, drawn as one.'
          : `Leaves of ${vertexLabel(center)}, drawn as one.`}
        {withMore > 0 && ` ${counted(withMore, 'has', 'have')} neighbours that are not drawn.`}
      </p>
      <div className={classes.actions}>
        <Button leftSection={<Ungroup size={13} aria-hidden="true" />} onClick={() => open(group)}>
          Draw one by one
        </Button>
        <Button variant="default" onClick={() => select(members)}>
          Select all
        </Button>
        <Button
          variant="default"
          leftSection={<EyeOff size={13} aria-hidden="true" />}
          onClick={() => hide(members)}
        >
          Hide
        </Button>
      </div>
    </div>
  )
}

export function GroupEdgePanel({ type, count }: GroupEdge) {
  return (
    <div className={classes.panel}>
      <h2 className={classes.title}>
        {type} ×{formatCount(count)}
      </h2>
      <p className={classes.note}>
        {counted(count, 'edge', 'edges')} of what is drawn as one; the Elements table lists each.
      </p>
    </div>
  )
}
