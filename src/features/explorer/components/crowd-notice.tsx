/** More on the canvas than the settings call fluent, or than a reload brings back: what to do about it. */
import { Button } from '@mantine/core'
import { useState } from 'react'
import { formatCount } from '#lib/format.ts'
import { usePreferences } from '#lib/storage/preferences.ts'
import classes from '../explorer-page.module.css'
import { crowdedTypes, leavesOf } from '../model/groups.ts'
import { SAVED_VERTICES_MAX } from '../model/saved-scene.ts'
import { sceneActions } from '../scene-actions.ts'
import type { Explorer } from '../use-explorer.ts'

interface CrowdNoticeProps {
  readonly explorer: Explorer
  /** Nodes on the canvas, a group being one. */
  readonly drawnCount: number
}

export function CrowdNotice({ explorer, drawnCount }: CrowdNoticeProps) {
  const { canvasLimit } = usePreferences()
  const [isAccepted, setAccepted] = useState(false)
  const isCrowded = drawnCount > canvasLimit
  // Whoever makes room and fills it again is asked again.
  if (!isCrowded && isAccepted) setAccepted(false)
  const isUnsaved = explorer.scene.vertices.size > SAVED_VERTICES_MAX
  const asks = isCrowded && !isAccepted
  if (!asks && !isUnsaved) return null
  return (
    <div className={classes.crowded}>
      <p role="status">
        {formatCount(drawnCount)} nodes
        {asks && ': fewer would be more fluent'}
        {isUnsaved && `; a reload keeps up to ${formatCount(SAVED_VERTICES_MAX)} vertices`}.
      </p>
      {asks && <Remedies explorer={explorer} onContinue={() => setAccepted(true)} />}
    </div>
  )
}

interface RemediesProps {
  readonly explorer: Explorer
  readonly onContinue: () => void
}

function Remedies({ explorer, onContinue }: RemediesProps) {
  const actions = sceneActions(explorer)
  const { scene } = explorer
  return (
    <span className={classes.remedies}>
      <Button
        size="compact-xs"
        variant="default"
        disabled={crowdedTypes(scene).length === 0}
        onClick={actions.collapseTypes}
      >
        Collapse by type
      </Button>
      <Button
        size="compact-xs"
        variant="default"
        disabled={leavesOf(scene).length === 0}
        onClick={actions.hideLeaves}
      >
        Hide leaves
      </Button>
      <Button size="compact-xs" variant="default" onClick={onContinue}>
        Continue
      </Button>
    </span>
  )
}
