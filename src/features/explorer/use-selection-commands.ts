/** Selections by command: for the palette, the help sheet, and keys wherever no field has them. */
import { useCommand } from '#ui/commands/commands.ts'
import { inverted, ofSameType } from './model/selecting.ts'
import type { Explorer } from './use-explorer.ts'

const group = 'Explorer'

export function useSelectionCommands(
  { scene, selection, select }: Explorer,
  onSteps: () => void,
): void {
  const isFilled = scene.vertices.size > 0
  useCommand({
    id: 'explorer.select-type',
    label: 'Select all of the same type',
    keys: 't',
    group,
    enabled: selection.some((key) => scene.vertices.has(key)),
    run: () => select(ofSameType(scene, selection)),
  })
  useCommand({
    id: 'explorer.steps',
    label: 'Expand steps…',
    keys: 'e',
    group,
    enabled: selection.some((key) => scene.vertices.has(key)),
    run: onSteps,
  })
  useCommand({
    id: 'explorer.invert',
    label: 'Invert the selection',
    keys: 'i',
    group,
    enabled: isFilled,
    run: () => select(inverted(scene, selection)),
  })
}
