/** Schema, indexes and tuples: their services and routes, and what follows a change of the schema. */
import type { FastifyInstance } from 'fastify'
import type { GraphEngine } from '#graph/engine.ts'
import { IndexFactsReader } from '#graph/index/facts.ts'
import { mountIndexRoutes } from '#http/routes/indexes.ts'
import { mountImpactRoute, mountSchemaRoutes } from '#http/routes/schema.ts'
import { mountTupleRoutes } from '#http/routes/tuples.ts'
import type { RoleService } from '#services/auth/role-service.ts'
import { IndexService } from '#services/indexes/index-service.ts'
import type { IndexPlace, IndexUsage } from '#services/indexes/index-usage.ts'
import type { JobStore } from '#services/jobs/job-store.ts'
import type { QueryService } from '#services/queries/query-service.ts'
import { ImpactService } from '#services/schema/impact-service.ts'
import { SchemaService } from '#services/schema/schema-service.ts'
import type { GraphUsers } from '#services/schema/schema-users.ts'
import { TupleService } from '#services/schema/tuple-service.ts'
import type { Documents } from '#storage/documents.ts'
import type { ServerOptions } from './server-options.ts'
import type { Mark } from './system.ts'

/** What a crash kept from following the last renames follows them first. */
export async function openGraphUsers(
  engine: GraphEngine,
  { documents, roles }: { readonly documents: Documents; readonly roles: RoleService },
  keepers: readonly Pick<GraphUsers, 'forgetGraph'>[],
): Promise<GraphUsers> {
  await documents.asWriter(async () => {
    const { renames } = engine.catalog
    if (renames !== undefined) await roles.followRenames(renames)
  })
  return {
    forgetGraph: async (graph) => {
      for (const keeper of [roles, ...keepers]) await keeper.forgetGraph(graph)
    },
    followRenames: (renames) => roles.followRenames(renames),
  }
}

interface SchemaParts {
  readonly engine: GraphEngine
  readonly queries: QueryService
  readonly jobs: JobStore
  readonly mark: Mark
  readonly users: GraphUsers
  readonly lookups: IndexUsage
  readonly options: ServerOptions
}

export function mountSchema(app: FastifyInstance, parts: SchemaParts) {
  const { engine, queries, jobs, mark, lookups: usage } = parts
  const marking = (kind: 'schema' | 'index') => (graph: string | null, text: string) =>
    mark(kind, graph, text)
  const onChange = marking('schema')
  const schema = new SchemaService({ ...parts, store: engine, onChange, moved: usage.moved })
  const tuples = new TupleService(engine)
  mountSchemaRoutes(app, schema)
  const facts = new IndexFactsReader({ ...parts.options, tables: engine.tables })
  const factsOf = (place: IndexPlace) => facts.read(place.typeId, place.attributeId)
  mountIndexRoutes(
    app,
    new IndexService({ store: engine, usage, queries, factsOf, onChange: marking('index') }),
  )
  mountTupleRoutes(app, tuples)
  mountImpactRoute(app, new ImpactService({ ...parts.options, engine, queries, jobs }))
  return { schema, tuples }
}
