/** The life of a query: create and install, read, run, watch, abort. */
import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { anyQuery, graphQuery, name, queryBoolean, queryList, queryString } from './parameters.ts'

const graph = queryString
const queryText = z.string()

/**
 * The text, with its parameters in the URL; or JSON `{"text": …, "parameters": {…}}`, which takes
 * parameters of every type as a run by POST does.
 */
export const textOrCall = z.union([queryText, z.record(z.string(), z.unknown())])

export const createQueries = endpoint({
  method: 'POST',
  path: '/gsql/v1/queries',
  at: 'writer',
  summary: 'Create and install every query of a GSQL text; install=false only saves them',
  query: z.object({ graph: graphQuery, install: queryBoolean.default(true) }),
  body: queryText,
  bodyFormat: 'text',
  bodySize: 'script',
  response: z.undefined(),
  envelope: 'gsql',
  privilege: 'CREATE_QUERY',
  ofSomeGraph: true,
  errors: ['GRAPH_NOT_FOUND', 'QUERY_INVALID', 'NAME_TAKEN'],
})

export const listQueries = endpoint({
  method: 'GET',
  path: '/gsql/v1/queries',
  at: 'any',
  summary: 'Names of the queries of a graph',
  query: z.object({ graph }),
  response: z.array(z.string()),
  envelope: 'gsql',
  privilege: 'READ_QUERY',
  errors: ['GRAPH_NOT_FOUND'],
})

const dropOutcome = z.object({
  dropped: z.array(z.string()).readonly(),
  failedToDrop: z.array(z.string()).readonly(),
})

export const dropQueries = endpoint({
  method: 'DELETE',
  path: '/gsql/v1/queries',
  at: 'writer',
  summary: 'Drop several queries',
  query: z.object({ graph, query: queryList.optional(), queries: queryList.optional() }),
  response: dropOutcome,
  envelope: 'gsql-top',
  privilege: 'DROP_QUERY',
  errors: ['GRAPH_NOT_FOUND', 'QUERY_NOT_FOUND'],
})

export const readQuery = endpoint({
  method: 'GET',
  path: '/gsql/v1/queries/{query}',
  at: 'any',
  summary: 'The text and status of one query',
  params: z.object({ query: name }),
  query: z.object({ graph }),
  response: z.object({
    name: z.string(),
    queryContent: z.string(),
    syntax: z.string(),
    status: z.string(),
  }),
  envelope: 'gsql-top',
  privilege: 'READ_QUERY',
  byOwner: true,
  errors: ['GRAPH_NOT_FOUND', 'QUERY_NOT_FOUND'],
})

export const dropQuery = endpoint({
  method: 'DELETE',
  path: '/gsql/v1/queries/{query}',
  at: 'writer',
  summary: 'Drop one query',
  params: z.object({ query: name }),
  query: z.object({ graph }),
  response: dropOutcome,
  envelope: 'gsql-top',
  privilege: 'DROP_QUERY',
  byOwner: true,
  errors: ['GRAPH_NOT_FOUND', 'QUERY_NOT_FOUND'],
})

export const installQueries = endpoint({
  method: ['GET', 'POST'],
  path: ['/gsql/v1/queries/install', '/gsqlserver/gsql/queries/install'],
  at: 'writer',
  summary: 'Install saved queries; what is installed already is left alone unless forced',
  query: z.object({
    graph,
    queries: queryList.optional(),
    query: queryList.optional(),
    flag: queryList.optional(),
    async: queryBoolean.optional(),
  }),
  response: z.object({
    requestId: z.string().optional(),
    startTime: z.string().optional(),
    endTime: z.string().optional(),
  }),
  envelope: 'gsql-top',
  getChanges: 'some',
  privilege: 'INSTALL_QUERY',
  errors: ['GRAPH_NOT_FOUND', 'QUERY_NOT_FOUND', 'QUERY_INVALID'],
})

export const readInstallation = endpoint({
  method: 'GET',
  path: '/gsql/v1/queries/install/{request_id}',
  at: 'named',
  summary: 'How an installation goes that was asked for with async=true',
  params: z.object({ request_id: name }),
  response: z.object({
    state: z.enum(['RUNNING', 'SUCCESS', 'FAILED']),
    results: z.string(),
    graph: z.string(),
    requestId: z.string(),
    queries: z.array(z.object({ name: z.string(), state: z.string() })),
    startTime: z.string(),
    endTime: z.string().optional(),
  }),
  envelope: 'gsql-top',
  privilege: 'INSTALL_QUERY',
  ofSomeGraph: true,
  errors: ['REQUEST_NOT_FOUND'],
})

