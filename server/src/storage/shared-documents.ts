/**
 * The documents of a store that several servers share (docs/decisions/0127). The engine hands on what
 * it reads in the log: each change goes to whoever opened its collection. Documents of this instance
 * alone lie in collections that end in `@` and its name; the store writes them without the log.
 */
import { isDbError } from '#kernel/errors.ts'
import {
  type Collection,
  collectionOf,
  type DocumentChange,
  type DocumentStore,
  type Documents,
  ownCollection,
  type TakeChange,
} from './documents.ts'
import type { Role } from './shared-store.ts'

type Step = () => Promise<void>

export interface SharedDocumentsOptions {
  readonly store: DocumentStore
  /** The name of this instance. */
  self(): string
  /** Told of a step of the writer that failed. */
  onFailure(error: unknown): void
}

export class SharedDocuments implements Documents {
  readonly #options: SharedDocumentsOptions
  readonly #takers = new Map<string, TakeChange[]>()
  readonly #families = new Map<string, (change: DocumentChange) => void>()
  readonly #steps: Step[] = []
  #isWriter = false
  #stepsDone: Promise<void> = Promise.resolve()

  constructor(options: SharedDocumentsOptions) {
    this.#options = options
  }

  /** What was opened: collections, and the beginnings of names. A test has a case for each. */
  get opened(): readonly string[] {
    return [...this.#takers.keys(), ...this.#families.keys()]
  }

  open(collection: string, take: TakeChange): Collection {
    this.#takers.set(collection, [...(this.#takers.get(collection) ?? []), take])
    return this.#shared(collection)
  }

  openAll(prefix: string, take: (change: DocumentChange) => void): (name: string) => Collection {
    this.#families.set(prefix, take)
    return (name) => this.#shared(name)
  }

  openOwn(collection: string): Collection {
    const { store, self } = this.#options
    return collectionOf(store, ownCollection(collection, self()))
  }

  asWriter(step: Step): Promise<void> {
    this.#steps.push(step)
    return this.#isWriter ? this.#run([step]) : Promise.resolve()
  }

  /** A change of another instance, in the order of the log. One that nobody holds concerns nobody. */
  take(change: DocumentChange): void {
    const { collection, key, bytes } = change
    for (const take of this.#takers.get(collection) ?? []) take(key, bytes)
    for (const [prefix, take] of this.#families) if (collection.startsWith(prefix)) take(change)
  }

  /** Called once everything in the log is taken. Nobody waits here for the steps of the writer. */
  async roleChanged(role: Role): Promise<void> {
    this.#isWriter = role === 'writer'
    if (this.#isWriter) void this.#run(this.#steps)
  }

  /** Resolves when the steps of the writer that have begun are done. */
  get stepsDone(): Promise<void> {
    return this.#stepsDone
  }

  #run(steps: readonly Step[]): Promise<void> {
    this.#stepsDone = this.#stepsDone.then(async () => {
      for (const step of [...steps]) {
        if (!this.#isWriter) return
        await step().catch((error: unknown) => {
          // Whoever is the writer now does it.
          if (!isDbError(error, 'NOT_WRITER')) this.#options.onFailure(error)
        })
      }
    })
    return this.#stepsDone
  }

  #shared(name: string): Collection {
    const { store } = this.#options
    const stored = collectionOf(store, name)
    return {
      ...stored,
      put: (key, bytes) => this.#changed(name, key, stored.put(key, bytes)),
      delete: (key) => this.#changed(name, key, stored.delete(key)),
    }
  }

  /**
   * Some services change their cache before the store has answered. If another instance is the writer
   * and the change is refused, the document is read again from the store.
   */
  async #changed(collection: string, key: string, change: Promise<void>): Promise<void> {
    try {
      await change
    } catch (error) {
      if (isDbError(error, 'NOT_WRITER')) await this.#takeStored(collection, key)
      throw error
    }
  }

  async #takeStored(collection: string, key: string): Promise<void> {
    try {
      this.take({ collection, key, bytes: await this.#options.store.getDocument(collection, key) })
    } catch (error) {
      this.#options.onFailure(error)
    }
  }
}
