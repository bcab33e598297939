/**
 * Runs that wait for a worker. Users take turns, and the runs of one user begin in the order in
 * which they came. A run that was moved back here because it took long waits for a worker that is
 * left to long runs; the others of its user pass it meanwhile (docs/decisions/0077).
 */
export interface QueuedRun {
  readonly user: string
  /** Ascending in the order in which runs came. */
  readonly number: number
  /** It has been given a worker before, and took long. */
  readonly wasMoved: boolean
}

interface Line<Run> {
  readonly fresh: Run[]
  readonly moved: Run[]
}

export class RunQueue<Run extends QueuedRun> {
  /** By user; the one whose turn it is comes first. */
  readonly #lines = new Map<string, Line<Run>>()
  #size = 0
  #freshCount = 0

  get size(): number {
    return this.#size
  }

  /** Whether a run waits that may begin on any worker. */
  get hasFresh(): boolean {
    return this.#freshCount > 0
  }

  countOf(user: string): number {
    const line = this.#lines.get(user)
    return line === undefined ? 0 : line.fresh.length + line.moved.length
  }

  add(run: Run): void {
    const line = this.#lines.get(run.user) ?? { fresh: [], moved: [] }
    this.#lines.set(run.user, line)
    line[run.wasMoved ? 'moved' : 'fresh'].push(run)
    this.#count(run, 1)
  }

  remove(run: Run): void {
    const line = this.#lines.get(run.user)
    const runs = line?.[run.wasMoved ? 'moved' : 'fresh'] ?? []
    const index = runs.indexOf(run)
    if (line === undefined || index < 0) return
    runs.splice(index, 1)
    this.#count(run, -1)
    if (isEmpty(line)) this.#lines.delete(run.user)
  }

  /**
   * The run whose turn it is; its user is the last one then.
   * @param takesMoved false: only a run that was not moved
   */
  take(takesMoved: boolean): Run | undefined {
    for (const [user, line] of this.#lines) {
      const run = firstOf(line, takesMoved)
      if (run === undefined) continue
      this.remove(run)
      const rest = this.#lines.get(user)
      this.#lines.delete(user)
      if (rest !== undefined) this.#lines.set(user, rest)
      return run
    }
    return undefined
  }

  #count(run: Run, change: number): void {
    this.#size += change
    if (!run.wasMoved) this.#freshCount += change
  }
}

function isEmpty({ fresh, moved }: Line<unknown>): boolean {
  return fresh.length + moved.length === 0
}

function firstOf<Run extends QueuedRun>({ fresh, moved }: Line<Run>, takesMoved: boolean) {
  const [first] = fresh
  const [movedFirst] = takesMoved ? moved : []
  if (first === undefined || movedFirst === undefined) return first ?? movedFirst
  return movedFirst.number < first.number ? movedFirst : first
}
