/** User-defined tuples, and accumulator types. */
import { accumsOf, createAccum, dropAccum } from '#catalog/accums.ts'
import { withVersions } from '#catalog/graphs.ts'
import { schemaError } from '#catalog/rule.ts'
import {
  createTuple,
  dropTuple,
  type TupleElementJson,
  type TupleJson,
  tupleToJson,
} from '#catalog/tuples.ts'
import type { AccumDefinition, Catalog } from '#catalog/types.ts'
import { DbError } from '#kernel/errors.ts'
import { ACCUM_TYPEDEF_SIZE_CHARS_MAX } from '#kernel/limits.ts'
import {
  accumTypedefSyntax,
  placeInTypedef,
  queryOf,
} from '#query/bind/accumulators/accum-typedef.ts'
import { compileFrontEnd } from '#query/bind/compile.ts'
import { invalidQuery } from '../queries/compiled-queries.ts'
import type { CatalogStore } from './schema-service.ts'

export interface NewTuple {
  readonly Name: string
  readonly TupleElements: readonly TupleElementJson[]
}

export class TupleService {
  readonly #store: CatalogStore

  constructor(store: CatalogStore) {
    this.#store = store
  }

  /** @throws DbError TUPLE_NOT_FOUND when a name is given and no tuple has it */
  list(name: string | undefined): readonly TupleJson[] {
    const { tuples } = this.#store.catalog
    const chosen = tuples.filter((tuple) => name === undefined || tuple.name === name)
    if (name === undefined || chosen.length > 0) return chosen.map(tupleToJson)
    throw schemaError(`The tuple ${name} does not exist.`, 'TUPLE_NOT_FOUND')
  }

  async create(tuples: readonly NewTuple[]): Promise<string> {
    await this.#store.changeCatalog((catalog) =>
      withVersions(
        catalog,
        tuples.reduce(
          (next, { Name, TupleElements }) => createTuple(next, Name, TupleElements),
          catalog,
        ),
      ),
    )
    return `Successfully create tuples: ${tuples.map((tuple) => tuple.Name).join(', ')}.`
  }

  async drop(names: readonly string[]): Promise<string> {
    await this.#store.changeCatalog((catalog) =>
      withVersions(catalog, names.reduce(dropTuple, catalog)),
    )
    return `Successfully dropped userDefinedTuple: [${names.join(', ')}].`
  }

  /** @throws DbError TUPLE_NOT_FOUND when a name is given and no accumulator has it */
  listAccums(name: string | undefined): readonly AccumDefinition[] {
    const accums = accumsOf(this.#store.catalog)
    const chosen = accums.filter((accum) => name === undefined || accum.name === name)
    if (name === undefined || chosen.length > 0) return chosen
    throw schemaError(`The accumulator ${name} does not exist.`, 'TUPLE_NOT_FOUND')
  }

  /**
   * @param text `TYPEDEF HeapAccum<T>(3, f DESC) Top`
   * @throws DbError QUERY_INVALID with what is wrong in it, INVALID_NAME, NAME_TAKEN
   */
  async createAccum(text: string): Promise<string> {
    const definition = text.trim()
    if (definition.length > ACCUM_TYPEDEF_SIZE_CHARS_MAX) {
      const limit = `${ACCUM_TYPEDEF_SIZE_CHARS_MAX} characters`
      throw new DbError('BODY_TOO_LARGE', `The definition is longer than ${limit}.`)
    }
    const { name } = accumTypedefSyntax(definition)
    await this.#store.changeCatalog((catalog) => {
      const next = createAccum(catalog, { name, text: definition })
      checkBinds(catalog, definition)
      return withVersions(catalog, next)
    })
    return name
  }

  async dropAccums(names: readonly string[]): Promise<string> {
    await this.#store.changeCatalog((catalog) =>
      withVersions(catalog, names.reduce(dropAccum, catalog)),
    )
    return `Successfully dropped accumulator: [${names.join(', ')}].`
  }
}

/** In a graph of all global types: an accumulator belongs to no graph. */
function checkBinds(catalog: Catalog, text: string): void {
  const globals = catalog.vertexTypes.filter(({ graph }) => graph === null)
  const graph = {
    ...{ name: 'all', edgeTypeIds: [], schemaVersion: 0 },
    vertexTypeIds: globals.map(({ id }) => id),
  }
  const { queries, diagnostics } = compileFrontEnd(
    queryOf(text),
    { ...catalog, graphs: [graph] },
    graph.name,
  )
  if (queries.length > 0) return
  const own = diagnostics.map((diagnostic) => {
    return { ...diagnostic, place: placeInTypedef(diagnostic.place), query: '' }
  })
  throw invalidQuery(own)
}
