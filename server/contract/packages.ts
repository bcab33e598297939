/** Packages, template queries, token functions and sources of functions. */
import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { graphQuery, name, queryBoolean, queryString } from './parameters.ts'
import { runErrors } from './queries.ts'

/** Both spellings are documented. */
const under = (tail: string) => [`/gsql/v1/packages${tail}`, `/gsql/v1/package${tail}`]
const library = ['/gsql/v1/library/{function}', '/gsqlserver/gsql/library']
const writeErrors = ['STORE_READ_ONLY', 'STORE_FAILED', 'DISK_FULL'] as const
const params = z.object({ package: name })
const told = { response: z.undefined(), envelope: 'gsql', privilege: 'WRITE_FUNCTION' } as const
const read = { envelope: 'gsql', privilege: 'USE_FUNCTION', ofSomeGraph: true } as const

export const listPackages = endpoint({
  method: 'GET',
  path: under(''),
  at: 'any',
  summary: 'The outermost packages of functions and template queries',
  response: z.array(z.string()).readonly(),
  envelope: 'gsql',
  privilege: 'READ_SCHEMA',
  ofSomeGraph: true,
  errors: [],
})

export const readPackage = endpoint({
  ...read,
  method: 'GET',
  path: under('/{package}'),
  at: 'any',
  summary: 'What is in a package',
  params,
  response: z.object({
    fullPackageName: z.string(),
    functions: z.array(z.string()).readonly(),
    templateQueries: z.array(z.string()).readonly(),
    subpackageNames: z.array(z.string()).readonly(),
  }),
  errors: ['REQUEST_NOT_FOUND'],
})

export const createPackage = endpoint({
  ...told,
  method: 'POST',
  path: under('/{package}'),
  at: 'writer',
  summary: 'Create a package; its name may have parts: a.b',
  params,
  errors: ['NAME_TAKEN', 'INVALID_NAME', ...writeErrors],
})

export const dropPackage = endpoint({
  ...told,
  method: 'DELETE',
  path: under('/{package}'),
  at: 'writer',
  summary: 'Drop a package that holds nothing',
  params,
  errors: ['REQUEST_NOT_FOUND', 'SCHEMA_RULE', ...writeErrors],
})

export const createTemplate = endpoint({
  ...told,
  method: 'POST',
  path: under('/template'),
  at: 'writer',
  summary: 'Create a template query: it belongs to its package, and every graph may call it',
  body: z.string(),
  bodyFormat: 'text',
  bodySize: 'script',
  errors: ['QUERY_INVALID', 'NAME_TAKEN', ...writeErrors],
})

export const dropTemplate = endpoint({
  ...told,
  method: 'DELETE',
  path: under('/template/{query}'),
  at: 'writer',
  summary: 'Drop a template query of a package by its whole name',
  params: z.object({ query: name }),
  errors: ['QUERY_NOT_FOUND', ...writeErrors],
})

export const importPackage = endpoint({
  ...told,
  method: 'POST',
  path: under('/import/{package}'),
  at: 'any',
  summary: 'Import a package of the product: gds is here, no other can be fetched',
  params,
  errors: ['FEATURE_ABSENT'],
})

export const changePackageFunctions = endpoint({
  ...told,
  method: ['POST', 'DELETE'],
  path: [...under('/function'), ...under('/function/{function}')],
  at: 'any',
  summary: 'Refused: packages hold no functions written in GSQL',
  params: z.object({ function: name.optional() }),
  errors: ['FEATURE_ABSENT'],
})

export const readLibrary = endpoint({
  ...read,
  method: 'GET',
  path: library,
  at: 'any',
  summary: 'Template queries by name, or by a simple regular expression',
  params: z.object({ function: name.optional() }),
  query: z.object({
    /** Of 3.x. */
    functionName: queryString.optional(),
    isRegularExpression: queryBoolean.default(false),
  }),
  response: z.array(
    z.object({
      name: z.string(),
      query: z.string(),
      params: z.record(z.string(), z.record(z.string(), z.unknown())),
    }),
  ),
  errors: ['QUERY_NOT_FOUND'],
})

export const runTemplate = endpoint({
  method: 'POST',
  path: library,
  at: 'query',
  keyed: true,
  summary: 'Call a template query on a graph; `results` holds the whole answer of the data plane',
  params: z.object({ function: name.optional() }),
  query: z.object({ graph: graphQuery, functionName: queryString.optional() }),
  body: z.record(z.string(), z.unknown()).optional(),
  bodySize: 'parameters',
  response: z.record(z.string(), z.unknown()),
  envelope: 'gsql',
  privilege: 'USE_FUNCTION',
  errors: [...runErrors, 'QUERY_INVALID'],
})

const functionFiles = [
  'ExprFunctions',
  'ExprUtil',
  'TokenBank',
  'tg_ExprFunctions',
  'tg_ExprUtil',
] as const
export type FunctionFile = (typeof functionFiles)[number]
export const allFunctionFiles: readonly FunctionFile[] = functionFiles

export const readFunctionFiles = endpoint({
  method: 'GET',
  path: ['/gsql/v1/udt/files', '/gsql/v1/udt/files/{file}', '/gsqlserver/gsql/userdefinedfunction'],
  at: 'any',
  summary: 'User-defined functions by file: no C++ runs here, so each names what is built in',
  params: z.object({ file: z.enum(functionFiles).optional() }),
  /** Of 3.x. */
  query: z.object({ filename: queryString.pipe(z.enum(functionFiles)).optional() }),
  response: z.record(z.string(), z.string()),
  envelope: 'gsql',
  privilege: 'READ_SCHEMA',
  ofSomeGraph: true,
  errors: [],
})

export const listTokenFunctions = endpoint({
  method: 'GET',
  path: ['/gsql/v1/udt/token-functions', '/gsql/v1/udt/token-functions/{function}'],
  at: 'any',
  summary: 'Token functions of loading jobs, or one of them, with what they run',
  params: z.object({ function: name.optional() }),
  response: z.array(z.object({ name: z.string(), returnType: z.string(), code: z.string() })),
  envelope: 'gsql',
  privilege: 'READ_SCHEMA',
  ofSomeGraph: true,
  errors: ['REQUEST_NOT_FOUND'],
})
