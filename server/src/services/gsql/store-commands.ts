/** DROP ALL and CLEAR GRAPH STORE: everything, or all data (docs/reference/gsql/commands.md). */
import { accumsOf } from '#catalog/accums.ts'
import { vertexTypesOf } from '#catalog/lookup.ts'
import type { Catalog } from '#catalog/types.ts'
import type { JobStore } from '../jobs/job-store.ts'
import type { DataSources } from '../loading/data-sources.ts'
import type { TemplateQueries } from '../queries/template-queries.ts'
import { everywhere } from '../schema/schema-reach.ts'
import type { SchemaService } from '../schema/schema-service.ts'
import type { TupleService } from '../schema/tuple-service.ts'
import type { VertexService } from '../vertices/vertex-service.ts'
import type { Session } from './session.ts'

export interface StoreCommandOptions {
  readonly catalogue: { readonly catalog: Catalog }
  readonly schema: SchemaService
  readonly tuples: TupleService
  readonly templates: TemplateQueries
  readonly vertices: VertexService
  readonly jobs: JobStore
  readonly sources: DataSources
}

export class StoreCommands {
  readonly #options: StoreCommandOptions

  constructor(options: StoreCommandOptions) {
    this.#options = options
  }

  async clear(session: Session): Promise<void> {
    session.call.require('CLEAR_GRAPHSTORE', null)
    await this.clearAll(session.call.url)
    session.print('Successfully cleared graph store.')
  }

  /** A type without a graph holds nothing. */
  async clearAll(url: string): Promise<void> {
    const { catalogue, vertices } = this.#options
    for (const { name: graph } of catalogue.catalog.graphs) {
      for (const { name } of vertexTypesOf(catalogue.catalog, graph)) {
        await vertices.deleteAll({ graph, url }, name, { ack: 'all' })
      }
    }
  }

  async dropAll(session: Session): Promise<void> {
    session.call.require('DROP_ALL', null)
    await this.dropEverything()
    session.graph = null
    session.print('Dropping all, about 1 minute ...', 'Everything is dropped.')
  }

  async dropEverything(): Promise<void> {
    const { catalogue, schema, tuples, templates, jobs, sources } = this.#options
    await templates.dropEverything()
    await jobs.dropAllOf(null)
    await sources.drop(null, null)
    if (catalogue.catalog.graphs.length > 0) await schema.dropGraphs(['all'], true)
    if (catalogue.catalog.edgeTypes.length > 0)
      await schema.dropEdgeTypes(null, ['all'], everywhere)
    if (catalogue.catalog.vertexTypes.length > 0)
      await schema.dropVertexTypes(null, ['all'], everywhere)
    // Some are made of others: each after those that are made of it.
    for (const { name } of accumsOf(catalogue.catalog).toReversed()) await tuples.dropAccums([name])
    if (catalogue.catalog.tuples.length > 0) {
      await tuples.drop(catalogue.catalog.tuples.map(({ name }) => name))
    }
  }
}
