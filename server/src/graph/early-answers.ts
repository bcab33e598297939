/** Commits that were answered before they were applied (`ack: 'none'`). */
export class EarlyAnswers {
  /** Resolves when the last of them is applied; null: all are. */
  pending: Promise<void> | null = null

  note(applied: Promise<unknown>): void {
    const ended: Promise<void> = Promise.allSettled([applied]).then(() => {
      if (this.pending === ended) this.pending = null
    })
    this.pending = ended
  }
}
