/** Undo and redo over immutable states: a step keeps the state before it and a label for people. */

/** Older steps than this are forgotten. */
export const HISTORY_STEPS_MAX = 200

export interface Step<S> {
  readonly label: string
  readonly state: S
}

export interface History<S> {
  readonly present: S
  readonly past: readonly Step<S>[]
  readonly future: readonly Step<S>[]
}

export function startHistory<S>(present: S): History<S> {
  return { present, past: [], future: [] }
}

export function commit<S>(history: History<S>, label: string, present: S): History<S> {
  if (present === history.present) return history
  const past = [...history.past, { label, state: history.present }].slice(-HISTORY_STEPS_MAX)
  return { present, past, future: [] }
}

/** Changes the present without a step of its own: late attributes, positions of a layout. */
export function amend<S>(history: History<S>, present: S): History<S> {
  return { ...history, present }
}

/** Commits with what the state before turns out to have been, for a step that tells both. */
export function commitFrom<S>(
  history: History<S>,
  label: string,
  { before, after }: { readonly before: S; readonly after: S },
): History<S> {
  return commit(amend(history, before), label, after)
}

export function undo<S>(history: History<S>): History<S> {
  const step = history.past.at(-1)
  if (step === undefined) return history
  return {
    present: step.state,
    past: history.past.slice(0, -1),
    future: [{ label: step.label, state: history.present }, ...history.future],
  }
}

export function redo<S>(history: History<S>): History<S> {
  const [step, ...future] = history.future
  if (step === undefined) return history
  return {
    present: step.state,
    past: [...history.past, { label: step.label, state: history.present }],
    future,
  }
}
