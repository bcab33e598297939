/** What the explorer can do, in the one registry that palette and help sheet read. */
import { useEffect, useRef } from 'react'
import { registerCommands, useCommand } from '#ui/commands/commands.ts'
import { type LayoutName, layoutNames } from '#ui/graph-canvas/scene.ts'
import { layoutKey, layoutTitles } from './components/scene-toolbar.tsx'
import { sceneActions } from './scene-actions.ts'
import type { Explorer } from './use-explorer.ts'

const group = 'Explorer'
const where = 'on the canvas'

interface PageActions {
  /** By this layout, or the one that was chosen last. */
  readonly arrange: (name?: LayoutName) => void
  readonly expand: (key: string) => void
  /** Of a remainder. */
  readonly sample: (key: string) => void
  readonly remove: () => void
}

/** From the palette there is nothing to act on but what is selected. */
export function useExplorerCommands(explorer: Explorer, page: PageActions): void {
  const { scene, selection, undo, redo } = explorer
  const { arrange, expand, sample, remove } = page
  const actions = sceneActions(explorer)
  const vertex = selection.find((id) => scene.vertices.has(id))
  const chosen = { group, where, enabled: vertex !== undefined }
  const on = (act: (key: string) => void) => () => {
    if (vertex !== undefined) act(vertex)
  }
  useCommand({
    id: 'explorer.arrange',
    label: 'Arrange',
    keys: 'l',
    group,
    where,
    run: () => arrange(),
  })
  useLayoutCommands(arrange)
  useCommand({ ...chosen, id: 'explorer.expand', label: 'Expand', keys: 'x', run: on(expand) })
  useCommand({
    ...chosen,
    id: 'explorer.collapse',
    label: 'Collapse',
    keys: 'c',
    run: on(actions.fold),
  })
  useCommand({
    ...chosen,
    id: 'explorer.hide',
    label: 'Hide',
    keys: 'h',
    run: on((key) => actions.hide([key])),
  })
  useCommand({
    ...chosen,
    id: 'explorer.pin',
    label: 'Pin: no layout moves it; or unpin',
    keys: 'p',
    run: on((key) => actions.pin([key])),
  })
  const remainder = selection.find((id) => scene.remainders.has(id))
  useCommand({
    ...{ group, where },
    id: 'explorer.sample',
    label: 'Show any of what is not drawn',
    keys: 's',
    enabled: remainder !== undefined,
    run: () => {
      if (remainder !== undefined) sample(remainder)
    },
  })
  useFocusCommands(explorer, vertex !== undefined)
  useGroupCommands(explorer)
  useCommand({
    ...{ group, where },
    id: 'explorer.delete',
    label: 'Delete from the graph…',
    keys: 'shift+delete',
    enabled: vertex !== undefined || selection.some((id) => scene.edges.has(id)),
    run: remove,
  })
  useCommand({ id: 'explorer.undo', label: 'Undo', keys: 'mod+z', group, run: undo })
  useCommand({ id: 'explorer.redo', label: 'Redo', keys: 'shift+mod+z', group, run: redo })
}

function useLayoutCommands(arrange: PageActions['arrange']): void {
  const latest = useRef(arrange)
  useEffect(() => {
    latest.current = arrange
  })
  useEffect(
    () =>
      registerCommands(
        layoutNames.map((name) => ({
          ...{ group, where },
          id: `explorer.layout.${name}`,
          label: `Arrange: ${layoutTitles[name]}`,
          keys: layoutKey(name),
          run: () => latest.current(name),
        })),
      ),
    [],
  )
}

function useFocusCommands(explorer: Explorer, isChosen: boolean): void {
  const { toggleFocus, widenFocus } = sceneActions(explorer)
  const { focus } = explorer.scene
  const within = { group, where, enabled: focus !== null }
  useCommand({
    ...{ group, where },
    id: 'explorer.focus',
    label: 'Focus on the selection: dim the rest; or end that',
    keys: 'f',
    enabled: isChosen || focus !== null,
    run: () => toggleFocus(null),
  })
  useCommand({
    ...within,
    id: 'explorer.focus-1',
    label: 'Focus: up to one edge away',
    keys: '1',
    run: () => widenFocus(1),
  })
  useCommand({
    ...within,
    id: 'explorer.focus-2',
    label: 'Focus: up to two edges away',
    keys: '2',
    run: () => widenFocus(2),
  })
  useCommand({
    ...within,
    id: 'explorer.focus-3',
    label: 'Focus: up to three edges away',
    keys: '3',
    run: () => widenFocus(3),
  })
}

function useGroupCommands(explorer: Explorer): void {
  const { toggleLeaves, collapseTypes, hideLeaves } = sceneActions(explorer)
  const enabled = explorer.scene.vertices.size > 0
  useCommand({
    ...{ group, where, enabled },
    id: 'explorer.leaves',
    label: 'Group leaves, or draw them one by one',
    keys: 'b',
    run: toggleLeaves,
  })
  useCommand({
    ...{ group, enabled },
    id: 'explorer.types',
    label: 'Collapse by type',
    run: collapseTypes,
  })
  useCommand({
    ...{ group, enabled },
    id: 'explorer.hide-leaves',
    label: 'Hide leaves',
    run: hideLeaves,
  })
}
