/** The state before the batch that is being applied in slices: what everyone sees meanwhile. */
import type { Versions } from './memory/versions.ts'
import type { GraphView } from './view.ts'

export interface HeldVersion {
  readonly view: GraphView
  readonly epoch: number
  /** Those who read it, and the batch itself. */
  users: number
  /** Asks those readers to go who may be asked. */
  readonly revokes: (() => void)[]
}

export function holdVersion(view: GraphView, versions: Versions): HeldVersion {
  return { view, epoch: versions.pin(null), users: 1, revokes: [] }
}

/** A reader of a held version that may be asked to go, when copied pages exceed their limit. */
export function letRevoke(held: HeldVersion, versions: Versions, onRevoke: () => void): void {
  held.revokes.push(onRevoke)
  versions.arm(held.epoch, () => {
    for (const revoke of held.revokes.splice(0)) revoke()
  })
}
