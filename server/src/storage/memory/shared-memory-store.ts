/**
 * One of several stores over an image in memory: the roles, positions and answers of a shared store
 * without a network, for tests of the layers above. The controls stand for what happens to processes
 * and connections: `pause`, `loseAnswers`, `goOn`, `takeOver`, `kill`.
 *
 * Nothing here depends on time but the limits of waiting: followers are told of each entry.
 */
import { DbError } from '#kernel/errors.ts'
import { isOwnCollection } from '../documents.ts'
import { notWriter } from '../not-writer.ts'
import { checkDocument, checkPayload } from '../rules.ts'
import type {
  InstanceState,
  LogFollower,
  Role,
  SharedLog,
  SharedLogCounts,
  SharedStore,
} from '../shared-store.ts'
import type {
  LogEntry,
  SegmentManifest,
  SegmentWriter,
  StoreState,
  StoreStatistics,
} from '../store.ts'
import { Waiters } from '../waiters.ts'
import { MemoryStore } from './memory-store.ts'
import { isSame, type Member, type SharedEntry, type SharedImage } from './shared-image.ts'

export interface SharedMemoryOptions {
  readonly name: string
  readonly url?: string
  readonly memoryLimitBytes?: number
  /** Whether it becomes the writer by itself when there is none; else only by `takeOver`. */
  readonly takesOver?: boolean
}

type Passage = 'open' | 'paused' | 'answers lost'

/** A write whose answer has not come yet. */
interface Held {
  /** Null: carried out, and the answer is on its way. */
  carryOut: (() => number) | null
  sequence: number
  readonly resolve: (sequence: number) => void
  readonly reject: (error: unknown) => void
}

const MEMORY_LIMIT_BYTES = 1e9

export class SharedMemoryStore implements SharedStore, SharedLog {
  readonly takesOver: boolean
  readonly counts: SharedLogCounts & { takeovers: number; outcomesResolved: number } = {
    takeovers: 0,
    outcomesResolved: 0,
  }
  readonly #image: SharedImage
  readonly #inner: MemoryStore
  readonly #member: Member
  role: Role = 'follower'
  epoch = 0
  #follower: LogFollower | null = null
  #isTailing = false
  #isPromoted = false
  #isResigning = false
  #passage: Passage = 'open'
  #isClosed = false
  /** The last entry that was read, or as the writer appended. */
  #end = 0
  /** As the writer: commits that are durable and not yet applied. */
  #unapplied: number[] = []
  #held: Held[] = []
  readonly #waiters = new Waiters(after)
  #heardMs = performance.now()
  /** The one that was read. */
  #manifest: SegmentManifest | null = null
  #commitCount = 0

  constructor(image: SharedImage, options: SharedMemoryOptions) {
    this.#image = image
    this.#inner = new MemoryStore(image.memory)
    const { name, url = `http://${name}:14240`, memoryLimitBytes = MEMORY_LIMIT_BYTES } = options
    this.#member = image.join({ name, url, memoryLimitBytes })
    this.takesOver = options.takesOver ?? true
    this.#end = image.memory.droppedThrough
    image.listeners.add(this)
  }

  get isKilled(): boolean {
    return this.#isClosed
  }

  get name(): string {
    return this.#member.name
  }

  get run(): string {
    return this.#member.run
  }

  get shared(): SharedLog {
    return this
  }

  // The store.

  get state(): StoreState {
    return { kind: 'ready' }
  }

  async append(payload: Uint8Array): Promise<number> {
    checkPayload(payload)
    const commit: SharedEntry = { kind: 'commit', payload: new Uint8Array(payload) }
    return this.#write(() => this.#add(commit))
  }

