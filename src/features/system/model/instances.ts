/** What is to be said of several servers over one store. */
import type { Instance, Instances } from '#api/instances.ts'
import { counted, formatDuration } from '#lib/format.ts'

/** Three beats that did not come: longer than any pause of a server that works. */
export const SILENT_MS = 3_000

export type InstanceState = 'writer' | 'follower' | 'silent'

export function stateOf({ role, silentMs, self }: Instance): InstanceState {
  return !self && (silentMs === null || silentMs > SILENT_MS) ? 'silent' : role
}

export interface Notice {
  readonly status: 'danger' | 'warning' | 'info'
  readonly text: string
}

/** What whoever runs the servers should know, the worst first. */
export function noticesOf(view: Instances): readonly Notice[] {
  const notices: Notice[] = []
  const states = view.instances.map(stateOf)
  if (!view.connected) {
    const age = formatDuration(view.stalenessMs)
    const refused =
      view.maxStalenessMs === null
        ? ''
        : ` Reads are refused when it is ${formatDuration(view.maxStalenessMs)} old.`
    const text = `The store does not answer this instance. What it shows is at most ${age} old.${refused}`
    notices.push({ status: 'danger', text })
  }
  if (!states.includes('writer')) {
    const text = 'No instance writes at present. Writes wait until one has taken over.'
    notices.push({ status: 'danger', text })
  }
  if (view.durableCopies === 1) {
    const text =
      'An acknowledged write lies on one machine only, and is lost with it: the database has no synchronous standby.'
    notices.push({ status: 'warning', text })
  }
  if (view.instances.length === 1) {
    const text = 'There is one instance. No other can take over from it.'
    notices.push({ status: 'warning', text })
  }
  const silent = states.filter((state) => state === 'silent').length
  if (silent > 0) {
    const text = `${counted(silent, 'instance is', 'instances are')} silent: stopped, or cut off from the store.`
    notices.push({ status: 'warning', text })
  }
  const versions = new Set(view.instances.map(({ version }) => version))
  if (versions.size > 1) {
    const text = `Instances have ${versions.size} versions. Upgrade the writer last.`
    notices.push({ status: 'info', text })
  }
  return notices
}

/** Why no instance could take over from the writer; null: one could. */
export function handOverProblem({ instances }: Instances): string | null {
  const states = instances.map(stateOf)
  if (!states.includes('writer')) return 'No instance writes at present.'
  return states.includes('follower') ? null : 'No other instance could take over.'
}
