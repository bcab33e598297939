/**
 * Undo and redo over immutable states: a step keeps the state before it and a label for people. A
 * step that also changed the database keeps its write, for whoever takes it back.
 */

/** Older steps than this are forgotten. */
export const HISTORY_STEPS_MAX = 200

export interface Step<S, W> {
  readonly label: string
  readonly state: S
  readonly write?: W | undefined
}

export interface History<S, W = never> {
  readonly present: S
  readonly past: readonly Step<S, W>[]
  readonly future: readonly Step<S, W>[]
}

export function startHistory<S, W = never>(present: S): History<S, W> {
  return { present, past: [], future: [] }
}

interface NewStep<W> {
  readonly label: string
  readonly write?: W | undefined
}

export function commit<S, W>(
  history: History<S, W>,
  { label, write }: NewStep<W>,
  present: S,
): History<S, W> {
  if (present === history.present) return history
  const step = { label, state: history.present, write }
  return { present, past: [...history.past, step].slice(-HISTORY_STEPS_MAX), future: [] }
}

/** Changes the present without a step of its own: late attributes, positions of a layout. */
export function amend<S, W>(history: History<S, W>, present: S): History<S, W> {
  return present === history.present ? history : { ...history, present }
}

/** Commits with what the state before turns out to have been, for a step that tells both. */
export function commitFrom<S, W>(
  history: History<S, W>,
  label: string,
  { before, after }: { readonly before: S; readonly after: S },
): History<S, W> {
  return commit(amend(history, before), { label }, after)
}

export function undo<S, W>(history: History<S, W>): History<S, W> {
  const step = history.past.at(-1)
  if (step === undefined) return history
  return {
    present: step.state,
    past: history.past.slice(0, -1),
    future: [{ ...step, state: history.present }, ...history.future],
  }
}

export function redo<S, W>(history: History<S, W>): History<S, W> {
  const [step, ...future] = history.future
  if (step === undefined) return history
  return {
    present: step.state,
    past: [...history.past, { ...step, state: history.present }],
    future,
  }
}
