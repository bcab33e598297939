/** Lets other work run between slices of a long one: comes in from the top, as the clock does. */
export interface Scheduler {
  /** Resolves after pending input, timers and requests had their turn. */
  yieldToOthers(): Promise<void>
}
