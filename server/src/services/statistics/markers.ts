/** What happened to the server, for the time axis of the statistics. */
import type { DocumentStore } from '../auth/user-store.ts'

export type MarkerKind = 'start' | 'schema' | 'index' | 'query' | 'rebuild'

export interface Marker {
  /** Epoch seconds. */
  readonly at: number
  readonly kind: MarkerKind
  /** Whose time axis it stands on; null or absent: on that of every graph. */
  readonly graph?: string | null
  readonly text: string
}

const COLLECTION = 'statistics-markers'
const DOCUMENT = 'markers'
const MARKERS_MAX = 1_000

export class Markers {
  readonly #documents: DocumentStore
  #markers: readonly Marker[]

  private constructor(documents: DocumentStore, markers: readonly Marker[]) {
    this.#documents = documents
    this.#markers = markers
  }

  static async open(documents: DocumentStore): Promise<Markers> {
    const bytes = await documents.getDocument(COLLECTION, DOCUMENT)
    const markers =
      bytes === null ? [] : (JSON.parse(Buffer.from(bytes).toString()) as readonly Marker[])
    return new Markers(documents, markers)
  }

  async add(marker: Marker): Promise<void> {
    this.#markers = [...this.#markers, marker].slice(-MARKERS_MAX)
    const bytes = Buffer.from(JSON.stringify(this.#markers))
    await this.#documents.putDocument(COLLECTION, DOCUMENT, bytes)
  }

  /** Epoch seconds of the first that is kept. */
  get oldest(): number | undefined {
    return this.#markers[0]?.at
  }

  /** From inclusive, to exclusive, in order of time. */
  between(from: number, to: number, of: string): Marker[] {
    return this.#markers.filter(({ at, graph }) => at >= from && at < to && (graph ?? of) === of)
  }
}
