/** Jobs by name: their texts as written, read anew when they run. Kept as documents. */
import { DbError } from '#kernel/errors.ts'
import type { Collection, Documents } from '#storage/documents.ts'

export interface Job {
  readonly name: string
  /** Null: a global schema-change job. */
  readonly graph: string | null
  readonly kind: 'schema' | 'loading'
  readonly text: string
  /** The text is the JSON form of docs/reference/rest.md, not GSQL. */
  readonly isJson?: true
}

const COLLECTION = 'gsql-jobs'
/** No graph is called so. */
const GLOBAL = '*'

export class JobStore {
  readonly #documents: Collection
  readonly #jobs = new Map<string, Job>()

  private constructor(documents: Documents) {
    this.#documents = documents.open(COLLECTION, (key, bytes) => this.#take(key, bytes))
  }

  static async open(documents: Documents): Promise<JobStore> {
    const jobs = new JobStore(documents)
    for (const { key, bytes } of await jobs.#documents.list()) jobs.#take(key, bytes)
    return jobs
  }

  #take(key: string, bytes: Uint8Array | null): void {
    if (bytes === null) this.#jobs.delete(key)
    else this.#jobs.set(key, JSON.parse(Buffer.from(bytes).toString()) as Job)
  }

  /** In order of their names. */
  of(graph: string | null): readonly Job[] {
    const jobs = [...this.#jobs.values()].filter((job) => job.graph === graph)
    return jobs.sort((one, other) => (one.name < other.name ? -1 : 1))
  }

  find(graph: string | null, name: string): Job | undefined {
    return this.#jobs.get(keyOf(graph, name))
  }

  /** @throws DbError REQUEST_NOT_FOUND */
  require(graph: string | null, name: string): Job {
    const job = this.find(graph, name)
    if (job !== undefined) return job
    const where = graph === null ? '' : ` on the graph '${graph}'`
    throw new DbError('REQUEST_NOT_FOUND', `The job ${name} does not exist${where}.`)
  }

  /** @throws DbError NAME_TAKEN */
  async create(job: Job): Promise<void> {
    const key = keyOf(job.graph, job.name)
    if (this.#jobs.has(key)) {
      throw new DbError('NAME_TAKEN', `The job name ${job.name} already exists.`)
    }
    await this.#documents.put(key, Buffer.from(JSON.stringify(job)))
    this.#jobs.set(key, job)
  }

  async drop(graph: string | null, name: string): Promise<void> {
    const { graph: of } = this.require(graph, name)
    await this.#documents.delete(keyOf(of, name))
    this.#jobs.delete(keyOf(of, name))
  }

  async dropAllOf(graph: string | null): Promise<void> {
    for (const { name } of this.of(graph)) await this.drop(graph, name)
  }
}

function keyOf(graph: string | null, name: string): string {
  return `${graph ?? GLOBAL}/${name}`
}
