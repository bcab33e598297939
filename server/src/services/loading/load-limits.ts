/** From how many bad lines and objects on a run fails; null: however many there are. */
export interface ErrorLimits {
  readonly countMax: number | null
  /** Of the lines of a source, judged at its end. */
  readonly percentMax: number | null
}

export const noErrorLimits: ErrorLimits = { countMax: null, percentMax: null }
