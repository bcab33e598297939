/** The canvas with what lies over it: legend, focus, and what to do about a crowd. */
import { type KeyboardEvent, type RefObject, useMemo, useRef } from 'react'
import { keyName } from '#ui/commands/commands.ts'
import { GraphCanvas } from '#ui/graph-canvas/graph-canvas.tsx'
import {
  type CanvasHandle,
  type LayoutName,
  layoutNames,
  type View,
} from '#ui/graph-canvas/scene.ts'
import classes from '../explorer-page.module.css'
import { bundleKey, toCanvas } from '../model/canvas-scene.ts'
import type { PageSize } from '../model/expansion.ts'
import { litElements } from '../model/focus.ts'
import { groupPlaces } from '../model/groups.ts'
import { emptyScene, type ListedKind } from '../model/scene.ts'
import type { Looks } from '../model/scene-style.ts'
import { sceneActions } from '../scene-actions.ts'
import type { Explorer } from '../use-explorer.ts'
import { useExplorerCommands } from '../use-explorer-commands.ts'
import { CrowdNotice } from './crowd-notice.tsx'
import { FocusBar } from './focus-bar.tsx'
import { Legend } from './legend.tsx'
import { layoutKey } from './scene-toolbar.tsx'
import { Start } from './start.tsx'

interface StageProps {
  readonly graph: string
  readonly explorer: Explorer
  readonly pageSize: PageSize
  /** Vertices of each type in the database. */
  readonly totals: ReadonlyMap<string, number>
  readonly unfolded: ReadonlySet<string>
  readonly looks: Looks
  readonly onList: (kind: ListedKind) => void
  readonly onView: () => void
  readonly wantedView: RefObject<View | null>
  readonly onUnfold: (bundle: string) => void
  /** Asks whether what is selected is to be deleted from the graph. */
  readonly onDelete: () => void
  readonly canvas: RefObject<CanvasHandle | null>
  readonly layout: LayoutName
  readonly arrange: (name: LayoutName) => void
}

export function Stage(props: StageProps) {
  const { graph, explorer, pageSize, totals, unfolded, looks, canvas } = props
  const { scene, degrees, grouped } = explorer
  const { vertices, edges, remainders, hidden, pinned, focus, positions } = scene
  // Places are left out on purpose: the canvas made them, and a new scene would make it look again.
  const drawn = useMemo(() => {
    const shown = { ...emptyScene, vertices, edges, remainders, hidden, pinned }
    return toCanvas(shown, degrees, { unfolded, looks, grouped })
  }, [vertices, edges, remainders, hidden, pinned, degrees, unfolded, looks, grouped])
  const lit = useMemo(
    () => litElements(drawn, focus, (key) => grouped.groupOf.get(key) ?? key),
    [drawn, focus, grouped],
  )
  const places = useMemo(
    () => groupPlaces({ ...emptyScene, positions }, grouped),
    [positions, grouped],
  )
  const actions = sceneActions(explorer)
  const open = (id: string) => {
    const edge = edges.get(id)
    const group = grouped.groups.get(id)
    if (edge !== undefined) props.onUnfold(bundleKey(edge))
    else if (group !== undefined) actions.open(group)
    else if (scene.remainders.has(id)) void explorer.expandRemainder(id, pageSize)
    else if (scene.vertices.has(id)) void explorer.expandAll(id, pageSize)
  }
  const enter = (id: string) => {
    const row = scene.remainders.get(id)
    const vertex = row && scene.vertices.get(row.vertex)
    if (vertex === undefined || row === undefined) open(id)
    else props.onList({ vertex, row })
  }
  const legend = useRef<HTMLUListElement>(null)
  const sample = (id: string) => {
    const remainder = scene.remainders.get(id)
    if (remainder !== undefined) void explorer.sampleRow(remainder.vertex, remainder, pageSize)
  }
  useExplorerCommands(explorer, {
    arrange: (name = props.layout) => props.arrange(name),
    expand: open,
    sample,
    remove: props.onDelete,
  })
  const onVertex: Readonly<Record<string, (key: string) => void>> = {
    x: open,
    c: actions.fold,
    h: (key) => actions.hide([key]),
    delete: (key) => actions.hide([key]),
    p: (key) => actions.pin([key]),
  }
  const onScene: Readonly<Record<string, (cursor: string | null) => void>> = {
    ...Object.fromEntries(
      layoutNames.map((name) => [layoutKey(name), () => props.arrange(name)] as const),
    ),
    l: () => props.arrange(props.layout),
    'shift+delete': props.onDelete,
    f: actions.toggleFocus,
    escape: actions.leaveFocus,
    1: () => actions.widenFocus(1),
    2: () => actions.widenFocus(2),
    3: () => actions.widenFocus(3),
    b: actions.toggleLeaves,
  }
  const keys = (event: KeyboardEvent, cursor: string | null) => {
    const key = keyName(event)
    onScene[key]?.(cursor)
    if (cursor === null) return
    const group = grouped.groups.get(cursor)
    if (group !== undefined && (key === 'h' || key === 'delete')) actions.hide(group.members)
    else if (scene.vertices.has(cursor)) onVertex[key]?.(cursor)
    else if (key === 's') sample(cursor)
  }
  if (vertices.size === 0) return <Start {...{ graph, totals, explorer }} />
  return (
    <div className={classes.stage}>
      <GraphCanvas
        label={`Neighbourhood in ${graph}`}
        scene={drawn}
        selection={explorer.selection}
        initialPositions={places}
        spotlight={lit}
        hoverDims
        onSelect={explorer.select}
        onOpen={open}
        onEnter={enter}
        onView={props.onView}
        coverRef={legend}
        wantedView={props.wantedView}
        onMove={explorer.move}
        onSettle={explorer.settle}
        onKey={keys}
        minimap
        handleRef={canvas}
      />
      <Legend ref={legend} {...{ explorer, looks, totals }} />
      <div className={classes.notices}>
        {lit !== null && <FocusBar {...{ explorer, drawn, lit }} />}
        <CrowdNotice explorer={explorer} drawnCount={drawn.nodes.length} />
      </div>
    </div>
  )
}
