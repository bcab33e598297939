/** The servers that share this store, as one of them sees them. */
import { DbError } from '#kernel/errors.ts'
import type { InstanceState, SharedLog } from '#storage/shared-store.ts'
import { logEndOf } from './sharing.ts'

export interface InstancesOptions {
  /** Null: the store is of this server alone. */
  readonly log: SharedLog | null
  /** Reads older than this are refused; null: never. */
  readonly maxStalenessMs: number | null
  /** Of the last change that was applied, where the server is alone. */
  sequence(): number
}

export class Instances {
  readonly #options: InstancesOptions

  constructor(options: InstancesOptions) {
    this.#options = options
  }

  report() {
    const { log, maxStalenessMs } = this.#options
    if (log === null) return { ...alone, position: this.#options.sequence() }
    const logEnd = logEndOf(log)
    return {
      role: log.role,
      self: log.self.name,
      writer: log.writer?.name ?? null,
      epoch: log.epoch,
      position: log.position,
      stalenessMs: Math.round(log.stalenessMs()),
      maxStalenessMs,
      connected: log.isConnected,
      durableCopies: log.durableCopies,
      instances: log.instances
        .toSorted((one, other) => one.ordinal - other.ordinal)
        .map((state) => entryOf(state, logEnd)),
    }
  }

  /** @throws DbError INVALID_PARAMETER on a server that is alone */
  async handOver(): Promise<string> {
    const { log } = this.#options
    if (log === null) {
      throw new DbError('INVALID_PARAMETER', 'This server shares its store with no other.')
    }
    await log.resign()
    return `${log.self.name} has resigned: another instance takes over.`
  }
}

const alone = {
  role: 'alone' as const,
  self: null,
  writer: null,
  epoch: 0,
  stalenessMs: 0,
  maxStalenessMs: null,
  connected: true,
  durableCopies: 1,
  instances: [],
}

function entryOf(state: InstanceState, logEnd: number) {
  return {
    name: state.name,
    ordinal: state.ordinal,
    role: state.isWriter ? ('writer' as const) : ('follower' as const),
    self: state.isSelf,
    url: state.url,
    version: state.version,
    position: state.applied,
    // Its beat may be older than what it wrote since.
    lag: state.isWriter ? 0 : Math.max(0, logEnd - state.applied),
    memoryLimitBytes: state.memoryLimitBytes,
    silentMs: state.silentMs,
  }
}
