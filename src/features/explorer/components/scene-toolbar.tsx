/** What one does to the whole picture: arrange, undo, hide, export, and how much to bring in. */
import { NativeSelect } from '@mantine/core'
import { Eraser, Eye, Focus, Group, Maximize, Redo2, Undo2, Workflow } from 'lucide-react'
import type { ReactNode } from 'react'
import { preferences } from '#lib/storage/preferences.ts'
import { type LayoutName, layoutNames } from '#ui/graph-canvas/scene.ts'
import { ToolButton } from '#ui/layout/toolbar.tsx'
import classes from '../explorer-page.module.css'
import { type PageSize, pageSizes } from '../model/expansion.ts'
import { newScene } from '../model/groups.ts'
import { showAll } from '../model/scene.ts'
import { sceneActions } from '../scene-actions.ts'
import type { Explorer } from '../use-explorer.ts'

interface SceneToolbarProps {
  readonly explorer: Explorer
  readonly pageSize: PageSize
  readonly onPageSize: (size: PageSize) => void
  readonly layout: LayoutName
  readonly onLayout: (name: LayoutName) => void
  readonly onFit: () => void
  readonly exportMenu: ReactNode
}

export const layoutTitles: Readonly<Record<LayoutName, string>> = {
  force: 'Force',
  hierarchy: 'Hierarchy',
  concentric: 'Concentric by degree',
  radial: 'Radial from selection',
  grid: 'Grid by type',
}

/** In their order 5 to 9: 1 to 3 widen the focus, 0 fits. */
export const layoutKey = (name: LayoutName): string => String(layoutNames.indexOf(name) + 5)

/** Above this the layers of a hierarchy are lines that nobody can read. */
export const HIERARCHY_VERTICES_MAX = 2_000

export function canArrange(name: LayoutName, vertexCount: number): boolean {
  return name !== 'hierarchy' || vertexCount <= HIERARCHY_VERTICES_MAX
}

export function SceneToolbar(props: SceneToolbarProps) {
  const { explorer } = props
  const { past, future } = explorer.history
  const empty = explorer.scene.vertices.size === 0
  const hidden = explorer.scene.hidden.size
  const { focus, grouping } = explorer.scene
  const { toggleFocus, toggleLeaves } = sceneActions(explorer)
  return (
    <>
      <NativeSelect
        aria-label="Neighbours per expand"
        className={classes.pageSize ?? ''}
        value={String(props.pageSize)}
        onChange={(event) => props.onPageSize(Number(event.currentTarget.value))}
        data={pageSizes(props.pageSize).map((size) => ({
          value: String(size),
          label: `${size} a page`,
        }))}
      />
      <NativeSelect
        aria-label="Layout"
        className={classes.layout ?? ''}
        value={props.layout}
        onChange={(event) => props.onLayout(event.currentTarget.value as LayoutName)}
        data={layoutNames.map((name) => ({
          value: name,
          label: `${layoutTitles[name]} (${layoutKey(name)})`,
          disabled: !canArrange(name, explorer.scene.vertices.size),
        }))}
      />
      <div className={classes.tools}>
        <ToolButton
          label={`Arrange: ${layoutTitles[props.layout]} (L or ${layoutKey(props.layout)})`}
          word="Arrange"
          disabled={empty || !canArrange(props.layout, explorer.scene.vertices.size)}
          onClick={() => props.onLayout(props.layout)}
        >
          <Workflow size={15} />
        </ToolButton>
        <ToolButton label="Fit (0)" disabled={empty} onClick={props.onFit}>
          <Maximize size={15} />
        </ToolButton>
        <ToolButton
          label={focus === null ? 'Focus on the selection (F)' : 'Leave focus (F)'}
          word="Focus"
          pressed={focus !== null}
          disabled={focus === null && explorer.selection.length === 0}
          onClick={() => toggleFocus(null)}
        >
          <Focus size={15} />
        </ToolButton>
        <ToolButton
          label={grouping.leaves ? 'Draw leaves one by one (B)' : 'Group leaves (B)'}
          pressed={grouping.leaves}
          disabled={empty}
          onClick={toggleLeaves}
        >
          <Group size={15} />
        </ToolButton>
        <ToolButton
          label={past.length === 0 ? 'Undo' : `Undo ${past.at(-1)?.label}`}
          disabled={past.length === 0}
          onClick={explorer.undo}
        >
          <Undo2 size={15} />
        </ToolButton>
        <ToolButton
          label={future.length === 0 ? 'Redo' : `Redo ${future[0]?.label}`}
          disabled={future.length === 0}
          onClick={explorer.redo}
        >
          <Redo2 size={15} />
        </ToolButton>
        <ToolButton
          label={hidden === 0 ? 'Show hidden' : `Show ${hidden} hidden`}
          disabled={hidden === 0}
          onClick={() => explorer.change('Show hidden', showAll)}
        >
          <Eye size={15} />
        </ToolButton>
        {props.exportMenu}
        <ToolButton
          label="Clear canvas"
          disabled={empty}
          onClick={() => {
            const { groupLeaves } = preferences.get()
            explorer.change('Clear', ({ styles }) => ({ ...newScene(groupLeaves), styles }))
            explorer.select([])
          }}
        >
          <Eraser size={15} />
        </ToolButton>
      </div>
    </>
  )
}
