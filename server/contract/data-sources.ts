/** Data sources of loading jobs, and looks at what they hold. */
import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { graphQuery, name, queryString } from './parameters.ts'

const path = '/gsql/v1/data-sources'
const lookErrors = ['GRAPH_NOT_FOUND', 'REQUEST_NOT_FOUND'] as const
const writeErrors = ['STORE_READ_ONLY', 'STORE_FAILED', 'DISK_FULL'] as const
const changeErrors = [...lookErrors, ...writeErrors, 'NAME_TAKEN', 'INVALID_NAME'] as const

const config = z.record(z.string(), z.unknown())
const definition = z.object({ name: name.optional(), config })
const grant = z.object({ graphs: z.array(name), datasource: name })
const told = { response: z.undefined(), envelope: 'gsql' } as const
const common = { privilege: 'WRITE_DATASOURCE', audited: true, errors: changeErrors } as const

export const listDataSources = endpoint({
  method: 'GET',
  path,
  at: 'any',
  summary: 'Data sources that a graph may use, or without one those of all graphs',
  query: z.object({ graph: graphQuery }),
  response: z.array(
    z.object({
      name: z.string(),
      type: z.string(),
      content: config,
      isLocal: z.boolean(),
      belongTo: z.string().optional(),
    }),
  ),
  envelope: 'gsql',
  privilege: 'READ_LOADINGJOB',
  errors: lookErrors,
})

export const readDataSource = endpoint({
  method: 'GET',
  path: `${path}/{source}`,
  at: 'any',
  summary: 'One data source, without a graph the only one of its name; values of secrets are empty',
  params: z.object({ source: name }),
  query: z.object({ graph: graphQuery }),
  response: z.object({ name: z.string(), type: z.string(), content: config }),
  envelope: 'gsql',
  privilege: 'READ_LOADINGJOB',
  errors: lookErrors,
})

export const createDataSource = endpoint({
  ...told,
  ...common,
  method: 'POST',
  path,
  at: 'writer',
  summary: 'Create a data source; loading jobs name its files as $name:path',
  query: z.object({ graph: graphQuery }),
  body: definition,
})

export const updateDataSource = endpoint({
  ...told,
  ...common,
  method: 'PUT',
  path: [path, `${path}/{source}`],
  at: 'writer',
  summary: 'Replace the config of a data source',
  params: z.object({ source: name.optional() }),
  query: z.object({ graph: graphQuery }),
  body: definition,
})

export const dropAllDataSources = endpoint({
  ...told,
  ...common,
  method: 'DELETE',
  path: `${path}/dropAll`,
  at: 'writer',
  summary: 'Drop the data sources of a graph, or without one the global ones',
  query: z.object({ graph: graphQuery }),
})

export const dropDataSource = endpoint({
  ...told,
  ...common,
  method: 'DELETE',
  path: `${path}/{source}`,
  at: 'writer',
  summary: 'Drop a data source',
  params: z.object({ source: name }),
  query: z.object({ graph: graphQuery }),
})

/** The handler asks for the privilege where the source is at home. */
const shares = { ...told, ...common, method: 'POST', body: grant, ofSomeGraph: true } as const

export const grantDataSource = endpoint({
  ...shares,
  path: `${path}/grant`,
  at: 'writer',
  summary: 'Let other graphs use a data source',
})

export const revokeDataSource = endpoint({
  ...shares,
  path: `${path}/revoke`,
  at: 'writer',
  summary: 'Let graphs use a data source no more',
})

export const sampleData = endpoint({
  method: 'POST',
  path: '/gsql/v1/sample-data',
  at: 'writer',
  summary: 'The first rows of a file, to see what a loading job would read',
  body: z.object({
    graphName: z.string().optional(),
    /** A data source; absent or `file`: the directory for loading. */
    dataSource: z.string().optional(),
    type: z.string().optional(),
    path: z.string(),
    parsing: z
      .object({
        fileFormat: z.string().optional(),
        separator: z.string().optional(),
        eol: z.string().optional(),
        quote: z.string().optional(),
        header: z.union([z.string(), z.boolean()]).optional(),
      })
      .default({}),
    size: z.int().min(1).max(1_000).default(10),
  }),
  response: z.object({
    data: z.array(z.array(z.string())),
    header: z.array(z.string()),
    json: z.boolean(),
  }),
  envelope: 'gsql',
  privilege: 'READ_FILE',
  ofSomeGraph: true,
  errors: lookErrors,
})

export const listFiles = endpoint({
  method: 'GET',
  path: '/gsql/v1/list-files/{source}',
  at: 'writer',
  summary: 'Folders and files of a data source',
  params: z.object({ source: name }),
  query: z.object({ graph: graphQuery, path: queryString.optional() }),
  response: z.object({ folders: z.array(z.string()), files: z.array(z.string()) }),
  envelope: 'gsql',
  privilege: 'READ_FILE',
  errors: lookErrors,
})
