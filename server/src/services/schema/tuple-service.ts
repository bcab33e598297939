/** User-defined tuples (contract 3.12). */
import { withVersions } from '#catalog/graphs.ts'
import { schemaError } from '#catalog/rule.ts'
import {
  createTuple,
  dropTuple,
  type TupleElementJson,
  type TupleJson,
  tupleToJson,
} from '#catalog/tuples.ts'
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
}
