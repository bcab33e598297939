/** The chapters of `docs/reference/rest.md`: which files of the contract each one shows. */

export interface RestGroup {
  readonly title: string
  readonly about: string
  /** Files of server/contract, without their ending, in the order of the chapter. */
  readonly files: readonly string[]
}

export const groups: readonly RestGroup[] = [
  {
    title: 'Data',
    about: 'Vertices and edges of a graph: write, read, count, delete, and find paths.',
    files: ['upsert', 'inspect', 'builtins', 'paths', 'quiver-data', 'element-stream'],
  },
  {
    title: 'Queries',
    about: 'Create, install, run, watch and abort queries; their plans and descriptions.',
    files: ['queries', 'query-plans', 'query-descriptions', 'planner-statistics', 'packages'],
  },
  {
    title: 'Scripts',
    about: 'GSQL scripts, as [the language reference](gsql.md) describes them.',
    files: ['statements'],
  },
  {
    title: 'Schema',
    about: 'Graphs, vertex types, edge types, indexes, tuples and accumulator types.',
    files: ['schema', 'schema-jobs', 'indexes', 'index-usage', 'tuples'],
  },
  {
    title: 'Loading',
    about: 'Loading jobs, their runs, and the data sources that they read.',
    files: ['loading', 'data-sources'],
  },
  {
    title: 'Export and import',
    about: 'Graphs as files, and files as graphs.',
    files: ['transfer', 'sample'],
  },
  {
    title: 'Access',
    about: 'Users, roles, privileges, secrets, tokens and sessions.',
    files: ['auth', 'roles', 'session'],
  },
  {
    title: 'Documents and settings',
    about: 'What the console stores for its users, and what the server presets for it.',
    files: ['documents', 'console-settings'],
  },
  {
    title: 'System',
    about: 'Liveness, versions, metrics, statistics, maintenance and the log.',
    files: [
      ...['diagnosis', 'system', 'instances', 'statistics', 'statistics-stream', 'server-log'],
      'workload',
    ],
  },
  {
    title: 'Not available',
    about:
      'Endpoints of TigerGraph for features that Quiver does not have. Each answers with the status 501, which no client tries again.',
    files: ['absent'],
  },
]
