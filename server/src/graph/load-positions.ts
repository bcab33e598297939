/**
 * How far the runs of loading jobs are. Each batch of a run says in its own log record up to which line its
 * statement is done, so that rows and position are in the graph together or not at all: a run that was cut
 * short goes on with no line applied twice and none left out.
 */

/** What a mutation batch says of the run that it belongs to. */
export interface LoadPosition {
  readonly run: string
  /** Of the loading job, counted from 0. */
  readonly statement: number
  /** What is read, in its order, and the line up to which the statement is done, inclusive. */
  readonly input: number
  readonly line: number
}

export interface StatementPosition extends Pick<LoadPosition, 'input' | 'line'> {
  /** Vertices that its edges have made as their ends, up to here. */
  readonly createdEnds: number
}

/** As checkpoints hold them. */
export type StoredPositions = Readonly<
  Record<
    string,
    readonly (readonly [statement: number, input: number, line: number, createdEnds?: number])[]
  >
>

export class LoadPositions {
  readonly #runs = new Map<string, Map<number, StatementPosition>>()

  /**
   * @param createdEnds of the batch. A checkpoint may be ahead of the batches that are applied behind it:
   *   these are counted in it.
   */
  note({ run, statement, input, line }: LoadPosition, createdEnds: number): void {
    const known = this.#runs.get(run) ?? new Map<number, StatementPosition>()
    this.#runs.set(run, known)
    const before = known.get(statement)
    const isAhead =
      before === undefined || input > before.input || (input === before.input && line > before.line)
    if (!isAhead) return
    known.set(statement, { input, line, createdEnds: createdEnds + (before?.createdEnds ?? 0) })
  }

  /** By statement. */
  of(run: string): ReadonlyMap<number, StatementPosition> {
    return this.#runs.get(run) ?? new Map()
  }

  get runs(): readonly string[] {
    return [...this.#runs.keys()]
  }

  /** The run has ended. Records of the log may name it at the next start again. */
  forget(run: string): void {
    this.#runs.delete(run)
  }

  clear(): void {
    this.#runs.clear()
  }

  /** @returns null when there are none */
  stored(): StoredPositions | null {
    if (this.#runs.size === 0) return null
    return Object.fromEntries(
      [...this.#runs].map(([run, statements]) => [
        run,
        [...statements].map(
          ([statement, { input, line, createdEnds }]) =>
            [statement, input, line, createdEnds] as const,
        ),
      ]),
    )
  }

  restore(stored: StoredPositions | undefined): void {
    for (const [run, statements] of Object.entries(stored ?? {})) {
      for (const [statement, input, line, createdEnds = 0] of statements) {
        this.note({ run, statement, input, line }, createdEnds)
      }
    }
  }
}
