/** What one does to the whole picture: arrange, undo, hide, export, and how much to bring in. */
import { ActionIcon, NativeSelect, Tooltip } from '@mantine/core'
import { Eraser, Eye, Focus, Group, Maximize, Redo2, Undo2, Workflow } from 'lucide-react'
import type { ReactNode } from 'react'
import { preferences } from '#lib/preferences.ts'
import { type LayoutName, layoutNames } from '#ui/graph-canvas/scene.ts'
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
        value={String(props.pageSize)}
        onChange={(event) => props.onPageSize(Number(event.currentTarget.value))}
        data={pageSizes(props.pageSize).map((size) => ({
          value: String(size),
          label: `${size} a page`,
        }))}
      />
      <NativeSelect
        aria-label="Layout"
        maw={150}
        value={props.layout}
        onChange={(event) => props.onLayout(event.currentTarget.value as LayoutName)}
        data={layoutNames.map((name) => ({
          value: name,
          label: `${layoutTitles[name]} (${layoutKey(name)})`,
          disabled: !canArrange(name, explorer.scene.vertices.size),
        }))}
      />
      <Tool
        label={`Arrange: ${layoutTitles[props.layout]} (L or ${layoutKey(props.layout)})`}
        disabled={empty || !canArrange(props.layout, explorer.scene.vertices.size)}
        onClick={() => props.onLayout(props.layout)}
      >
        <Workflow size={15} />
      </Tool>
      <Tool label="Fit (0)" disabled={empty} onClick={props.onFit}>
        <Maximize size={15} />
      </Tool>
      <Tool
        label={focus === null ? 'Focus on the selection (F)' : 'Leave focus (F)'}
        pressed={focus !== null}
        disabled={focus === null && explorer.selection.length === 0}
        onClick={() => toggleFocus(null)}
      >
        <Focus size={15} />
      </Tool>
      <Tool
        label={grouping.leaves ? 'Draw leaves one by one (B)' : 'Group leaves (B)'}
        pressed={grouping.leaves}
        disabled={empty}
        onClick={toggleLeaves}
      >
        <Group size={15} />
      </Tool>
      <Tool
        label={past.length === 0 ? 'Undo' : `Undo ${past.at(-1)?.label}`}
        disabled={past.length === 0}
        onClick={explorer.undo}
      >
        <Undo2 size={15} />
      </Tool>
      <Tool
        label={future.length === 0 ? 'Redo' : `Redo ${future[0]?.label}`}
        disabled={future.length === 0}
        onClick={explorer.redo}
      >
        <Redo2 size={15} />
      </Tool>
      <Tool
        label={hidden === 0 ? 'Show hidden' : `Show ${hidden} hidden`}
        disabled={hidden === 0}
        onClick={() => explorer.change('Show hidden', showAll)}
      >
        <Eye size={15} />
      </Tool>
      {props.exportMenu}
      <Tool
        label="Clear canvas"
        disabled={empty}
        onClick={() => {
          const { groupLeaves } = preferences.get()
          explorer.change('Clear', ({ styles }) => ({ ...newScene(groupLeaves), styles }))
          explorer.select([])
        }}
      >
        <Eraser size={15} />
      </Tool>
    </>
  )
}

interface ToolProps {
  readonly label: string
  /** For what is on or off. */
  readonly pressed?: boolean
  readonly disabled: boolean
  readonly onClick: () => void
  readonly children: ReactNode
}

function Tool({ label, pressed, disabled, onClick, children }: ToolProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon
        variant={pressed === true ? 'filled' : 'default'}
        aria-label={label}
        aria-pressed={pressed}
        disabled={disabled}
        onClick={onClick}
      >
        {children}
      </ActionIcon>
    </Tooltip>
  )
}
