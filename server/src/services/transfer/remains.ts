/** What an import that was cut short has left, told apart from what somebody else has made. */
import { findGraph } from '#catalog/lookup.ts'
import type { Catalog, ImportedSchema } from '#catalog/types.ts'
import { DbError } from '#kernel/errors.ts'
import type { JobStore } from '../jobs/job-store.ts'
import type { DataSources } from '../loading/data-sources.ts'
import type { StoredQueries } from '../queries/stored-query.ts'
import type { TemplateDocument } from './export-manifest.ts'
import type { SchemaDocument } from './schema-document.ts'

/** What the catalogue notes of the import that made a schema. */
export function importedSchema(
  id: string,
  before: Catalog,
  after: Catalog,
  schema: SchemaDocument,
): ImportedSchema {
  const isNew = ({ id: typeId }: { readonly id: number }) => typeId >= before.nextTypeId
  const types = [...after.vertexTypes, ...after.edgeTypes].filter(isNew)
  const graphs = schema.graphs.map(({ name }): [string, number] => [
    name,
    findGraph(after, name)?.schemaVersion ?? 0,
  ])
  return { id, graphs: Object.fromEntries(graphs), typeIds: types.map(({ id: typeId }) => typeId) }
}

/** Whether the schema is as that import has made it: nothing was dropped, changed or made anew. */
export function isSchemaOf(id: string, catalog: Catalog): boolean {
  const { imported } = catalog
  if (imported?.id !== id) return false
  const typeIds = new Set([...catalog.vertexTypes, ...catalog.edgeTypes].map((type) => type.id))
  return (
    imported.typeIds.every((typeId) => typeIds.has(typeId)) &&
    Object.entries(imported.graphs).every(
      ([name, version]) => findGraph(catalog, name)?.schemaVersion === version,
    )
  )
}

export interface TemplateParts {
  readonly queries: StoredQueries
  readonly jobs: JobStore
  readonly sources: DataSources
}

/**
 * The parts of a template that are still to be made.
 * @param mayRemain what is there and equal was left by an import that was cut short
 * @throws DbError NAME_TAKEN for a name under which there is something else
 */
export function missingParts(
  template: TemplateDocument,
  { queries, jobs, sources }: TemplateParts,
  mayRemain: boolean,
): TemplateDocument {
  const isMissing = (kind: string, wanted: Named, found: object | undefined) => {
    if (found === undefined) return true
    if (mayRemain && isEqual(wanted, found)) return false
    throw new DbError('NAME_TAKEN', `The ${kind} ${wanted.name} already exists.`)
  }
  return {
    queries: template.queries.filter((query) =>
      isMissing('query', query, queries.find(query.graph, query.name)),
    ),
    jobs: template.jobs.filter((job) => isMissing('job', job, jobs.find(job.graph, job.name))),
    dataSources: template.dataSources.filter((source) => {
      const found = sources.livingIn(source.graph).find(({ name }) => name === source.name)
      return isMissing('data source', source, found)
    }),
  }
}

interface Named {
  readonly name: string
}

/** Owners come last, and graphs that were not imported are granted nothing. */
const LATER = new Set(['owner', 'grantedTo'])

function isEqual(wanted: object, found: object): boolean {
  return textOf(wanted) === textOf(found)
}

function textOf(value: object): string {
  const entries = Object.entries(value).filter(
    ([key, part]) => part !== undefined && !LATER.has(key),
  )
  return JSON.stringify(entries.sort(([one], [other]) => (one < other ? -1 : 1)))
}
