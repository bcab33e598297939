/** Liveness, versions, the endpoint catalogue and the monitor's own calls. */
import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { name, queryBoolean, queryInteger, queryString } from './parameters.ts'

const told = z.object({ error: z.boolean(), message: z.string() })

export const echo = endpoint({
  method: ['GET', 'POST'],
  path: '/restpp/echo',
  at: 'any',
  ofInstance: true,
  summary: 'Say hello, after a pause when asked',
  query: z.object({ sleep: queryInteger(0, 60).default(0) }),
  response: told,
  envelope: 'bare',
  privilege: 'AUTHENTICATED',
  errors: [],
})

export const ping = endpoint({
  method: 'GET',
  path: '/api/ping',
  at: 'any',
  ofInstance: true,
  summary: 'Whether the server answers at all',
  response: told.extend({ results: z.null() }),
  envelope: 'bare',
  privilege: 'PUBLIC',
  errors: [],
})

export const readReadiness = endpoint({
  method: 'GET',
  path: '/quiver/v1/ready',
  at: 'any',
  ofInstance: true,
  summary: 'Whether the server takes requests, and whether its store takes writes',
  query: z.object({
    /** 503 while the store takes no writes: for who sends writes to servers that take them. */
    writable: queryBoolean.default(false),
  }),
  response: z.object({
    ready: z.boolean(),
    store: z.enum(['ready', 'read-only']),
    reason: z.string().optional(),
    /** Of an instance that shares its store. */
    role: z.enum(['writer', 'follower']).optional(),
    stalenessMs: z.number().optional(),
  }),
  envelope: 'gsql',
  privilege: 'PUBLIC',
  errors: ['STORE_READ_ONLY'],
})

export const readRestppVersion = endpoint({
  method: 'GET',
  path: '/restpp/version',
  at: 'any',
  ofInstance: true,
  summary: 'Component versions as the text that clients take apart',
  response: told,
  envelope: 'bare',
  privilege: 'AUTHENTICATED',
  errors: [],
})

export const readGsqlVersion = endpoint({
  method: 'GET',
  path: '/gsql/v1/version',
  at: 'any',
  ofInstance: true,
  summary: 'The language version, as plain text',
  query: z.object({ verbose: queryBoolean.optional() }),
  response: z.string(),
  envelope: 'text',
  privilege: 'AUTHENTICATED',
  errors: [],
})

export const listEndpoints = endpoint({
  method: 'GET',
  path: ['/restpp/endpoints', '/restpp/endpoints/{graph}'],
  at: 'any',
  summary: 'The RESTPP endpoints, those of installed queries included',
  params: z.object({ graph: name.optional() }),
  query: z.object({
    builtin: queryBoolean.default(false),
    dynamic: queryBoolean.default(false),
    static: queryBoolean.default(false),
  }),
  response: z.record(z.string(), z.unknown()),
  envelope: 'bare',
  privilege: 'AUTHENTICATED',
  errors: ['GRAPH_NOT_FOUND'],
})

const passed = z.object({ PassCheck: z.boolean(), UnSyncList: z.array(z.unknown()) })

export const dataConsistencyCheck = endpoint({
  method: 'GET',
  path: '/restpp/data_consistency_check',
  at: 'any',
  summary: 'Compare the storage with the processing engine; there are no replicas to compare',
  query: z.object({ threadnum: queryInteger(1, 256).optional() }),
  response: z.object({
    GPESelfCheck: z.array(passed.extend({ Partition: z.number() })),
    GPEGSECheck: z.array(passed.extend({ GPE: z.string() })),
  }),
  envelope: 'restpp',
  privilege: 'READ_DATA',
  errors: ['STORE_FAILED'],
})

export const showLicense = endpoint({
  method: 'GET',
  path: '/restpp/showlicenseinfo',
  at: 'any',
  ofInstance: true,
  summary: 'There is no license to show: this server needs none',
  response: z.array(z.unknown()),
  envelope: 'restpp',
  privilege: 'AUTHENTICATED',
  errors: [],
})

const timestamp = z.union([z.string(), z.number(), z.bigint()])

