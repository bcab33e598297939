/**
 * The schema's use cases: each is one atomic change of the catalogue. Rules live in `catalog`; this
 * adds scope (which graph a name is looked up in), versions, and the texts of success.
 */
import {
  createEdgeType,
  dropEdgeType,
  type EdgeTypeJson,
  edgeTypeToJson,
} from '#catalog/edge-types.ts'
import {
  addTypesToGraph,
  createGraph,
  dropGraph,
  type GraphSummaryJson,
  graphSummary,
  type TypeNames,
  withVersions,
} from '#catalog/graphs.ts'
import {
  edgeTypesOf,
  findEdgeType,
  findVertexType,
  requireGraph,
  vertexTypesOf,
} from '#catalog/lookup.ts'
import { missingEdgeType, missingVertexType, schemaError } from '#catalog/rule.ts'
import {
  applySchemaChange,
  type EdgeTypeChange,
  noChange,
  type SchemaChange,
  type VertexTypeChange,
} from '#catalog/schema-change.ts'
import type { Catalog } from '#catalog/types.ts'
import {
  createVertexType,
  dropVertexType,
  type VertexTypeJson,
  vertexTypeToJson,
} from '#catalog/vertex-types.ts'
import { conversionsOf } from '#graph/conversions.ts'
import { DbError, isDbError } from '#kernel/errors.ts'
import { Turns } from '../auth/turns.ts'
import type { AttributePlace } from './impact-parts.ts'
import { placedLoss } from './placed-loss.ts'
import { checkReach, everywhere, type MayWriteSchema } from './schema-reach.ts'
import type { GraphUsers, JobUsers, QueryUsers } from './schema-users.ts'
import { scopeOfEdge, scopeOfVertex } from './type-scope.ts'

/** What of the engine the schema services need. */
export interface CatalogStore {
  readonly catalog: Catalog
  changeCatalog(change: (catalog: Catalog) => Catalog): Promise<Catalog>
}

export interface GraphSchemaJson {
  readonly GraphName: string
  readonly VertexTypes: readonly VertexTypeJson[]
  readonly EdgeTypes: readonly EdgeTypeJson[]
}

export interface SchemaServiceOptions {
  readonly store: CatalogStore
  readonly queries: QueryUsers
  readonly jobs: JobUsers
  readonly users?: GraphUsers
  /** Told after each change that took effect, with a sentence for the statistics' time axis. */
  onChange(graph: string | null, text: string): void
  /** Told of attributes that have got another number with a wider type. */
  moved?(from: AttributePlace, to: AttributePlace): void
}

export class SchemaService {
  readonly #options: SchemaServiceOptions
  /** Graphs come and go one after the other: what goes with one is gone before its name returns. */
  readonly #graphTurns = new Turns()
  readonly #renameTurns = new Turns()

  constructor(options: SchemaServiceOptions) {
    this.#options = options
  }

