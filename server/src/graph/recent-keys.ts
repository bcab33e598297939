/**
 * What became of the last commits whose requests had a key. A request that is repeated, because its
 * answer was lost, is answered with the outcome of the first one; nothing is written twice. The key is
 * in the log record, so outcomes are there again after a restart and on every server that follows.
 */
import { createHash } from 'node:crypto'
import { DbError } from '#kernel/errors.ts'
import { RECENT_KEY_NAMES_MAX, RECENT_KEYS_MAX } from '#kernel/limits.ts'
import { KEY_SIZE_BYTES } from './mutate/frame-format.ts'
import { type MutationOutcome, OutcomeBuilder } from './mutate/outcome.ts'

/** Lines of the stored form that are made at once. */
const LINES_PER_PIECE = 2_000

/** @param part of a request that takes several commits: its number */
export function commitKey(user: string, key: string, part = 0): string {
  const hash = createHash('sha256').update(JSON.stringify([user, key, part]))
  return hash.digest('hex').slice(0, 2 * KEY_SIZE_BYTES)
}

export class RecentKeys {
  /** In the order of the log. */
  readonly #outcomes = new Map<string, MutationOutcome>()
  readonly #countMax: number
  readonly #nameCountMax: number
  #nameCount = 0

  constructor(countMax = RECENT_KEYS_MAX, nameCountMax = RECENT_KEY_NAMES_MAX) {
    this.#countMax = countMax
    this.#nameCountMax = nameCountMax
  }

  get count(): number {
    return this.#outcomes.size
  }

  get(key: string): MutationOutcome | undefined {
    return this.#outcomes.get(key)
  }

  /**
   * A checkpoint may be ahead of the batches that are applied behind it: those are known then. A batch
   * that was in conflict wrote nothing, and its query is run again under the same key.
   */
  note(key: string, outcome: MutationOutcome): void {
    if (outcome.isInConflict || this.#outcomes.has(key)) return
    this.#outcomes.set(key, outcome)
    this.#nameCount += nameCount(outcome)
    for (const [oldest, known] of this.#outcomes) {
      if (this.count <= this.#countMax && this.#nameCount <= this.#nameCountMax) break
      this.#outcomes.delete(oldest)
      this.#nameCount -= nameCount(known)
    }
  }

  clear(): void {
    this.#outcomes.clear()
    this.#nameCount = 0
  }

  /** A line of JSON for each: the key, and of its outcome what is not as usual. */
  *stored(): Generator<Uint8Array> {
    let lines: string[] = []
    for (const [key, outcome] of this.#outcomes) {
      lines.push(`${JSON.stringify([key, unusualParts(outcome)])}\n`)
      if (lines.length < LINES_PER_PIECE) continue
      yield Buffer.from(lines.join(''))
      lines = []
    }
    if (lines.length > 0) yield Buffer.from(lines.join(''))
  }

  /** @throws DbError CORRUPT_SEGMENT */
  restore(bytes: Uint8Array): void {
    for (const line of Buffer.from(bytes).toString().split('\n')) {
      if (line === '') continue
      try {
        const [key, parts] = JSON.parse(line) as [string, Partial<MutationOutcome>]
        this.note(key, { ...usual, ...parts })
      } catch (cause) {
        throw new DbError('CORRUPT_SEGMENT', 'segments: the outcomes by key are no JSON', { cause })
      }
    }
  }
}

/** Commits with a key, each made once. */
export class KeyedCommits {
  readonly #keys: RecentKeys
  /** Not applied yet. */
  readonly #underWay = new Map<string, Promise<MutationOutcome>>()

  constructor(keys: RecentKeys) {
    this.#keys = keys
  }

  /**
   * A key that is known is answered with its outcome, one under way with what becomes of it.
   * @param order tells of the promise of a commit that is on its way, which may settle later than its own
   */
  async once(
    key: string,
    order: (ordered: (applied: Promise<MutationOutcome>) => void) => Promise<MutationOutcome>,
  ): Promise<MutationOutcome> {
    const known = this.#keys.get(key) ?? this.#underWay.get(key)
    if (known !== undefined) return known
    const applied = Promise.withResolvers<MutationOutcome>()
    this.#underWay.set(key, applied.promise)
    const ended = () => void this.#underWay.delete(key)
    applied.promise.then(ended, ended)
    try {
      return await order(applied.resolve)
    } catch (error) {
      applied.reject(error)
      throw error
    }
  }
}

const usual: MutationOutcome = new OutcomeBuilder().finish(0)

function unusualParts(outcome: MutationOutcome): Partial<MutationOutcome> {
  const parts = Object.entries(outcome).filter(([name, value]) =>
    Array.isArray(value) ? value.length > 0 : value !== usual[name as keyof MutationOutcome],
  )
  return Object.fromEntries(parts)
}

function nameCount(outcome: MutationOutcome): number {
  const { skippedVertices, retiredVertices, missingEndpoints } = outcome
  return skippedVertices.length + retiredVertices.length + missingEndpoints.length
}