export const queryInfo = z.object({
  name: z.string(),
  code: z.string(),
  syntax: z.string(),
  /** `VALID` or `DRAFT`. */
  status: z.string(),
  installed: z.boolean(),
  installing: z.boolean(),
  enabled: z.boolean(),
  isHidden: z.boolean(),
  isACLSpecified: z.boolean(),
  graphUpdate: z.boolean(),
  callerQueries: z.array(z.string()),
  /** Who may do everything with it; absent: nobody in particular. */
  owner: z.string().optional(),
  endpoint: z.record(z.string(), z.unknown()),
})

export const readQueryInfo = endpoint({
  method: 'GET',
  path: '/gsql/v1/queries/info',
  at: 'any',
  summary: 'Everything known of a graph’s queries, one object each',
  query: z.object({ graph, query: queryList.optional(), status: queryString.optional() }),
  response: z.array(queryInfo),
  envelope: 'gsql',
  privilege: 'READ_QUERY',
  errors: ['GRAPH_NOT_FOUND', 'QUERY_NOT_FOUND'],
})

export const readSignature = endpoint({
  method: ['GET', 'POST'],
  path: ['/gsql/v1/queries/signature', '/gsqlserver/gsql/queryinfo'],
  at: 'any',
  summary: 'Parameters and printed values of a query',
  query: z.object({
    graph,
    /** `query` in 3.x. */
    queryName: queryString.optional(),
    query: queryString.optional(),
    interpret: queryBoolean.optional(),
  }),
  response: z.object({
    queryname: z.string(),
    /** In order; one key each: the parameter's name to its type in lower case. */
    input: z.array(z.record(z.string(), z.string())),
    output: z.array(z.record(z.string(), z.unknown())),
    version: z.object({ schema: z.number(), edition: z.string(), api: z.string() }),
  }),
  envelope: 'gsql-top',
  privilege: 'READ_QUERY',
  errors: ['GRAPH_NOT_FOUND', 'QUERY_NOT_FOUND'],
})

const checkEntry = z.object({
  code: z.string(),
  message: z.string(),
  line: z.number(),
  column: z.number(),
  endLine: z.number(),
  endColumn: z.number(),
})

export const checkQuery = endpoint({
  method: 'POST',
  path: '/gsql/v1/internal/check/query',
  at: 'any',
  summary: 'Errors and warnings of a query text, with their places; nothing is saved',
  query: z.object({ graph: graphQuery }),
  body: z.object({ code: z.string() }),
  response: z.object({ warnings: z.array(checkEntry), errors: z.array(checkEntry) }),
  envelope: 'gsql-top',
  privilege: 'READ_QUERY',
  errors: ['GRAPH_NOT_FOUND'],
})

/** One running query, as both running lists give it, with the live counters of ours. */
export const runningQuery = z.object({
  requestid: z.string(),
  startTime: z.string(),
  expirationTime: z.string(),
  url: z.string(),
  elapsedTime: z.number(),
  graph: z.string().optional(),
  query: z.string().optional(),
  user: z.string().optional(),
  /** It waits for a worker. */
  waiting: z.boolean().optional(),
  /** Vertices and match rows, and edges looked at so far. */
  rows: z.number().optional(),
  edges: z.number().optional(),
  /** The statement being run, counted from 1, and its line in the text. */
  statement: z.number().optional(),
  line: z.number().optional(),
  /** Held now, as far as the memory limit of a run counts it. */
  memoryBytes: z.number().optional(),
  /** As JSON, cut where it is very long; what was given in a URL as texts. */
  parameters: z.string().optional(),
  aborting: z.boolean().optional(),
})

export const listRunning = endpoint({
  method: 'GET',
  path: '/gsql/v1/queries/running',
  at: 'any',
  ofInstance: true,
  gathers: true,
  summary: 'Queries that run or wait for a worker, on one graph or all that the caller may read',
  query: z.object({ graph: graphQuery }),
  response: z.array(runningQuery),
  envelope: 'gsql',
  privilege: 'READ_DATA',
  ofSomeGraph: true,
  errors: ['GRAPH_NOT_FOUND'],
})

const aborted = z.array(
  z.object({ aborted_queries: z.array(z.object({ requestid: z.string(), url: z.string() })) }),
)

export const abortRunning = endpoint({
  method: 'DELETE',
  path: '/gsql/v1/queries/running/{request_id}',
  at: 'named',
  ofInstance: true,
  summary: 'Abort a running query: one’s own, or with DELETE_DATA any',
  params: z.object({ request_id: name }),
  response: aborted,
  envelope: 'gsql',
  privilege: 'EXECUTE_QUERY',
  ofSomeGraph: true,
  errors: ['REQUEST_NOT_FOUND'],
})

