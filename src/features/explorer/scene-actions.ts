/** What one key or button does to the scene; each is one step of the history. */
import { focusOn, withoutFocus } from './model/focus.ts'
import {
  collapseTypes,
  crowdedTypes,
  type Group,
  groupLeaves,
  leavesOf,
  openGroup,
} from './model/groups.ts'
import { arePinned, togglePins } from './model/pins.ts'
import { collapse, hideVertices, type VertexKey } from './model/scene.ts'
import type { Explorer } from './use-explorer.ts'

const HOPS_FIRST = 1

export type SceneActions = ReturnType<typeof sceneActions>

export function sceneActions({ scene, grouped, selection, change, select }: Explorer) {
  const { focus, grouping } = scene
  const leaveFocus = () => change('Leave focus', withoutFocus)
  const focusAround = (keys: readonly VertexKey[], hops: number) =>
    change(`Focus ${hops}`, (current) => focusOn(current, keys, hops))
  /** What ids of the canvas stand for: a group for all of its members, an edge for its ends. */
  const verticesOf = (ids: readonly string[]): readonly VertexKey[] =>
    ids.flatMap((id) => {
      const edge = scene.edges.get(id)
      if (edge !== undefined) return [edge.from, edge.to]
      return grouped.groups.get(id)?.members ?? (scene.vertices.has(id) ? [id] : [])
    })
  return {
    fold: (key: VertexKey) => change('Collapse', (current) => collapse(current, key)),
    hide: (keys: readonly VertexKey[]) => change('Hide', (current) => hideVertices(current, keys)),
    pin: (keys: readonly VertexKey[]) =>
      change(arePinned(scene, keys) ? 'Unpin' : 'Pin', (current) => togglePins(current, keys)),
    /** Around what is selected, or else what the keyboard is on; a second time leaves. */
    toggleFocus: (cursor: string | null) => {
      if (focus !== null) return leaveFocus()
      const chosen = verticesOf(selection)
      focusAround(chosen.length > 0 || cursor === null ? chosen : verticesOf([cursor]), HOPS_FIRST)
    },
    leaveFocus,
    widenFocus: (hops: number) => {
      if (focus !== null && focus.hops !== hops) focusAround(focus.around, hops)
    },
    toggleLeaves: () =>
      change(grouping.leaves ? 'Ungroup leaves' : 'Group leaves', (current) =>
        groupLeaves(current, !current.grouping.leaves),
      ),
    collapseType: (type: string) =>
      change(`Collapse ${type}`, (current) => collapseTypes(current, [type])),
    collapseTypes: () =>
      change('Collapse by type', (current) => collapseTypes(current, crowdedTypes(current))),
    hideLeaves: () => change('Hide leaves', (current) => hideVertices(current, leavesOf(current))),
    open: (group: Group) => {
      change(`Open ${group.type}`, (current) => openGroup(current, group))
      select([])
    },
  }
}
