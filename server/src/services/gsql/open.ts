/** Puts the parts of scripts together. */
import type { Catalog } from '#catalog/types.ts'
import type { Clock } from '#kernel/clock.ts'
import type { AccountService } from '../auth/account-service.ts'
import type { DocumentStore } from '../auth/user-store.ts'
import type { VertexService } from '../inspect/vertex-service.ts'
import type { QueryService } from '../queries/query-service.ts'
import type { RunService } from '../queries/run-service.ts'
import type { SchemaService } from '../schema/schema-service.ts'
import type { TupleService } from '../schema/tuple-service.ts'
import { AccountCommands } from './account-commands.ts'
import { DetachedScripts } from './detached-scripts.ts'
import { GsqlService } from './gsql-service.ts'
import { JobStore } from './job-store.ts'
import { QueryCommands } from './query-commands.ts'
import { SchemaCommands } from './schema-commands.ts'
import { StoreCommands } from './store-commands.ts'

export interface GsqlParts {
  readonly catalogue: { readonly catalog: Catalog }
  readonly documents: DocumentStore
  readonly clock: Clock
  readonly schema: SchemaService
  readonly tuples: TupleService
  readonly vertices: VertexService
  readonly queries: QueryService
  readonly runs: RunService
  readonly accounts: AccountService
  readonly versionText: string
}

export interface Gsql {
  readonly gsql: GsqlService
  readonly store: StoreCommands
  readonly detached: DetachedScripts
}

export async function openGsql(parts: GsqlParts): Promise<Gsql> {
  const { catalogue, clock, schema, tuples, vertices, queries, runs, versionText } = parts
  const jobs = await JobStore.open(parts.documents)
  const store = new StoreCommands({ catalogue, schema, tuples, vertices, jobs })
  const gsql = new GsqlService({
    catalogue,
    jobs,
    schema: new SchemaCommands({ catalogue, schema, tuples, jobs, clock }),
    queries: new QueryCommands({ catalogue, queries, runs }),
    accounts: new AccountCommands(parts.accounts),
    store,
    versionText,
  })
  return { gsql, store, detached: new DetachedScripts(clock) }
}
