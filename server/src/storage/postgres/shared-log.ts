/**
 * An instance in the log that it shares: it follows what others write, takes over when nobody writes,
 * and stops when its own append is refused. The rules R1 to R5 are those of docs/decisions/0123.
 *
 * As a follower it reads behind the last group that it knows, writes its own row in the same
 * statement, and only then applies what it has read: by then it cannot be lost any more.
 */
import { assert } from '#kernel/assert.ts'
import type { Clock } from '#kernel/clock.ts'
import { DbError, isDbError } from '#kernel/errors.ts'
import { CommitQueue, type QueuedEntry } from '../commit-queue.ts'
import { type FrameKind, type LogFrame, sealFrames } from '../frame/frame.ts'
import { Gathering } from '../gathering.ts'
import { notWriter } from '../not-writer.ts'
import type { FollowedEntry, InstanceState, LogFollower, Role, SharedLog } from '../shared-store.ts'
import type { LogEntry } from '../store.ts'
import { Waiters } from '../waiters.ts'
import { Beats } from './beats.ts'
import { Chain } from './chain.ts'
import type { Instances } from './instances.ts'
import type { Link, StoreTimers } from './link.ts'
import { GroupMemory, type LogEnd, readGroups, type StoredGroup } from './log-rows.ts'
import { appendGroup, readAnchor, readHead, type TiedStatement } from './log-table.ts'
import { Looks, readTail } from './log-tail.ts'
import { ConnectionLostError, isPassing, type Session } from './session.ts'
import { encodeNote, entryOf, type WriterName } from './store-frames.ts'

export interface SharedLogOptions {
  readonly control: Link
  readonly appends: Link
  readonly instances: Instances
  readonly clock: Clock
  readonly timers: StoreTimers
  readonly takeoverAfterMs: number
  /** The end of the log before any document was read. */
  readonly openEnd: number
  /** What the current checkpoint contains. */
  readonly folded: () => Promise<number>
  /** Resolves in a while, or when a group may be behind the one. */
  readonly watch: (first: number) => Promise<boolean>
  /** Before this instance writes in its new epoch. */
  readonly onTakeover: () => Promise<void>
}

const BEAT_MS = 1_000
const WRITER_LOOK_MS = 250
/** Of a follower for which another thread looks: it sees whether the writer is gone. */
const QUIET_LOOK_MS = 200
/** After an epoch that was refused, or a resignation: the others look every 20 ms. */
const AFTER_REFUSAL_MS = 1_000

/** `more`: there is more to do at once. `some`: entries were applied, and no others were there. */
type RoundOutcome = 'idle' | 'some' | 'more' | 'failed'

export class PostgresLog implements SharedLog {
  readonly counts = { takeovers: 0, outcomesResolved: 0 }
  readonly queue: CommitQueue<TiedStatement>
  /** Commits of this instance. */
  commitCount = 0
  readonly #options: SharedLogOptions
  readonly #beats: Beats
  readonly #looks = new Looks()
  readonly #memory = new GroupMemory()
  #chain: Chain | null = null
  #role: Role = 'follower'
  #follower: LogFollower | null = null
  /** The role that the follower was told of last. */
  #toldRole: Role = 'follower'
  /** Changes of documents that were in the log before the follower was there. */
  #missed: FollowedEntry[] = []
  #inFlight: LogEnd | null = null
  #lastCommit = 0
  #lastApplied = 0
  #isVouched = false
  #isResigning = false
  #mayTakeOverFromMs = 0
  #isOver = false
  /** Why it ended before anybody followed. */
  #earlyEnd: string | null = null
  #isLoopOver = true
  #stopBeats: (() => void) | null = null
  #wakeLoop: () => void = () => undefined
  #isWatched = false
  readonly #waiters: Waiters
  /** Requests that wait for a position. */
  #awaitedCount = 0