export const showProcessList = endpoint({
  method: 'GET',
  path: [
    '/restpp/showprocesslist/{graph}',
    '/restpp/showprocesslist',
    '/restpp/showprocesslistall',
  ],
  at: 'any',
  ofInstance: true,
  gathers: true,
  summary: 'Queries that run or wait for a worker (RESTPP spelling)',
  params: z.object({ graph: name.optional() }),
  response: z.array(runningQuery),
  envelope: 'restpp',
  privilege: 'READ_DATA',
  errors: ['GRAPH_NOT_FOUND'],
})

export const showDelayedList = endpoint({
  method: 'GET',
  path: '/restpp/showdelayedlistall',
  at: 'any',
  ofInstance: true,
  gathers: true,
  summary: 'Queries waiting for a worker',
  response: z.array(
    z.object({
      requestidPartial: z.string(),
      startTime: z.string(),
      url: z.string(),
      elapsedTime: z.number(),
    }),
  ),
  envelope: 'restpp',
  privilege: 'READ_DATA',
  errors: [],
})

export const abortQuery = endpoint({
  method: 'GET',
  path: ['/restpp/abortquery/{graph}', '/restpp/abortquery'],
  at: 'named',
  ofInstance: true,
  gathers: true,
  summary: 'Abort by request ids, `all`, or a URL pattern (RESTPP spelling)',
  params: z.object({ graph: name.optional() }),
  query: anyQuery,
  response: aborted,
  envelope: 'restpp',
  getChanges: 'some',
  privilege: 'DELETE_DATA',
  errors: ['GRAPH_NOT_FOUND'],
})

export const runErrors = [
  'GRAPH_NOT_FOUND',
  'QUERY_NOT_FOUND',
  'INVALID_PAYLOAD',
  'QUERY_RUNTIME',
  'QUERY_TIMEOUT',
  'QUERY_ABORTED',
  'QUERY_MEMORY_LIMIT',
  'WRITE_CONFLICT',
  'VERTEX_NOT_FOUND',
] as const

export const runQuery = endpoint({
  method: ['GET', 'POST'],
  path: ['/restpp/query/{graph}/{query}', '/restpp/query/{query}'],
  at: 'query',
  keyed: true,
  summary: 'Run an installed query; parameters in the URL or as a JSON object',
  params: z.object({ graph: name.optional(), query: name }),
  query: anyQuery,
  body: z.unknown(),
  bodySize: 'parameters',
  response: z.array(z.record(z.string(), z.unknown())),
  envelope: 'restpp',
  privilege: 'EXECUTE_QUERY',
  byOwner: true,
  ofSomeGraph: true,
  errors: runErrors,
})

export const runQueryByName = endpoint({
  method: 'POST',
  path: '/gsql/v1/queries/{query}',
  at: 'query',
  keyed: true,
  summary: 'Run a query through GSQL; `results` holds the whole answer of the data plane',
  params: z.object({ query: name }),
  query: z.object({ graph }),
  body: z
    .object({
      parameters: z.record(z.string(), z.unknown()).default({}),
      /** Answer at once with a request id; status and result come from the data plane. */
      asyncRun: z.boolean().optional(),
    })
    .optional(),
  bodySize: 'parameters',
  response: z.record(z.string(), z.unknown()),
  envelope: 'gsql',
  privilege: 'EXECUTE_QUERY',
  byOwner: true,
  errors: runErrors,
})

export const interpretQuery = endpoint({
  method: 'POST',
  path: ['/gsql/v1/queries/interpret', '/gsqlserver/interpreted_query'],
  at: 'query',
  keyed: true,
  summary: 'Compile and run a query text without saving it; parameters in the URL',
  query: anyQuery,
  body: textOrCall,
  bodyFormat: 'text-or-json',
  bodySize: 'parameters',
  response: z.array(z.record(z.string(), z.unknown())),
  envelope: 'restpp',
  privilege: 'EXECUTE_QUERY',
  ofSomeGraph: true,
  errors: [...runErrors, 'QUERY_INVALID'],
})

export const readQueryStatus = endpoint({
  method: 'GET',
  path: '/restpp/query_status',
  at: 'named',
  gathers: true,
  summary: 'How detached runs are doing',
  query: anyQuery,
  response: z.array(z.record(z.string(), z.unknown())),
  envelope: 'restpp',
  privilege: 'EXECUTE_QUERY',
  ofSomeGraph: true,
  errors: [],
})

export const readQueryResult = endpoint({
  method: 'GET',
  path: '/restpp/query_result',
  at: 'named',
  summary: 'The answer of a detached run',
  query: z.object({ requestid: queryString, graph_name: queryString.optional() }),
  response: z.array(z.record(z.string(), z.unknown())),
  envelope: 'restpp',
  privilege: 'EXECUTE_QUERY',
  ofSomeGraph: true,
  errors: ['REQUEST_NOT_FOUND'],
})
