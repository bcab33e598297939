/** What the explorer can do, in the one registry that palette and help sheet read. */
import { useCommand } from '#ui/commands.ts'

const group = 'Explorer'
const where = 'on the canvas'

interface ExplorerActions {
  readonly arrange: () => void
  readonly expand: (key: string) => void
  readonly collapse: (key: string) => void
  readonly hide: (key: string) => void
  readonly remove: () => void
  readonly undo: () => void
  readonly redo: () => void
}

/**
 * @param vertex the vertex that is selected; from the palette there is no other to act on
 * @param isDeletable whether anything of the database is selected
 */
export function useExplorerCommands(
  actions: ExplorerActions,
  vertex: string | undefined,
  isDeletable: boolean,
): void {
  const chosen = { group, where, enabled: vertex !== undefined }
  const on = (act: (key: string) => void) => () => {
    if (vertex !== undefined) act(vertex)
  }
  const { arrange, expand, collapse, hide, remove, undo, redo } = actions
  useCommand({ id: 'explorer.arrange', label: 'Arrange', keys: 'l', group, where, run: arrange })
  useCommand({ ...chosen, id: 'explorer.expand', label: 'Expand', keys: 'x', run: on(expand) })
  useCommand({
    ...chosen,
    id: 'explorer.collapse',
    label: 'Collapse',
    keys: 'c',
    run: on(collapse),
  })
  useCommand({ ...chosen, id: 'explorer.hide', label: 'Hide', keys: 'h', run: on(hide) })
  useCommand({
    ...{ group, where },
    id: 'explorer.delete',
    label: 'Delete from the graph…',
    keys: 'shift+delete',
    enabled: isDeletable,
    run: remove,
  })
  useCommand({ id: 'explorer.undo', label: 'Undo', keys: 'mod+z', group, run: undo })
  useCommand({ id: 'explorer.redo', label: 'Redo', keys: 'shift+mod+z', group, run: redo })
}
