/**
 * The privileges of docs/reference/rest.md, and the two of ours for what needs no grant. READ_FILE and
 * WRITE_FILE are privileges of a graph here (docs/decisions/0074): each graph has its own files.
 */

export const privileges = {
  GRAPH: [
    'READ_SCHEMA',
    'WRITE_SCHEMA',
    'READ_LOADINGJOB',
    'EXECUTE_LOADINGJOB',
    'WRITE_LOADINGJOB',
    'CREATE_QUERY',
    'WRITE_DATASOURCE',
    'READ_ROLE',
    'WRITE_ROLE',
    'READ_USER',
    'READ_PROXYGROUP',
    'READ_DATA',
    'CREATE_DATA',
    'UPDATE_DATA',
    'DELETE_DATA',
    'APP_ACCESS_DATA',
    'READ_POLICY',
    'WRITE_POLICY',
    'READ_FILE',
    'WRITE_FILE',
  ],
  QUERY: ['READ_QUERY', 'UPDATE_QUERY', 'DROP_QUERY', 'INSTALL_QUERY', 'EXECUTE_QUERY', 'OWNER'],
  PACKAGE: ['USE_FUNCTION', 'WRITE_FUNCTION'],
  GLOBAL: [
    'WRITE_USER',
    'WRITE_PROXYGROUP',
    'DROP_GRAPH',
    'EXPORT_GRAPH',
    'CLEAR_GRAPHSTORE',
    'DROP_ALL',
    'READ_WORKLOAD_QUEUE',
    'WRITE_WORKLOAD_QUEUE',
  ],
} as const

/** The scope of everything, beside the names of graphs, where roles and privileges are listed. */
export const GLOBAL_SCOPE = '1'

export type GrantedPrivilege = (typeof privileges)[keyof typeof privileges][number]

/**
 * `PUBLIC` asks for no credentials at all (ping, readiness, login); `AUTHENTICATED` for any valid
 * ones. A present but wrong credential is refused even on a public endpoint.
 */
export type Privilege = GrantedPrivilege | 'PUBLIC' | 'AUTHENTICATED'