  get #catalog(): Catalog {
    return this.#options.store.catalog
  }

  /**
   * @throws whatever `change` throws, and FORBIDDEN for one that reaches graphs that the caller may
   *   not change; nothing is changed then
   */
  async #change(
    { graph, text, mayWrite }: Told,
    change: (catalog: Catalog) => Catalog,
  ): Promise<string> {
    const { store, users, moved, onChange } = this.#options
    let before = this.#catalog
    const after = await store.changeCatalog((catalog) => {
      before = catalog
      const changed = change(catalog)
      checkReach(catalog, changed, { graph, mayWrite })
      return withVersions(catalog, changed)
    })
    for (const { typeId, from, to } of conversionsOf(before, after)) {
      moved?.({ typeId, attributeId: from.id }, { typeId, attributeId: to.id })
    }
    if (after.renames !== undefined) await users?.followRenames(after.renames)
    onChange(graph, text)
    return text
  }

  /** Changes that may rename: what follows one has followed it before the next. */
  #changeParts(scope: string | null, change: SchemaChange, told: Told): Promise<string> {
    return this.#renameTurns.run(async () => {
      const { renames } = this.#catalog
      if (renames !== undefined) await this.#options.users?.followRenames(renames)
      try {
        return await this.#change(told, (catalog) => applySchemaChange(catalog, scope, change))
      } catch (error) {
        throw placedLoss(error, this.#catalog, change)
      }
    })
  }

  listVertexTypes(graph: string | null): readonly VertexTypeJson[] {
    if (graph !== null) requireGraph(this.#catalog, graph)
    return vertexTypesOf(this.#catalog, graph).map(vertexTypeToJson)
  }

  readVertexType(graph: string | null, name: string): VertexTypeJson {
    const scope = scopeOfVertex(this.#catalog, graph, name)
    const type = findVertexType(this.#catalog, scope, name)
    if (type === undefined) throw missingVertexType(name, graph)
    return vertexTypeToJson(type)
  }

  createVertexTypes(
    graph: string | null,
    types: readonly VertexTypeJson[],
    mayWrite: MayWriteSchema,
  ): Promise<string> {
    const list = bracketed(types.map((type) => type.Name))
    return withContext(`Failed to create vertices ${list}. `, () =>
      this.#change({ graph, text: `Successfully create vertices: ${list}`, mayWrite }, (catalog) =>
        types.reduce((next, type) => createVertexType(next, graph, type), catalog),
      ),
    )
  }

  addVertexTypes(
    graph: string,
    names: readonly string[],
    mayWrite: MayWriteSchema,
  ): Promise<string> {
    const text = `Successfully add vertices: ${bracketed(names)} on graph ${graph}`
    return this.#change({ graph, text, mayWrite }, (catalog) =>
      addTypesToGraph(catalog, graph, { vertices: names, edges: [] }),
    )
  }

  async alterVertexType(
    graph: string | null,
    name: string,
    change: Omit<VertexTypeChange, 'name'>,
    mayWrite: MayWriteSchema,
  ): Promise<string> {
    const parts = { ...noChange, alterVertexTypes: [{ ...change, name }] }
    const scope = scopeOfVertex(this.#catalog, graph, name)
    const text = `Successfully update vertex: ${name}`
    return this.#changeParts(scope, parts, { graph, text, mayWrite })
  }

  /** @param names `all` alone stands for every type of the scope */
  async dropVertexTypes(
    graph: string | null,
    names: readonly string[],
    mayWrite: MayWriteSchema,
  ): Promise<string> {
    let dropped = names
    const told = { graph, text: `Dropped vertices ${bracketed(names)}`, mayWrite }
    await this.#change(told, (catalog) => {
      const all = vertexTypesOf(catalog, graph).map((type) => type.name)
      dropped = isAll(names) ? all : names
      return dropped.reduce(
        (next, name) => dropVertexType(next, scopeOfVertex(next, graph, name), name),
        catalog,
      )
    })
    return `Vertices ${bracketed(dropped)} deleted successfully.`
  }

  listEdgeTypes(graph: string | null): readonly EdgeTypeJson[] {
    if (graph !== null) requireGraph(this.#catalog, graph)
    return edgeTypesOf(this.#catalog, graph).map((type) => edgeTypeToJson(this.#catalog, type))
  }

  readEdgeType(graph: string | null, name: string): EdgeTypeJson {
    const scope = scopeOfEdge(this.#catalog, graph, name)
    const found = findEdgeType(this.#catalog, scope, name)
    if (found === undefined) throw missingEdgeType(name, graph)
    return edgeTypeToJson(this.#catalog, found.type)
  }

  createEdgeTypes(
    graph: string | null,
    types: readonly EdgeTypeJson[],
    mayWrite: MayWriteSchema,
  ): Promise<string> {
    const list = bracketed(types.map((type) => type.Name))
    return withContext(`Failed to create edges ${list}. `, () =>
      this.#change({ graph, text: `Successfully create edges: ${list}`, mayWrite }, (catalog) =>
        types.reduce((next, type) => createEdgeType(next, graph, type), catalog),
      ),
    )
  }

  addEdgeTypes(graph: string, names: readonly string[], mayWrite: MayWriteSchema): Promise<string> {
    const text = `Successfully add edges: ${bracketed(names)} on graph ${graph}`
    return withContext(`Failed to create edges ${bracketed(names)}. `, () =>
      this.#change({ graph, text, mayWrite }, (catalog) =>
        addTypesToGraph(catalog, graph, { vertices: [], edges: names }),
      ),
    )
  }

  async alterEdgeType(
    graph: string | null,
    name: string,
    change: Omit<EdgeTypeChange, 'name'>,
    mayWrite: MayWriteSchema,
  ): Promise<string> {
    const parts = { ...noChange, alterEdgeTypes: [{ ...change, name }] }
    const scope = scopeOfEdge(this.#catalog, graph, name)
    const text = `Successfully update edge: ${name}`
    return this.#changeParts(scope, parts, { graph, text, mayWrite })
  }

  async dropEdgeTypes(
    graph: string | null,
    names: readonly string[],
    mayWrite: MayWriteSchema,
  ): Promise<string> {
    let dropped = names
    const told = { graph, text: `Dropped edges ${bracketed(names)}`, mayWrite }
    await this.#change(told, (catalog) => {
      const all = edgeTypesOf(catalog, graph).map((type) => type.name)
      dropped = isAll(names) ? all : names
      return dropped.reduce(
        (next, name) => dropEdgeType(next, scopeOfEdge(next, graph, name), name),
        catalog,
      )
    })
    return `Edges ${bracketed(dropped)} deleted successfully.`
  }

  listGraphs(): readonly GraphSummaryJson[] {
    return this.#catalog.graphs.map((graph) => graphSummary(this.#catalog, graph))
  }

  readGraph(graph: string): GraphSchemaJson {
    requireGraph(this.#catalog, graph)
    return {
      GraphName: graph,
      VertexTypes: this.listVertexTypes(graph),
      EdgeTypes: this.listEdgeTypes(graph),
    }
  }

  /** One vertex or edge type of a graph, whichever has the name. */
  readType(graph: string, name: string): VertexTypeJson | EdgeTypeJson {
    requireGraph(this.#catalog, graph)
    return findVertexType(this.#catalog, graph, name)
      ? this.readVertexType(graph, name)
      : this.readEdgeType(graph, name)
  }

  /** It starts bare: what an interrupted drop left under its name goes first. */
  createGraph(name: string, types: TypeNames): Promise<string> {
    return this.#graphTurns.run(async () => {
      createGraph(this.#catalog, name, types)
      await this.#forget(name)
      const text = `Successfully created graph: [${name}].`
      return await this.#change({ graph: name, text, mayWrite: everywhere }, (catalog) =>
        createGraph(catalog, name, types),
      )
    })
  }

  /** @param cascade drop its queries and jobs with it; without, a graph that has any stays */
  dropGraphs(names: readonly string[], cascade: boolean): Promise<readonly string[]> {
    return this.#graphTurns.run(() => this.#dropGraphs(names, cascade))
  }

  /** The change first: one that is refused takes nothing from anybody. */
  async #dropGraphs(names: readonly string[], cascade: boolean): Promise<readonly string[]> {
    const dropped = isAll(names) ? this.#catalog.graphs.map((graph) => graph.name) : names
    this.#checkMayDrop(dropped, cascade)
    const text = `Dropped graphs ${bracketed(dropped)}`
    await this.#change({ graph: null, text, mayWrite: everywhere }, (catalog) =>
      dropped.reduce(dropGraph, catalog),
    )
    for (const name of dropped) await this.#forget(name)
    return dropped
  }

  #checkMayDrop(dropped: readonly string[], cascade: boolean): void {
    const { queries, jobs } = this.#options
    for (const name of dropped) {
      requireGraph(this.#catalog, name)
      const saved = queries.namesOf(name)
      if (!cascade && saved.length > 0) {
        throw schemaError(`The graph ${name} has the queries ${bracketed(saved)}; use cascade.`)
      }
      const own = jobs.of(name).map((job) => job.name)
      if (!cascade && own.length > 0) {
        throw schemaError(`The graph ${name} has the jobs ${bracketed(own)}; use cascade.`)
      }
    }
  }

  /** What is kept beside the catalogue under the name of a graph. */
  async #forget(graph: string): Promise<void> {
    const { queries, jobs, users } = this.#options
    await queries.dropAllOf(graph)
    await jobs.dropAllOf(graph)
    await users?.forgetGraph(graph)
  }

  /** @throws DbError SCHEMA_RULE naming the first reference that leads nowhere */
  check(): void {
    const { vertexTypes, edgeTypes, graphs } = this.#catalog
    const vertices = new Set(vertexTypes.map(({ id }) => id))
    const edges = new Set(edgeTypes.map(({ id }) => id))
    for (const { name, pairs } of edgeTypes) {
      const isWhole = pairs.every(
        (one) => vertices.has(one.fromTypeId) && vertices.has(one.toTypeId),
      )
      if (!isWhole) throw schemaError(`The edge ${name} joins a vertex type that does not exist.`)
    }
    for (const { name, vertexTypeIds, edgeTypeIds } of graphs) {
      const isWhole =
        vertexTypeIds.every((id) => vertices.has(id)) && edgeTypeIds.every((id) => edges.has(id))
      if (!isWhole) throw schemaError(`The graph ${name} lists a type that does not exist.`)
    }
  }

  /** @throws DbError SCHEMA_RULE also for another graph than the one it is a change of */
  async changeSchema(
    graph: string | null,
    change: SchemaChange,
    mayWrite: MayWriteSchema,
  ): Promise<string> {
    const other = change.graphs.find(({ graphName }) => graph !== null && graphName !== graph)
    if (other !== undefined) {
      throw schemaError(`A change of graph ${graph} cannot change graph ${other.graphName}.`)
    }
    const text =
      graph === null
        ? 'Global schema change runs successfully'
        : 'Schema change job runs successfully'
    return await this.#changeParts(graph, change, { graph, text, mayWrite })
  }
}

/** Where a change is made and who makes it; the text is for the time axis, and the answer. */
interface Told {
  readonly graph: string | null
  readonly text: string
  readonly mayWrite: MayWriteSchema
}

function isAll(names: readonly string[]): boolean {
  return names.length === 1 && names[0] === 'all'
}

export function bracketed(names: readonly string[]): string {
  return `[${names.join(', ')}]`
}

/** docs/reference/rest.md: `Failed to create edges [E]. Semantic Check Fails: …` */
async function withContext<T>(prefix: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    if (!isDbError(error) || !error.message.startsWith('Semantic Check Fails')) throw error
    const { code, details } = error
    throw new DbError(code, `${prefix}${error.message}`, { details, cause: error })
  }
}
