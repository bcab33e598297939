/** The designer's keys, in the one registry that palette, help and keyboard read. */
import { useCommand } from '#ui/commands/commands.ts'

const group = 'Schema'

export interface SchemaActions {
  readonly addVertex: () => void
  readonly addEdge: () => void
  readonly addAttribute: () => void
  readonly rename: () => void
  readonly drop: () => void
  readonly toggleView: () => void
  readonly review: () => void
  readonly undo: () => void
  readonly redo: () => void
}

export function useSchemaCommands(actions: SchemaActions, hasSelection: boolean): void {
  const selected = { group, enabled: hasSelection }
  useCommand({
    id: 'schema.vertex',
    group,
    label: 'Add vertex type',
    keys: 'n',
    run: actions.addVertex,
  })
  useCommand({ id: 'schema.edge', group, label: 'Add edge type', keys: 'e', run: actions.addEdge })
  useCommand({
    ...selected,
    id: 'schema.attribute',
    label: 'Add attribute',
    keys: 'a',
    run: actions.addAttribute,
  })
  useCommand({
    ...selected,
    id: 'schema.rename',
    label: 'Rename type',
    keys: 'f2',
    run: actions.rename,
  })
  useCommand({
    ...selected,
    id: 'schema.drop',
    label: 'Drop type',
    keys: 'delete',
    run: actions.drop,
  })
  useCommand({
    id: 'schema.view',
    group,
    label: 'Switch between canvas, table and JSON',
    keys: 'mod+\\',
    run: actions.toggleView,
  })
  useCommand({
    id: 'schema.review',
    group,
    label: 'Review and publish',
    keys: 'mod+s',
    run: actions.review,
  })
  useCommand({ id: 'schema.undo', group, label: 'Undo', keys: 'mod+z', run: actions.undo })
  useCommand({ id: 'schema.redo', group, label: 'Redo', keys: 'shift+mod+z', run: actions.redo })
}
