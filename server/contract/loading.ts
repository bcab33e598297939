/** Loading jobs, and data fed to them by request. */
import { z } from 'zod'
import { bytesBody, endpoint } from './endpoint.ts'
import { graphQuery, name, queryBoolean, queryList, queryString } from './parameters.ts'

const graph = queryString
const jobErrors = ['GRAPH_NOT_FOUND', 'REQUEST_NOT_FOUND', 'INVALID_PARAMETER'] as const
const writeErrors = ['STORE_READ_ONLY', 'STORE_FAILED', 'DISK_FULL'] as const
const loadErrors = [...jobErrors, ...writeErrors, 'INVALID_PAYLOAD', 'MEMORY_LIMIT'] as const

/** What a client shows of a job without reading GSQL. */
const jobParts = z.object({
  JobName: z.string(),
  GraphName: z.string(),
  FileNames: z.record(z.string(), z.string()),
  Headers: z.record(z.string(), z.array(z.string()).readonly()),
  Filters: z.array(z.string()),
  LoadingStatements: z.array(z.record(z.string(), z.unknown())),
})

const statistics = z.record(z.string(), z.unknown())

/** An addition, beside `statistics`: clients take a count in there for lines that did not fit. */
const effects = z.object({
  /** Attributes for which lines had nothing: a new object has the default, an existing one is as before. */
  defaultedValues: z.int(),
  defaulted: z
    .array(z.object({ typeName: z.string(), attribute: z.string(), count: z.int() }))
    .readonly(),
  /** Vertices that edges made as their ends. */
  createdEndpoints: z.int(),
})

export const feedLoadingJob = endpoint({
  method: 'POST',
  path: '/restpp/ddl/{graph}',
  at: 'writer',
  keyed: true,
  summary: 'Feed the lines of the body to a loading job',
  params: z.object({ graph: name }),
  query: z.object({
    /** The job. */
    tag: queryString,
    /** A file variable of the job, its path, or `__GSQL_FILENAME_0__`. */
    filename: queryString.default('__GSQL_FILENAME_0__'),
    sep: queryString.optional(),
    eol: queryString.optional(),
    /** Only the counts of objects. */
    concise: queryBoolean.default(false),
  }),
  body: bytesBody,
  bodyFormat: 'lines',
  bodySize: 'data',
  response: z.array(z.object({ sourceFileName: z.string(), statistics, quiver: effects })),
  envelope: 'restpp',
  privilege: 'EXECUTE_LOADINGJOB',
  errors: loadErrors,
})

export const listLoadingJobs = endpoint({
  method: 'GET',
  path: '/gsql/v1/loading-jobs',
  at: 'any',
  summary: 'Names of the loading jobs of a graph',
  query: z.object({ graph }),
  response: z.object({ jobNames: z.array(z.string()).readonly() }),
  envelope: 'gsql-top',
  privilege: 'READ_LOADINGJOB',
  errors: ['GRAPH_NOT_FOUND'],
})

export const createLoadingJob = endpoint({
  method: ['POST', 'PUT'],
  path: '/gsql/v1/loading-jobs',
  at: 'writer',
  summary: 'Create a loading job from its text; PUT replaces one of the same name',
  query: z.object({ graph }),
  body: z.string(),
  bodyFormat: 'text',
  bodySize: 'script',
  response: z.undefined(),
  envelope: 'gsql',
  privilege: 'WRITE_LOADINGJOB',
  errors: [...jobErrors, ...writeErrors, 'NAME_TAKEN', 'SCHEMA_RULE'],
})

const loadSource = z.object({
  filename: z.string(),
  /** A data source; absent or `file`: the directory for loading. */
  name: z.string().optional(),
  path: z.string().optional(),
})
const loadRequest = z.object({
  name,
  dataSources: z.array(loadSource).default([]),
  dryrun: z.boolean().default(false),
  /** What `$sys.data_root` stands for. */
  'sys.data_root': z.string().optional(),
  /** From how many bad lines and objects on a run fails. */
  maxNumError: z.int().min(0).optional(),
  maxPercentError: z.number().min(0).max(100).optional(),
})

export const runLoadingJobs = endpoint({
  method: 'POST',
  path: '/gsql/v1/loading-jobs/run',
  at: 'writer',
  summary: 'Run loading jobs over files of the server; what takes longer goes on by itself',
  query: z.object({ graph }),
  body: z.union([loadRequest, z.array(loadRequest).min(1)]),
  bodyFormat: 'json-or-form',
  response: z.object({ jobIds: z.array(z.string()) }),
  envelope: 'gsql-top',
  privilege: 'EXECUTE_LOADINGJOB',
  errors: loadErrors,
})

export const readLoadingStatus = endpoint({
  method: 'GET',
  path: [
    '/gsql/v1/loading-jobs/status',
    '/gsql/v1/loading-jobs/status/{id}',
    '/gsqlserver/gsql/loading-jobs',
  ],
  at: 'named',
  summary: 'How far runs of loading jobs are, or what they did; without ids all, newest first',
  params: z.object({ id: name.optional() }),
  query: z.object({
    graph,
    jobIds: queryList.optional(),
    jobId: queryList.optional(),
    /** Of 3.x, where this is the only one that is answered. */
    action: queryString.pipe(z.literal('getprogress')).optional(),
  }),
  response: z.array(z.object({ overall: statistics, workers: z.array(z.unknown()) })),
  envelope: 'gsql',
  privilege: 'READ_LOADINGJOB',
  errors: jobErrors,
})

export const abortLoadingJobs = endpoint({
  method: 'GET',
  path: ['/gsql/v1/loading-jobs/abort', '/gsql/v1/loading-jobs/abort/{id}'],
  at: 'named',
  summary:
    'End runs of loading jobs, or with isPause stop them for a while; what they loaded stays',
  params: z.object({ id: name.optional() }),
  query: z.object({
    graph,
    jobIds: queryList.optional(),
    jobId: queryList.optional(),
    isPause: queryBoolean.default(false),
  }),
  response: z.undefined(),
  envelope: 'gsql',
  getChanges: 'some',
  privilege: 'EXECUTE_LOADINGJOB',
  audited: true,
  errors: jobErrors,
})

export const resumeLoadingJob = endpoint({
  method: 'GET',
  path: '/gsql/v1/loading-jobs/resume/{id}',
  at: 'named',
  summary: 'Let a paused run of a loading job go on',
  params: z.object({ id: name }),
  query: z.object({ graph: graphQuery }),
  response: z.undefined(),
  envelope: 'gsql',
  getChanges: 'some',
  privilege: 'EXECUTE_LOADINGJOB',
  ofSomeGraph: true,
  audited: true,
  errors: jobErrors,
})

export const readLoadingJob = endpoint({
  method: 'GET',
  path: '/gsql/v1/loading-jobs/{job}',
  at: 'any',
  summary: 'The text of a loading job, or with json=true its parts',
  params: z.object({ job: name }),
  query: z.object({ graph, json: queryBoolean.default(false) }),
  response: z.union([z.object({ jobName: z.string(), jobContent: z.string() }), jobParts]),
  envelope: 'gsql',
  privilege: 'READ_LOADINGJOB',
  errors: jobErrors,
})

export const dropLoadingJob = endpoint({
  method: 'DELETE',
  path: '/gsql/v1/loading-jobs/{job}',
  at: 'writer',
  summary: 'Drop a loading job',
  params: z.object({ job: name }),
  query: z.object({ graph }),
  response: z.undefined(),
  envelope: 'gsql',
  privilege: 'WRITE_LOADINGJOB',
  errors: [...jobErrors, ...writeErrors],
})
