/**
 * Data sources: named places that loading jobs read from (`$name:path`). Those of type
 * FILE name a folder of the directory for loading. The other types of the contract are kept, so that
 * definitions written for other servers stand, and refused when a job reads from them: this server
 * fetches nothing from elsewhere. Values of secrets are not kept, since nothing here uses them.
 */
import { requireGraph } from '#catalog/lookup.ts'
import type { Catalog } from '#catalog/types.ts'
import { DbError } from '#kernel/errors.ts'
import type { Collection, Documents } from '#storage/documents.ts'
import { Turns } from '../auth/turns.ts'

export type SourceConfig = Readonly<Record<string, unknown>>

export interface DataSource {
  readonly name: string
  /** Null: global, and every graph may use it. */
  readonly graph: string | null
  /** Upper case. */
  readonly type: string
  readonly config: SourceConfig
  /** Graphs that a local one was granted to, beside its own. */
  readonly grantedTo: readonly string[]
}

export interface DataSourcesOptions {
  readonly documents: Documents
  readonly catalogue: { readonly catalog: Catalog }
  /** @throws DbError INVALID_PARAMETER when there is no such folder for loading */
  checkFolder(path: string): Promise<void>
}

const COLLECTION = 'data-sources'
/** No graph is called so. */
const GLOBAL = '*'
const FILE_TYPE = 'FILE'
const otherTypes = ['S3', 'GCS', 'ABS', 'KAFKA', 'MIRRORMAKER', 'SNOWFLAKE', 'BIGQUERY', 'POSTGRES']
const secretKeys =
  /secret|password|passphrase|token|private|credential|access[._-]?key|account[._-]?key/i

export class DataSources {
  readonly #options: DataSourcesOptions
  readonly #documents: Collection
  readonly #sources = new Map<string, DataSource>()
  readonly #turns = new Turns()

  private constructor(options: DataSourcesOptions) {
    this.#options = options
    this.#documents = options.documents.open(COLLECTION, (key, bytes) => this.#take(key, bytes))
  }

  static async open(options: DataSourcesOptions): Promise<DataSources> {
    const sources = new DataSources(options)
    for (const { key, bytes } of await sources.#documents.list()) sources.#take(key, bytes)
    return sources
  }

  #take(key: string, bytes: Uint8Array | null): void {
    if (bytes === null) this.#sources.delete(key)
    else this.#sources.set(key, JSON.parse(Buffer.from(bytes).toString()) as DataSource)
  }

  /** What a graph may use, or with null the global ones; in order of their names. */
  of(graph: string | null): readonly DataSource[] {
    if (graph !== null) requireGraph(this.#options.catalogue.catalog, graph)
    const found = [...this.#sources.values()].filter((source) => isUsable(source, graph))
    return found.sort((one, other) => (one.name < other.name ? -1 : 1))
  }

  /** Of every graph, the global ones first; in order of their names. */
  all(): readonly DataSource[] {
    const graphs = [...new Set([...this.#sources.values()].map(({ graph }) => graph ?? ''))].sort()
    return graphs.flatMap((graph) =>
      this.livingIn(graph === '' ? null : graph).toSorted((one, other) =>
        one.name < other.name ? -1 : 1,
      ),
    )
  }

  /** The global one, or the only local one. @throws DbError REQUEST_NOT_FOUND */
  requireAnywhere(name: string): DataSource {
    return this.livingIn(null).find((one) => one.name === name) ?? this.#onlyNamed(name)
  }

  /**
   * The graph's own source of a name, or else the global one, or else one that was granted to it:
   * a grant takes the place of no source that the graph has.
   * @throws DbError REQUEST_NOT_FOUND
   */
  require(graph: string | null, name: string): DataSource {
    const named = this.of(graph).filter((source) => source.name === name)
    const found =
      named.find((source) => source.graph === graph) ??
      named.find((source) => source.graph === null) ??
      named[0]
    if (found !== undefined) return found
    throw new DbError('REQUEST_NOT_FOUND', `The data source ${name} does not exist.`)
  }

  /** @throws DbError NAME_TAKEN, INVALID_NAME, INVALID_PARAMETER */
  async create(graph: string | null, name: string, config: SourceConfig): Promise<void> {
    if (!/^[A-Za-z_]\w{0,255}$/.test(name)) {
      throw new DbError(
        'INVALID_NAME',
        `'${name.slice(0, 60)}' is not a valid name of a data source.`,
      )
    }
    const source = await this.#checked({ graph, name, grantedTo: [] }, config)
    await this.#turns.run(async () => {
      const isTaken = this.of(graph).some((one) => one.name === name)
      if (isTaken) throw new DbError('NAME_TAKEN', `The data source ${name} already exists.`)
      await this.#put(source)
    })
  }

  /** Those that live in a graph, or with null the global ones. */
  livingIn(graph: string | null): readonly DataSource[] {
    return [...this.#sources.values()].filter((source) => source.graph === graph)
  }

  /** One as another server had it: its folder may still have to be made. @throws DbError NAME_TAKEN */
  restore(source: DataSource): Promise<void> {
    return this.#turns.run(async () => {
      if (this.#sources.has(keyOf(source))) {
        throw new DbError('NAME_TAKEN', `The data source ${source.name} already exists.`)
      }
      await this.#put(source)
    })
  }

  /** @throws DbError REQUEST_NOT_FOUND, INVALID_PARAMETER */
  async update(graph: string | null, name: string, config: SourceConfig): Promise<void> {
    const { graph: home, grantedTo } = this.#requireOwn(graph, name)
    const source = await this.#checked({ graph: home, name, grantedTo }, config)
    await this.#turns.run(async () => {
      this.#requireOwn(graph, name)
      await this.#put(source)
    })
  }

