/** The explorer's scene with its history: every step there is, and what each does. */
import type { AttributeWrite } from './attribute-write.ts'
import type { Deletion } from './deletion.ts'
import { amend, commit, commitFrom, type History, redo, startHistory, undo } from './history.ts'
import { moveVertices, type Point, type Scene, type VertexKey } from './scene.ts'

export type Positions = ReadonlyMap<VertexKey, Point>

/** What a step changed in the database. */
export type DataWrite = AttributeWrite | Deletion

export const isDeletion = (write: DataWrite): write is Deletion => 'hanging' in write

export type Action =
  | {
      readonly kind: 'commit'
      readonly label: string
      readonly change: (scene: Scene) => Scene
      readonly write?: DataWrite
    }
  | { readonly kind: 'amend'; readonly change: (scene: Scene) => Scene }
  /** What can never be taken back: no step leads to before it. */
  | { readonly kind: 'restart'; readonly change: (scene: Scene) => Scene }
  | { readonly kind: 'move'; readonly before: Positions; readonly after: Positions }
  | { readonly kind: 'undo' }
  | { readonly kind: 'redo' }

export type SceneHistory = History<Scene, DataWrite>

export function reduce(history: SceneHistory, action: Action): SceneHistory {
  switch (action.kind) {
    case 'commit':
      return commit(history, action, action.change(history.present))
    case 'amend':
      return amend(history, action.change(history.present))
    case 'restart':
      return startHistory(action.change(history.present))
    case 'move':
      return commitFrom(history, 'Move', {
        before: moveVertices(history.present, action.before),
        after: moveVertices(history.present, action.after),
      })
    case 'undo':
      return undo(history)
    case 'redo':
      return redo(history)
  }
}