  constructor(options: SharedLogOptions) {
    this.#options = options
    const { control, instances, clock, timers } = options
    this.#waiters = new Waiters((ms, call) => timers.after(ms, call))
    this.queue = new CommitQueue({
      lastSequence: 0,
      clock,
      write: (bytes, entries) => this.#write(bytes, entries),
      gathering: new Gathering(clock, (ms, call) => timers.after(ms, call)),
      onFailure: (error) => {
        if (isDbError(error, 'NOT_WRITER')) this.#deposed()
        return error
      },
    })
    this.#beats = new Beats({
      control,
      instances,
      clock,
      position: () => this.position,
      digest: () => this.#follower?.digest() ?? null,
      onBeat: () => this.#afterBeat(),
      onReplaced: () => this.#startAgain('another process has taken the name of this instance'),
      onFailure: (error) => this.#startAgain(error.message),
    })
  }

  get role(): Role {
    return this.#role
  }

  get epoch(): number {
    return this.#chain?.epoch ?? 0
  }

  get position(): number {
    return this.#lastApplied < this.#lastCommit ? this.#lastApplied : this.end
  }

  get end(): number {
    return this.#chain?.end.sequence ?? 0
  }

  /** Null: the log has not been read yet. */
  get knownChain(): Chain | null {
    return this.#chain
  }

  get chain(): Chain {
    assert(this.#chain !== null, 'the log is read before it is used')
    return this.#chain
  }

  get self(): InstanceState {
    return this.#options.instances.self(this.#own())
  }

  get instances(): readonly InstanceState[] {
    return this.#options.instances.all(this.#own())
  }

  get writer(): InstanceState | null {
    const found = this.instances.find(({ isWriter }) => isWriter) ?? null
    if (found === null || found.isSelf) return found
    const { silentMs } = found
    return silentMs !== null && silentMs < this.#options.takeoverAfterMs ? found : null
  }

  get isConnected(): boolean {
    return this.#options.control.isConnected
  }

  get durableCopies(): number | null {
    return this.#beats.durableCopies
  }

  stalenessMs(): number {
    return this.#beats.stalenessMs()
  }

  async reached(sequence: number, msMax: number): Promise<number> {
    this.#wakeLoop()
    this.#awaitedCount++
    const isReached = await this.#waiters.until(() => this.position >= sequence, msMax)
    this.#awaitedCount--
    if (isReached) return this.position
    throw behind(`This server has not yet applied entry ${sequence}.`)
  }

  async latest(msMax: number): Promise<number> {
    let end: number | null = null
    this.#beats.now().then(
      (logEnd) => {
        end = logEnd
        this.#waiters.look()
      },
      () => undefined,
    )
    if (await this.#waiters.until(() => end !== null, msMax)) return end!
    throw behind('The shared store does not answer.')
  }

  async writerKnown(msMax: number): Promise<InstanceState> {
    if (await this.#waiters.until(() => this.writer !== null, msMax)) return this.writer!
    throw new DbError('NO_WRITER', 'No server writes to the shared store at present.')
  }

  applied(sequence: number): void {
    if (sequence > this.#lastApplied) this.#lastApplied = sequence
    this.#waiters.look()
  }

  /** As the writer. @param tied what else belongs to its transaction */
  append(
    payload: Uint8Array,
    kind: FrameKind = 'commit',
    tied: TiedStatement | null = null,
  ): Promise<number> {
    if (this.#isOver) return Promise.reject(new DbError('UNAVAILABLE', 'the store is closed'))
    if (this.#role !== 'writer' || this.#isResigning) return Promise.reject(notWriter())
    return this.queue.append(payload, kind, tied)
  }

  /**
   * Up to the end at first; once this instance follows, up to the entries that were handed on.
   * @throws DbError CORRUPT_LOG; UNSUPPORTED_FORMAT; BEHIND when the part that is read is deleted meanwhile
   */
  async *readLog(afterSequence: number): AsyncIterable<LogEntry> {
    const { control, openEnd } = this.#options
    const anchor = await control.repeat((session) => readAnchor(session, afterSequence))
    if (anchor === null) throw truncated()
    const isFirst = this.#follower === null
    const chain = new Chain(anchor, afterSequence, this.#options.instances.readableFormat)
    const limit = isFirst ? Number.POSITIVE_INFINITY : this.end
    const missed: FollowedEntry[] = []
    for await (const group of groupsBehind(control, anchor)) {
      if (group.end.first > limit) break
      const frames = chain.take(group)
      missed.push(...frames.filter(isAfter('document', openEnd)).map(entryOf))
      yield* frames.filter(isAfter('commit', afterSequence))
    }
    if (isFirst) this.#begin(chain, missed)
  }

  #begin(chain: Chain, missed: FollowedEntry[]): void {
    this.#chain = chain
    this.#missed = missed
    this.#lastCommit = chain.end.sequence
    this.#lastApplied = chain.end.sequence
  }

  /** From the start on: a process that reads the store for minutes lives, too. */
  beginBeats(): void {
    this.#stopBeats = this.#options.timers.every(BEAT_MS, () => this.#beats.tick())
  }

  async follow(follower: LogFollower): Promise<void> {
    assert(this.#follower === null, 'one follower takes what is in the log')
    if (this.#chain === null) {
      for await (const _ of this.readLog(await this.#options.folded()));
    }
    this.#follower = follower
    if (this.#earlyEnd !== null) {
      follower.mustStartAgain(this.#earlyEnd)
      throw new DbError('UNAVAILABLE', this.#earlyEnd)
    }
    const missed = this.#missed.splice(0)
    if (missed.length > 0) await follower.apply(missed)
    const ready = Promise.withResolvers<void>()
    void this.#run(follower, ready.resolve)
    await ready.promise
  }

  async resign(): Promise<void> {
    if (this.#role !== 'writer' || this.#isResigning) throw notWriter()
    this.#isResigning = true
    this.#wakeLoop()
    await this.#waiters.until(() => !this.#isResigning || this.#isOver, null)
  }

  /** Ends as the writer, if it is, and stops to follow. @returns once nothing of it is under way */
  async leave(msMax: number): Promise<void> {
    if (this.#role === 'writer') {
      this.#isResigning = true
      this.#wakeLoop()
      await this.#waiters.until(() => !this.#isResigning || this.#isOver, msMax)
    }
    this.stop()
    await this.#waiters.until(() => this.#isLoopOver, msMax)
  }

  stop(): void {
    this.#isOver = true
    this.#stopBeats?.()
    this.queue.rejectAll(new DbError('UNAVAILABLE', 'the store is closed'))
    this.#wakeLoop()
    this.#waiters.look()
  }

  async #run(follower: LogFollower, onReady: () => void): Promise<void> {
    this.#isLoopOver = false
    let isFirst = true
    while (!this.#isOver) {
      const outcome = await this.#tryRound(follower)
      if (outcome === 'idle' && isFirst) {
        isFirst = false
        onReady()
      }
      this.#waiters.look()
      if (outcome !== 'more' && !this.#isOver) await this.#pause(outcome)
    }
    this.#isLoopOver = true
    onReady()
    this.#waiters.look()
  }

  async #tryRound(follower: LogFollower): Promise<RoundOutcome> {
    try {
      return await this.#round(follower)
    } catch (error) {
      if (!isPassing(error))
        this.#startAgain(error instanceof Error ? error.message : String(error))
      return 'failed'
    }
  }

  async #round(follower: LogFollower): Promise<RoundOutcome> {
    if (this.#toldRole !== this.#role) {
      this.#toldRole = this.#role
      await follower.roleChanged(this.#role)
      return 'more'
    }
    if (this.#isResigning) {
      await this.#resignNow(follower)
      return 'idle'
    }
    if (this.#role === 'writer') {
      await this.#lookAsWriter()
      return 'idle'
    }
    const outcome = await this.#read(follower)
    if (outcome !== 'idle' || !this.#mayTakeOver()) return outcome
    return (await this.#takeOver()) ? 'more' : 'idle'
  }

  async #read(follower: LogFollower): Promise<RoundOutcome> {
    const { control, instances, clock } = this.#options
    const chain = this.chain
    // What was read before is applied.
    this.#memory.reuse()
    const tail = await control.use((session) =>
      readTail(session, chain.end, {
        instances,
        applied: this.position,
        mustWrite: !this.#isVouched,
        expectsMany: this.#looks.expectsMany(clock.monotonicMs()),
        memory: this.#memory,
      }),
    )
    if (tail === null) {
      this.#startAgain(
        `the log of the shared store does not hold entry ${chain.end.sequence} as this server has applied it: the store went back, or this server was away for too long`,
      )
      return 'idle'
    }
    this.#isVouched = true
    const { groups, isCut } = tail
    if (groups.length === 0) return 'idle'
    this.#looks.found(groups, clock.monotonicMs())
    const entries = groups.flatMap((group) => chain.take(group)).map(entryOf)
    this.#lastCommit = chain.end.sequence
    await follower.apply(entries)
    this.#lastApplied = this.#lastCommit
    this.#beats.reached(this.position)
    return isCut ? 'more' : 'some'
  }

  #mayTakeOver(): boolean {
    const { instances, clock, takeoverAfterMs } = this.#options
    if (this.#isOver || clock.monotonicMs() < this.#mayTakeOverFromMs) return false
    const { writer } = this.chain
    return writer === null || instances.isGone(writer, takeoverAfterMs)
  }

  /** @returns whether this instance is the writer now */
  async #takeOver(): Promise<boolean> {
    const { instances, clock, takeoverAfterMs, onTakeover } = this.#options
    // The rows may be those of a second ago, or none yet.
    await this.#beats.now()
    if (!this.#mayTakeOver()) return false
    const { name, run, version } = instances
    const format = instances.formatOfLiving(takeoverAfterMs)
    const writer = { epoch: this.epoch + 1, name, run, format, version }
    this.queue.continueBehind(this.end)
    try {
      await this.queue.append(encodeNote(writer), 'epoch')
    } catch (error) {
      this.#mayTakeOverFromMs = clock.monotonicMs() + AFTER_REFUSAL_MS
      if (isDbError(error, 'NOT_WRITER')) return false
      throw new ConnectionLostError('the epoch could not be written', { cause: error })
    }
    this.chain.begin(writer)
    this.#lastCommit = this.#lastApplied = this.end
    await onTakeover()
    this.#role = 'writer'
    this.counts.takeovers++
    return true
  }

  /**
   * Whether another instance has written behind what this one knows, or the store went back: an old
   * primary lacks the newest groups, too, but confirms nothing.
   */
  async #lookAsWriter(): Promise<void> {
    const { control, instances } = this.#options
    const { end } = this.chain
    const isBehind = () => this.#inFlight !== null || this.chain.end.first !== end.first
    const isOver = await control.use(async (session) => {
      const next = await readHead(session, end.sequence + 1)
      if (next !== null || isBehind()) return true
      const own = await readHead(session, end.first)
      if (own?.crc === end.crc || isBehind()) return false
      return instances.confirm(session, this.position)
    })
    if (isOver && !isBehind()) this.#deposed()
  }

  async #resignNow(follower: LogFollower): Promise<void> {
    const { clock, takeoverAfterMs } = this.#options
    try {
      if (this.#role !== 'writer') return
      await this.queue.drained()
      const { writer } = this.chain
      if (writer !== null && this.#isWriter()) {
        await this.queue.append(encodeNote(writer), 'resignation')
        this.chain.resign()
      }
      this.#role = 'follower'
      this.#toldRole = 'follower'
      // Who resigned is not the next one while there is another, known or just started.
      const hasOthers = this.instances.some((one) => !one.isSelf && isAlive(one, takeoverAfterMs))
      const waitMs = hasOthers ? takeoverAfterMs : Math.min(AFTER_REFUSAL_MS, takeoverAfterMs)
      this.#mayTakeOverFromMs = clock.monotonicMs() + waitMs
      await follower.roleChanged('follower')
    } catch (error) {
      if (!isDbError(error, 'NOT_WRITER')) throw error
    } finally {
      this.#isResigning = false
      this.#waiters.look()
    }
  }

  #isWriter(): boolean {
    return this.#role === 'writer'
  }

  async #write(bytes: Uint8Array, entries: readonly QueuedEntry<TiedStatement>[]): Promise<void> {
    const { appends, instances } = this.#options
    const before = this.chain.end
    const end = { first: before.sequence + 1, ...sealFrames(bytes, before) }
    const tied = entries.flatMap(({ side }) => (side === null ? [] : [side]))
    this.#inFlight = end
    try {
      const outcome = await appendGroup(
        { before, end, bytes, tied },
        {
          link: appends,
          confirm: (session: Session) => instances.confirm(session, this.position),
          onResolved: () => this.counts.outcomesResolved++,
        },
      )
      if (outcome === 'refused') throw notWriter()
    } catch (error) {
      throw error instanceof ConnectionLostError ? outcomeUnknown(error) : error
    } finally {
      this.#inFlight = null
    }
    let commitCount = 0
    for (let index = 0; index < entries.length; index++) {
      if (entries[index]!.kind !== 'commit') continue
      commitCount++
      this.#lastCommit = end.first + index
    }
    this.commitCount += commitCount
    this.chain.advance(end, bytes.length, commitCount)
    if (!this.#waiters.isEmpty) queueMicrotask(() => this.#waiters.look())
  }

  #deposed(): void {
    if (this.#role !== 'writer') return
    this.#role = 'follower'
    this.#isVouched = false
    this.queue.rejectAll(notWriter())
    this.#wakeLoop()
  }

  #afterBeat(): void {
    const follower = this.#follower
    if (follower !== null) {
      for (const { digest, name, isSelf } of this.instances) {
        if (!isSelf && digest !== null) follower.compare(digest, name)
      }
    }
    this.#waiters.look()
  }

  #startAgain(reason: string): void {
    if (this.#isOver) return
    this.stop()
    if (this.#follower === null) this.#earlyEnd = reason
    else this.#follower.mustStartAgain(reason)
  }

  #own(): { readonly applied: number; readonly writer: WriterName | null } {
    return { applied: this.position, writer: this.#chain?.writer ?? null }
  }

  #pause(outcome: RoundOutcome): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.#options.timers.after(this.#pauseMs(outcome), resolve)
      this.#wakeLoop = () => {
        cancel()
        resolve()
      }
    })
  }

  #pauseMs(outcome: RoundOutcome): number {
    if (this.#role === 'writer') return WRITER_LOOK_MS
    const isAwaited = this.#awaitedCount > 0 && outcome !== 'failed'
    const nowMs = this.#options.clock.monotonicMs()
    if (outcome !== 'idle' || isAwaited || !this.#looks.isQuiet(nowMs)) {
      return this.#looks.pauseMs(nowMs, isAwaited)
    }
    void this.#watch()
    return QUIET_LOOK_MS
  }

  /** Another thread looks, and this one does when something is there. */
  async #watch(): Promise<void> {
    if (this.#isWatched) return
    this.#isWatched = true
    try {
      while (this.#isQuietFollower) {
        if (!(await this.#options.watch(this.chain.end.first))) continue
        this.#wakeLoop()
        return
      }
    } catch {
      // A thread that cannot look leaves it to this one.
    } finally {
      this.#isWatched = false
    }
  }

  get #isQuietFollower(): boolean {
    const isQuiet = this.#looks.isQuiet(this.#options.clock.monotonicMs())
    return isQuiet && !this.#isOver && this.#role === 'follower'
  }
}

/** The next ones are read while these are replayed. @throws DbError BEHIND */
async function* groupsBehind(control: Link, anchor: LogEnd): AsyncIterable<StoredGroup> {
  const read = (known: LogEnd) => control.repeat((session) => readGroups(session, known))
  let next = read(anchor)
  for (;;) {
    const groups = await next
    if (groups === null) throw truncated()
    const last = groups.at(-1)
    if (last === undefined) return
    next = read(last.end)
    next.catch(() => undefined)
    yield* groups
  }
}

function isAfter(kind: FrameKind, sequence: number): (frame: LogFrame) => boolean {
  return (frame) => frame.kind === kind && frame.sequence > sequence
}

function isAlive({ silentMs }: InstanceState, silentMsMax: number): boolean {
  return silentMs !== null && silentMs < silentMsMax
}

function behind(message: string): DbError {
  return new DbError('BEHIND', message, { details: { retryAfterSeconds: 1 } })
}

/** The store was closed before it answered. */
function outcomeUnknown(cause: Error): DbError {
  const message =
    'This server ends, and the shared store has not answered: it is not known whether the write counts.'
  return new DbError('OUTCOME_UNKNOWN', message, { cause })
}

function truncated(): DbError {
  return behind('The log was shortened by another server while it was read.')
}