  /** @param names null: all of the graph, or all global ones */
  drop(graph: string | null, names: readonly string[] | null): Promise<readonly string[]> {
    return this.#turns.run(async () => {
      const own = this.of(graph).filter((source) => source.graph === graph)
      const wanted = names?.map((name) => this.#requireOwn(graph, name)) ?? own
      for (const source of wanted) await this.#remove(source)
      return wanted.map(({ name }) => name)
    })
  }

  /** A dropped graph takes its sources along, and what was granted to it. */
  forgetGraph(graph: string): Promise<void> {
    return this.#turns.run(async () => {
      for (const source of [...this.#sources.values()]) {
        if (source.graph === graph) await this.#remove(source)
        else if (source.grantedTo.includes(graph)) await this.#put(without(source, [graph]))
      }
    })
  }

  /** @throws DbError REQUEST_NOT_FOUND, GRAPH_NOT_FOUND */
  grant(name: string, graphs: readonly string[]): Promise<void> {
    for (const graph of graphs) requireGraph(this.#options.catalogue.catalog, graph)
    return this.#turns.run(async () => {
      const source = this.#onlyNamed(name)
      if (source.graph === null) return
      const kept = without(source, graphs)
      await this.#put({ ...kept, grantedTo: [...kept.grantedTo, ...graphs] })
    })
  }

  /** @throws DbError REQUEST_NOT_FOUND, INVALID_PARAMETER for a graph that does not have it granted */
  revoke(name: string, graphs: readonly string[]): Promise<void> {
    return this.#turns.run(async () => {
      const source = this.#onlyNamed(name)
      const other = graphs.find((graph) => !source.grantedTo.includes(graph))
      if (other !== undefined) {
        const why = source.graph === null ? 'it is global' : 'it was not granted'
        const text = `The data source ${name} cannot be revoked from the graph ${other}: ${why}.`
        throw new DbError('INVALID_PARAMETER', text)
      }
      await this.#put(without(source, graphs))
    })
  }

  /** The source that a grant is about: names of local ones may repeat. */
  homeOf(name: string): string | null {
    return this.#onlyNamed(name).graph
  }

  #onlyNamed(name: string): DataSource {
    const found = [...this.#sources.values()].filter((source) => source.name === name)
    const [source] = found
    if (source !== undefined && found.length === 1) return source
    const what = source === undefined ? 'does not exist' : 'exists on several graphs'
    throw new DbError('REQUEST_NOT_FOUND', `The data source ${name} ${what}.`)
  }

  #requireOwn(graph: string | null, name: string): DataSource {
    const source = this.require(graph, name)
    if (source.graph === graph) return source
    const text = `The data source ${name} is ${source.graph === null ? 'global' : `of graph ${source.graph}`}; it is changed there.`
    throw new DbError('INVALID_PARAMETER', text)
  }

  async #checked(
    place: Pick<DataSource, 'graph' | 'name' | 'grantedTo'>,
    config: SourceConfig,
  ): Promise<DataSource> {
    if (place.graph !== null) requireGraph(this.#options.catalogue.catalog, place.graph)
    const type = String(config['type'] ?? '').toUpperCase()
    if (type !== FILE_TYPE && !otherTypes.includes(type)) {
      const known = [FILE_TYPE, ...otherTypes].join(', ').toLowerCase()
      const text = `The config of the data source ${place.name} must name one of the types ${known}.`
      throw new DbError('INVALID_PARAMETER', text)
    }
    if (type === FILE_TYPE) await this.#options.checkFolder(folderOf(config))
    return { ...place, type, config: withoutSecrets(config) }
  }

  async #put(source: DataSource): Promise<void> {
    const key = keyOf(source)
    await this.#documents.put(key, Buffer.from(JSON.stringify(source)))
    this.#sources.set(key, source)
  }

  async #remove(source: DataSource): Promise<void> {
    await this.#documents.delete(keyOf(source))
    this.#sources.delete(keyOf(source))
  }
}

/** The folder of a source, below the directory for loading. @throws DbError INVALID_PARAMETER */
export function folderOfSource({ name, type, config }: DataSource): string {
  if (type === FILE_TYPE) return folderOf(config)
  const text = `The data source ${name} has the type ${type.toLowerCase()}: this server loads from files only.`
  throw new DbError('INVALID_PARAMETER', text)
}

function folderOf(config: SourceConfig): string {
  const { path = '.' } = config
  if (typeof path === 'string' && path !== '') return path
  throw new DbError('INVALID_PARAMETER', 'The path of a data source must be a text.')
}

function isUsable(source: DataSource, graph: string | null): boolean {
  if (source.graph === null || source.graph === graph) return true
  return graph !== null && source.grantedTo.includes(graph)
}

function without(source: DataSource, graphs: readonly string[]): DataSource {
  return { ...source, grantedTo: source.grantedTo.filter((graph) => !graphs.includes(graph)) }
}

function withoutSecrets(config: SourceConfig): SourceConfig {
  return Object.fromEntries(
    Object.entries(config).map(([key, value]) => [key, withoutSecret(key, value)]),
  )
}

function withoutSecret(key: string, value: unknown): unknown {
  if (secretKeys.test(key)) return ''
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  return isObject ? withoutSecrets(value as SourceConfig) : value
}

function keyOf({ graph, name }: Pick<DataSource, 'graph' | 'name'>): string {
  return `${graph ?? GLOBAL}/${name}`
}
