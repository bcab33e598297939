/**
 * The rows by which instances know each other. They say who lives, not who writes: that is in the log.
 * Each instance counts up its own row, and watches by its own clock whether those of the others move.
 */
import type { Clock } from '#kernel/clock.ts'
import type { InstanceState, StateDigest } from '../shared-store.ts'
import type { Row, Session } from './session.ts'
import { READABLE_FORMAT, type WriterName } from './store-frames.ts'

export interface InstanceOptions {
  readonly name: string
  /** Where the other instances reach it. */
  readonly url: string
  readonly version: string
  readonly memoryLimitBytes: number
  /** Absent: what this version can read. Tests stand for other versions. */
  readonly readableFormat?: number
}

export function readableFormatOf({ readableFormat }: InstanceOptions): number {
  return readableFormat ?? READABLE_FORMAT
}

export interface Beat {
  /** The end of the log as of its beginning. */
  readonly logEnd: number
  readonly isConfirmed: boolean
  /** False: another process has taken the name, or the row is gone. */
  readonly isOwn: boolean
}

interface Seen {
  readonly row: Row
  readonly movedMs: number | null
}

export class Instances {
  readonly #options: InstanceOptions
  readonly #run: string
  readonly #clock: Clock
  readonly #ordinal: number
  #seen: ReadonlyMap<string, Seen> = new Map()

  /** @param entered with `register` */
  constructor(
    options: InstanceOptions,
    entered: { readonly run: string; readonly ordinal: number },
    clock: Clock,
  ) {
    this.#options = options
    this.#run = entered.run
    this.#ordinal = entered.ordinal
    this.#clock = clock
  }

  get run(): string {
    return this.#run
  }

  get readableFormat(): number {
    return readableFormatOf(this.#options)
  }

  get version(): string {
    return this.#options.version
  }

  get ordinal(): number {
    return this.#ordinal
  }

  get name(): string {
    return this.#options.name
  }

  /** The smallest among those that live, this one included. */
  formatOfLiving(silentMsMax: number): number {
    const others = this.all({ applied: 0, writer: null })
    return others
      .filter(({ silentMs, isSelf }) => !isSelf && silentMs !== null && silentMs < silentMsMax)
      .reduce((format, other) => Math.min(format, other.format), this.readableFormat)
  }

  /** Counts up the own row and reads all. */
  async beat(session: Session, applied: number, digest: StateDigest | null): Promise<Beat> {
    const answer = await session.query(
      {
        name: 'beat',
        text: `WITH b AS (UPDATE instances SET beat = beat + 1, applied = $2, digest_sequence = $4, digest = $5
            WHERE name = $1 AND run = $3 RETURNING 1)
          SELECT i.*, (SELECT count(*) FROM b) AS beaten,
            (SELECT last_sequence FROM log ORDER BY first_sequence DESC LIMIT 1) AS log_end
          FROM instances i`,
      },
      [this.name, applied, this.#run, digest?.sequence ?? null, digest?.checksum ?? null],
    )
    const [first] = answer.rows
    if (first === undefined) return { logEnd: 0, isConfirmed: false, isOwn: false }
    this.#see(answer.rows)
    return {
      logEnd: Number(first['log_end']),
      isConfirmed: answer.isConfirmed,
      isOwn: Number(first['beaten']) === 1,
    }
  }

  /** A small write on the connection of what was read before. @returns whether that is safe now */
  async confirm(session: Session, applied: number): Promise<boolean> {
    const answer = await session.query(
      { name: 'confirm', text: 'UPDATE instances SET applied = $2 WHERE name = $1 AND run = $3' },
      [this.name, applied, this.#run],
    )
    return answer.count === 1 && answer.isConfirmed
  }

  async remove(session: Session): Promise<void> {
    await session.query({ text: 'DELETE FROM instances WHERE name = $1 AND run = $2' }, [
      this.name,
      this.#run,
    ])
  }

  all(own: { readonly applied: number; readonly writer: WriterName | null }): InstanceState[] {
    const others = [...this.#seen.values()]
      .filter(({ row }) => row['name'] !== this.name)
      .map((seen) => this.#stateOf(seen, own.writer))
    return [this.self(own), ...others].toSorted((a, b) => a.ordinal - b.ordinal)
  }

  self(own: { readonly applied: number; readonly writer: WriterName | null }): InstanceState {
    const { name, url, version, memoryLimitBytes } = this.#options
    return {
      name,
      ordinal: this.#ordinal,
      run: this.#run,
      url,
      version,
      format: this.readableFormat,
      memoryLimitBytes,
      applied: own.applied,
      digest: null,
      silentMs: 0,
      isSelf: true,
      isWriter: own.writer?.name === name && own.writer.run === this.#run,
    }
  }

  /**
   * Whether that process is gone for all that is known here: its row has another run, or none, or has
   * not moved for so long.
   */
  isGone(writer: WriterName, silentMsMax: number): boolean {
    const seen = this.#seen.get(writer.name)
    if (seen === undefined || seen.row['run'] !== writer.run) return true
    return seen.movedMs !== null && this.#clock.monotonicMs() - seen.movedMs >= silentMsMax
  }

  #see(rows: readonly Row[]): void {
    const nowMs = this.#clock.monotonicMs()
    this.#seen = new Map(
      rows.map((row) => {
        const name = String(row['name'])
        const before = this.#seen.get(name)
        const isStill =
          before !== undefined &&
          before.row['beat'] === row['beat'] &&
          before.row['run'] === row['run']
        // The first sight counts as a movement: silence is measured here from then on.
        return [name, { row, movedMs: isStill ? before.movedMs : nowMs }]
      }),
    )
  }

  #stateOf({ row, movedMs }: Seen, writer: WriterName | null): InstanceState {
    const name = String(row['name'])
    const run = String(row['run'])
    const digestSequence = row['digest_sequence']
    return {
      name,
      ordinal: Number(row['ordinal']),
      run,
      url: String(row['url']),
      version: String(row['version']),
      format: Number(row['format']),
      memoryLimitBytes: Number(row['memory']),
      applied: Number(row['applied']),
      digest:
        digestSequence === null
          ? null
          : { sequence: Number(digestSequence), checksum: Number(row['digest']) },
      silentMs: movedMs === null ? null : this.#clock.monotonicMs() - movedMs,
      isSelf: false,
      isWriter: writer?.name === name && writer.run === run,
    }
  }
}
