/**
 * Imports that have begun and not ended, as documents. A server that is started again knows which
 * import was cut short, and an import of the same export goes on where that one stopped.
 */
import type { Collection, Documents } from '#storage/documents.ts'

/** The line of a data file up to which everything is in the graph. */
export interface ImportPlace {
  /** Index of the file in the manifest. */
  readonly file: number
  readonly lines: number
  /** Vertices or edges of the file that were accepted. */
  readonly count: number
}

export interface ImportMark {
  /** Of the manifest that is imported. */
  readonly sha256: string
  /** Names this import among all of the same export; the catalogue notes it with the schema. */
  readonly id: string
  /** As the request named the directory. */
  readonly path: string
  readonly startMs: number
  readonly place: ImportPlace
  /** Why it stopped; null: it is under way, or the server ended. */
  readonly failure: string | null
}

const COLLECTION = 'imports'

export class ImportMarks {
  readonly #documents: Collection
  /** By checksum of the manifest. */
  readonly #marks = new Map<string, ImportMark>()

  private constructor(documents: Documents) {
    this.#documents = documents.open(COLLECTION, (key, bytes) => this.#take(key, bytes))
  }

  static async open(documents: Documents): Promise<ImportMarks> {
    const marks = new ImportMarks(documents)
    for (const { key, bytes } of await marks.#documents.list()) marks.#take(key, bytes)
    return marks
  }

  #take(sha256: string, bytes: Uint8Array | null): void {
    if (bytes === null) this.#marks.delete(sha256)
    else this.#marks.set(sha256, JSON.parse(Buffer.from(bytes).toString()) as ImportMark)
  }

  find(sha256: string): ImportMark | undefined {
    return this.#marks.get(sha256)
  }

  /** Oldest first. */
  list(): readonly ImportMark[] {
    return [...this.#marks.values()].sort((one, other) => one.startMs - other.startMs)
  }

  /** Durable before it counts. */
  async put(mark: ImportMark): Promise<void> {
    const bytes = Buffer.from(JSON.stringify(mark))
    await this.#documents.put(mark.sha256, bytes)
    this.#marks.set(mark.sha256, mark)
  }

  async delete(sha256: string): Promise<void> {
    if (!this.#marks.has(sha256)) return
    await this.#documents.delete(sha256)
    this.#marks.delete(sha256)
  }
}