  async *readLog(afterSequence: number): AsyncIterable<LogEntry> {
    this.#checkOpen()
    const { end } = this.#image
    for (const entry of this.#image.commitsAfter(afterSequence)) yield entry
    if (this.#follower === null) this.#end = end
  }

  async readManifest(): Promise<SegmentManifest | null> {
    this.#manifest = this.#image.memory.manifest
    return this.#manifest
  }

  async readBlob(key: string): Promise<Uint8Array<SharedArrayBuffer>> {
    if (this.#follower === null && this.#manifest !== this.#image.memory.manifest) {
      throw new DbError('BEHIND', 'Another instance has written a checkpoint meanwhile.')
    }
    return this.#inner.readBlob(key)
  }

  beginSegments(): SegmentWriter {
    this.#checkOpen()
    this.#checkWriter()
    const writer = this.#inner.beginSegments()
    return {
      writeBlob: (key, bytes) => writer.writeBlob(key, bytes),
      writePieces: (key, pieces) => writer.writePieces(key, pieces),
      keepBlob: (key) => writer.keepBlob(key),
      publish: async (description, foldedSequence) => {
        await this.#passed()
        this.#checkWriter()
        const manifest = await writer.publish(description, foldedSequence)
        this.#image.folded(manifest)
        this.#add({ kind: 'checkpoint', foldedSequence })
        return manifest
      },
      abandon: () => writer.abandon(),
    }
  }

  async putDocument(collection: string, key: string, bytes: Uint8Array): Promise<void> {
    checkDocument(bytes)
    await this.#change(collection, key, new Uint8Array(bytes))
  }

  getDocument(collection: string, key: string): Promise<Uint8Array | null> {
    return this.#inner.getDocument(collection, key)
  }

  listDocuments(collection: string): Promise<readonly { key: string; bytes: Uint8Array }[]> {
    return this.#inner.listDocuments(collection)
  }

  deleteDocument(collection: string, key: string): Promise<void> {
    return this.#change(collection, key, null)
  }

  statistics(): StoreStatistics {
    const commits = this.#image.commitsAfter(this.#image.memory.droppedThrough)
    return {
      ...this.#inner.statistics(),
      logEntryCount: commits.length,
      commitCount: this.#commitCount,
      commitGroupCount: this.#commitCount,
    }
  }

  async close(): Promise<void> {
    if (this.#isClosed) return
    if (this.role === 'writer' && this.#isWriter && this.#passage === 'open') this.#image.resign()
    this.#end = this.#image.end
    this.kill()
  }

  // The log.

  get position(): number {
    return this.#unapplied.length === 0 ? this.#end : this.#unapplied[0]! - 1
  }

  get end(): number {
    return this.#end
  }

  get self(): InstanceState {
    return this.#stateOf(this.#member)
  }

  get instances(): readonly InstanceState[] {
    return [...this.#image.members.values()].map((member) => this.#stateOf(member))
  }

  get writer(): InstanceState | null {
    return this.instances.find(({ isWriter }) => isWriter) ?? null
  }

  get isConnected(): boolean {
    return this.#passage === 'open'
  }

  readonly durableCopies = 1

  stalenessMs(): number {
    return this.#isCurrent ? 0 : performance.now() - this.#heardMs
  }

  async reached(sequence: number, msMax: number): Promise<number> {
    const isThere = await this.#waiters.until(() => this.position >= sequence, msMax)
    if (isThere) return this.position
    throw new DbError('BEHIND', `This server has not yet applied entry ${sequence}.`, {
      details: { retryAfterSeconds: 1 },
    })
  }

  async latest(msMax: number): Promise<number> {
    if (await this.#waiters.until(() => this.#passage === 'open', msMax)) return this.#image.end
    throw new DbError('BEHIND', 'The shared store does not answer.', {
      details: { retryAfterSeconds: 1 },
    })
  }

  async writerKnown(msMax: number): Promise<InstanceState> {
    if (await this.#waiters.until(() => this.writer !== null, msMax)) return this.writer!
    throw new DbError('NO_WRITER', 'No server writes to the shared store at present.')
  }

  applied(sequence: number): void {
    const count = this.#unapplied.findIndex((one) => one > sequence)
    this.#unapplied.splice(0, count < 0 ? this.#unapplied.length : count)
    this.#waiters.look()
  }

  async follow(follower: LogFollower): Promise<void> {
    this.#checkOpen()
    this.#follower = follower
    const { end } = this.#image
    this.imageChanged()
    const isSettled = () => this.#isPromoted || !(this.#isWriter || this.#mayTakeOver)
    await this.#waiters.until(() => this.#end >= end && isSettled(), null)
  }

  async resign(): Promise<void> {
    this.#checkWriter()
    this.#isResigning = true
    this.imageChanged()
    await this.#waiters.until(() => !this.#isResigning, null)
  }

  // The controls.

  /** Nothing of this instance reaches the others any more, and nothing of them reaches it. */
  pause(): void {
    this.#passage = 'paused'
    this.#heardMs = performance.now()
  }

  /** As `pause`, but what is written from now on is carried out: only its answer does not come. */
  loseAnswers(): void {
    this.pause()
    this.#passage = 'answers lost'
  }

  /** After a pause: what is held is answered by what is in the log now. */
  goOn(): void {
    this.#passage = 'open'
    for (const held of this.#held.splice(0)) {
      try {
        held.resolve(held.carryOut === null ? held.sequence : held.carryOut())
        this.counts.outcomesResolved += 1
      } catch (error) {
        held.reject(error)
      }
    }
    this.#waiters.look()
    this.imageChanged()
  }

  /** Becomes the writer, whoever is; resolves when it is. */
  async takeOver(): Promise<void> {
    this.#end = await this.#caughtUp()
    if (!this.#isWriter) this.#begin()
    await this.#waiters.until(() => this.#isPromoted, null)
  }

  /** Writes its row and reads those of the others; happens by itself whenever entries were applied. */
  beat(): void {
    const follower = this.#follower
    if (follower === null || this.#passage !== 'open') return
    this.#heardMs = performance.now()
    this.#member.applied = this.position
    this.#member.digest = follower.digest()
    for (const { name, digest } of this.#image.members.values()) {
      if (name !== this.name && digest !== null) follower.compare(digest, name)
    }
  }

  async abandon(): Promise<void> {
    this.kill()
  }

  /** Ends as a process does that is killed: nothing is answered any more. */
  kill(): void {
    this.#isClosed = true
    this.#held = []
    this.#image.listeners.delete(this)
    for (const listener of this.#image.listeners) listener.imageChanged()
  }

  /** Of the image: there is something new. */
  imageChanged(): void {
    this.#waiters.look()
    if (this.#isTailing || this.#follower === null) return
    this.#isTailing = true
    const follower = this.#follower
    queueMicrotask(() => {
      this.#tail(follower)
        .then(() => {
          this.#isTailing = false
          if (this.#hasNews) this.imageChanged()
        })
        // It reads no more: this instance is at its end.
        .catch((error: unknown) => follower.mustStartAgain(String(error)))
    })
  }

  get #isWriter(): boolean {
    return isSame(this, this.#image.writer)
  }

  get #mayTakeOver(): boolean {
    return this.takesOver && this.#image.isVacant
  }

  get #isCurrent(): boolean {
    return this.#passage === 'open' && this.position >= this.#image.end
  }

  /** Something for `#tail` to do. */
  get #hasNews(): boolean {
    if (this.#isClosed || this.#passage !== 'open') return false
    if (this.#isPromoted !== this.#isWriter || this.#isResigning) return true
    return !this.#isPromoted && (this.#end < this.#image.end || this.#mayTakeOver)
  }

  async #tail(follower: LogFollower): Promise<void> {
    while (this.#hasNews) {
      if (this.#isPromoted && !this.#isWriter) await this.#step(follower, 'follower')
      else if (this.#isResigning) await this.#resignNow(follower)
      else if (!this.#isPromoted && this.#end < this.#image.end) await this.#read(follower)
      else if (this.#isWriter) await this.#step(follower, 'writer')
      else this.#begin()
      this.beat()
      this.#waiters.look()
    }
  }

  async #read(follower: LogFollower): Promise<void> {
    const entries = this.#image.entriesAfter(this.#end)
    await follower.apply(entries)
    this.#end = entries.at(-1)!.sequence
    this.#waiters.look()
  }

  async #step(follower: LogFollower, role: Role): Promise<void> {
    this.role = role
    this.epoch = this.#image.epoch
    if (role === 'writer') this.counts.takeovers += 1
    await follower.roleChanged(role)
    if (role === 'follower') this.#unapplied = []
    this.#isPromoted = role === 'writer'
  }

  async #resignNow(follower: LogFollower): Promise<void> {
    this.role = 'follower'
    await follower.roleChanged('follower')
    this.#isPromoted = false
    this.#unapplied = []
    if (this.#isWriter) {
      this.#image.resign()
      this.#end = this.#image.end
    }
    const others = [...this.#image.listeners].filter((one) => one !== this && one.takesOver)
    // Who resigned is not the next one while there is another.
    if (others.length > 0) await this.#waiters.until(() => !this.#image.isVacant, null)
    this.#isResigning = false
  }

  #begin(): void {
    this.#image.beginEpoch({ name: this.name, run: this.run })
  }

  async #caughtUp(): Promise<number> {
    await this.#waiters.until(() => this.#isPromoted || this.#end >= this.#image.end, null)
    return this.#end
  }

  async #change(collection: string, key: string, bytes: Uint8Array | null): Promise<void> {
    const put = () =>
      bytes === null
        ? this.#inner.deleteDocument(collection, key)
        : this.#inner.putDocument(collection, key, bytes)
    // Those of one instance alone are not for the others.
    if (isOwnCollection(collection)) {
      this.#checkOpen()
      return put()
    }
    let done: Promise<void> | null = null
    await this.#write(() => {
      const sequence = this.#add({ kind: 'document', change: { collection, key, bytes } })
      done = put()
      return sequence
    })
    await done
  }

  async #write(carryOut: () => number): Promise<number> {
    this.#checkOpen()
    this.#checkWriter()
    if (this.#passage === 'open' && this.#held.length === 0) return carryOut()
    return new Promise((resolve, reject) => {
      const isLost = this.#passage === 'answers lost'
      const held: Held = { carryOut: isLost ? null : carryOut, sequence: 0, resolve, reject }
      if (isLost) held.sequence = carryOut()
      this.#held.push(held)
    })
  }

  /** @throws DbError NOT_WRITER: another one wrote behind what this one knows */
  #add(entry: SharedEntry): number {
    if (!this.#isWriter) {
      this.imageChanged()
      throw notWriter()
    }
    const sequence = this.#image.add(entry)
    this.#end = sequence
    if (entry.kind === 'commit') {
      this.#commitCount += 1
      this.#unapplied.push(sequence)
    }
    return sequence
  }

  #checkOpen(): void {
    if (this.#isClosed) throw new DbError('UNAVAILABLE', 'the store is closed')
  }

  #checkWriter(): void {
    if (this.role !== 'writer') throw notWriter()
  }

  async #passed(): Promise<void> {
    await this.#waiters.until(() => this.#passage === 'open', null)
  }

  #stateOf(member: Member): InstanceState {
    const isAlive = [...this.#image.listeners].some((one) => isSame(one, member))
    return {
      name: member.name,
      ordinal: member.ordinal,
      run: member.run,
      url: member.url,
      version: 'test',
      format: 1,
      memoryLimitBytes: member.memoryLimitBytes,
      applied: member === this.#member ? this.position : member.applied,
      digest: member.digest,
      silentMs: isAlive ? 0 : null,
      isSelf: member.name === this.name,
      isWriter: isAlive && isSame(member, this.#image.writer),
    }
  }
}

function after(ms: number, call: () => void): () => void {
  const timer = setTimeout(call, ms)
  return () => clearTimeout(timer)
}
