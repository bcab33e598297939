/** The names of all endpoints: operation ids of the OpenAPI document, and what documents call them. */

import * as absent from './absent.ts'
import * as auth from './auth.ts'
import * as builtins from './builtins.ts'
import * as consoleSettings from './console-settings.ts'
import * as dataSources from './data-sources.ts'
import * as diagnosis from './diagnosis.ts'
import * as documents from './documents.ts'
import * as elementStream from './element-stream.ts'
import type { Endpoint } from './endpoint.ts'
import * as indexUsage from './index-usage.ts'
import * as indexes from './indexes.ts'
import * as inspect from './inspect.ts'
import * as instances from './instances.ts'
import * as loading from './loading.ts'
import * as packages from './packages.ts'
import * as paths from './paths.ts'
import * as plannerStatistics from './planner-statistics.ts'
import * as queries from './queries.ts'
import * as queryDescriptions from './query-descriptions.ts'
import * as queryPlans from './query-plans.ts'
import * as quiverData from './quiver-data.ts'
import * as roles from './roles.ts'
import * as sample from './sample.ts'
import * as schema from './schema.ts'
import * as schemaJobs from './schema-jobs.ts'
import * as serverLog from './server-log.ts'
import * as session from './session.ts'
import * as statements from './statements.ts'
import * as statistics from './statistics.ts'
import * as statisticsStream from './statistics-stream.ts'
import * as system from './system.ts'
import * as transfer from './transfer.ts'
import * as tuples from './tuples.ts'
import * as upsert from './upsert.ts'
import * as workload from './workload.ts'

const modules: readonly Readonly<Record<string, unknown>>[] = [
  absent,
  auth,
  builtins,
  consoleSettings,
  dataSources,
  diagnosis,
  documents,
  elementStream,
  indexUsage,
  indexes,
  inspect,
  instances,
  loading,
  packages,
  paths,
  plannerStatistics,
  queries,
  queryDescriptions,
  queryPlans,
  quiverData,
  roles,
  sample,
  schema,
  schemaJobs,
  serverLog,
  session,
  statements,
  statistics,
  statisticsStream,
  system,
  transfer,
  tuples,
  upsert,
  workload,
]

/** By endpoint, its name in the contract: `createIndexes`. Each name is given once. */
export const endpointNames: ReadonlyMap<Endpoint, string> = new Map(
  modules.flatMap((module) =>
    Object.entries(module).flatMap(([name, value]) =>
      isEndpoint(value) ? [[value, name] as const] : [],
    ),
  ),
)

function isEndpoint(value: unknown): value is Endpoint {
  return typeof value === 'object' && value !== null && 'methods' in value && 'paths' in value
}