export const readReplication = endpoint({
  method: 'GET',
  path: '/gsql/v1/replication',
  at: 'any',
  ofInstance: true,
  summary: 'How far a second cluster is behind: there is none, so nothing waits',
  response: z.object({ numChangesToBeReplicated: z.number(), lastSeqId: z.number() }),
  envelope: 'gsql-top',
  privilege: 'AUTHENTICATED',
  errors: [],
})

export const readMetricHistory = endpoint({
  method: 'POST',
  path: '/informant/metrics/get/{category}',
  at: 'any',
  ofInstance: true,
  summary: 'Samples of one category, newest first',
  params: z.object({ category: z.enum(['cpu-memory', 'diskspace', 'network', 'qps']) }),
  body: z
    .object({
      TimeRange: z
        .object({ StartTimestampNS: timestamp.optional(), EndTimestampNS: timestamp.optional() })
        .optional(),
      LatestNum: z.union([z.number(), z.string()]).optional(),
      HostID: z.string().optional(),
      /** Of cpu-memory: services, and lower bounds in percent and megabytes. */
      ServiceDescriptors: z.array(z.object({ ServiceName: z.string() })).optional(),
      CPUUsage: z.number().optional(),
      MemoryUsage: z.number().optional(),
      /** Of diskspace. */
      PathName: z.string().optional(),
      /** Of qps. */
      Endpoint: z.string().optional(),
    })
    .optional(),
  response: z.record(z.string(), z.array(z.unknown())),
  envelope: 'bare',
  privilege: 'AUTHENTICATED',
  errors: [],
})

const seconds = queryInteger(0, Number.MAX_SAFE_INTEGER)

/** Of 3.x; what it answers is that of `readMetricHistory`. */
export const readDatapoints = endpoint({
  method: 'GET',
  path: '/ts3/api/datapoints',
  at: 'any',
  ofInstance: true,
  summary: 'Samples of one category, as clients of 3.x ask for them',
  query: z.object({
    what: z.enum(['cpu', 'mem', 'cpu-memory', 'diskspace', 'network', 'qps']),
    /** Since 1970. */
    from: seconds.optional(),
    to: seconds.optional(),
    latest: seconds.optional(),
    /** A host. */
    where: queryString.optional(),
  }),
  response: z.record(z.string(), z.array(z.unknown())),
  envelope: 'bare',
  privilege: 'AUTHENTICATED',
  errors: [],
})

export const readServiceStatus = endpoint({
  method: 'POST',
  path: '/informant/current-service-status',
  at: 'any',
  ofInstance: true,
  summary: 'The state of each named service; of all of them when none is named',
  body: z
    .object({
      ServiceDescriptors: z
        .array(
          z.object({
            ServiceName: z.string(),
            Partition: z.number().optional(),
            Replica: z.number().optional(),
          }),
        )
        .optional(),
    })
    .optional(),
  response: z.object({ ServiceStatusEvents: z.array(z.unknown()) }),
  envelope: 'bare',
  privilege: 'AUTHENTICATED',
  errors: [],
})

export const readOpenApi = endpoint({
  method: 'GET',
  path: '/openapi.json',
  at: 'any',
  ofInstance: true,
  summary: 'This interface as OpenAPI 3.1',
  response: z.record(z.string(), z.unknown()),
  envelope: 'bare',
  privilege: 'PUBLIC',
  errors: [],
})

const docs = {
  method: 'GET',
  response: z.string(),
  envelope: 'text',
  privilege: 'PUBLIC',
  errors: [],
} as const

export const readDocsPage = endpoint({
  ...docs,
  path: '/quiver/v1/docs',
  at: 'any',
  ofInstance: true,
  summary: 'This interface as a page to read',
  contentType: 'text/html; charset=utf-8',
})

export const readDocsScript = endpoint({
  ...docs,
  path: '/quiver/v1/docs/page.js',
  at: 'any',
  ofInstance: true,
  summary: 'Script of the page to read',
  contentType: 'text/javascript; charset=utf-8',
})

export const readDocsStyle = endpoint({
  ...docs,
  path: '/quiver/v1/docs/style.css',
  at: 'any',
  ofInstance: true,
  summary: 'Style of the page to read',
  contentType: 'text/css; charset=utf-8',
})
