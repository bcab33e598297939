/** What happened to this instance, for the time axis of its statistics. */
import type { Collection, Documents } from '#storage/documents.ts'

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
  readonly #documents: Collection
  #markers: readonly Marker[]

  private constructor(documents: Collection, markers: readonly Marker[]) {
    this.#documents = documents
    this.#markers = markers
  }

  static async open(documents: Documents): Promise<Markers> {
    const own = documents.openOwn(COLLECTION)
    const bytes = await own.get(DOCUMENT)
    const markers =
      bytes === null ? [] : (JSON.parse(Buffer.from(bytes).toString()) as readonly Marker[])
    return new Markers(own, markers)
  }

  async add(marker: Marker): Promise<void> {
    this.#markers = [...this.#markers, marker].slice(-MARKERS_MAX)
    const bytes = Buffer.from(JSON.stringify(this.#markers))
    await this.#documents.put(DOCUMENT, bytes)
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
