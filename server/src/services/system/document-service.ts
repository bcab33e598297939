/** Small documents per user: each user sees only his own. */
import { DOCUMENT_BYTES_MAX, DOCUMENTS_PER_COLLECTION_MAX } from '#contract/documents.ts'
import { DbError } from '#kernel/errors.ts'
import type { DocumentStore } from '../auth/user-store.ts'

export class DocumentService {
  readonly #documents: DocumentStore

  constructor(documents: DocumentStore) {
    this.#documents = documents
  }

  /** @returns JSON text: documents pass through as they were written, long integers included */
  async list(user: string, collection: string): Promise<string> {
    const stored = await this.#documents.listDocuments(collectionOf(user, collection))
    const rows = stored.map(
      ({ key, bytes }) => `{"key":${JSON.stringify(key)},"value":${Buffer.from(bytes).toString()}}`,
    )
    return `[${rows.join(',')}]`
  }

  /** @returns JSON text, `null` when there is none */
  async read(user: string, collection: string, key: string): Promise<string> {
    const bytes = await this.#documents.getDocument(collectionOf(user, collection), key)
    return bytes === null ? 'null' : Buffer.from(bytes).toString()
  }

  /** @throws DbError INVALID_PARAMETER over the limits */
  async write(
    place: { user: string; collection: string; key: string },
    value: unknown,
  ): Promise<void> {
    const collection = collectionOf(place.user, place.collection)
    const bytes = Buffer.from(JSON.stringify(value ?? null, exactInteger))
    if (bytes.length > DOCUMENT_BYTES_MAX) {
      throw new DbError('INVALID_PARAMETER', `A document has at most ${DOCUMENT_BYTES_MAX} bytes.`)
    }
    const isNew = (await this.#documents.getDocument(collection, place.key)) === null
    if (
      isNew &&
      (await this.#documents.listDocuments(collection)).length >= DOCUMENTS_PER_COLLECTION_MAX
    ) {
      throw new DbError(
        'INVALID_PARAMETER',
        `A collection has at most ${DOCUMENTS_PER_COLLECTION_MAX} documents.`,
      )
    }
    await this.#documents.putDocument(collection, place.key, bytes)
  }

  delete(user: string, collection: string, key: string): Promise<void> {
    return this.#documents.deleteDocument(collectionOf(user, collection), key)
  }
}

/** User names hold no slash, so that no user reaches another's. */
function collectionOf(user: string, collection: string): string {
  return `user/${user}/${collection}`
}

const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown }

function exactInteger(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? rawJSON(value.toString()) : value
}
