/** Roles that every server has, each with the one below it and what it adds. */
import { type GrantedPrivilege, privileges } from '#contract/privileges.ts'

const observer: readonly GrantedPrivilege[] = [
  'READ_SCHEMA',
  'READ_LOADINGJOB',
  'READ_QUERY',
  'APP_ACCESS_DATA',
]

const queryreader: readonly GrantedPrivilege[] = [
  ...observer,
  'READ_DATA',
  'EXECUTE_QUERY',
  'USE_FUNCTION',
]

const querywriter: readonly GrantedPrivilege[] = [
  ...queryreader,
  'CREATE_DATA',
  'UPDATE_DATA',
  'DELETE_DATA',
  'EXECUTE_LOADINGJOB',
  'CREATE_QUERY',
  'UPDATE_QUERY',
  'DROP_QUERY',
  'INSTALL_QUERY',
  'OWNER',
  'READ_FILE',
  'WRITE_FILE',
]

const designer: readonly GrantedPrivilege[] = [
  ...querywriter,
  'WRITE_SCHEMA',
  'WRITE_LOADINGJOB',
  'WRITE_DATASOURCE',
  'WRITE_FUNCTION',
]

const admin: readonly GrantedPrivilege[] = [
  ...designer,
  'READ_ROLE',
  'WRITE_ROLE',
  'READ_USER',
  'READ_PROXYGROUP',
  'READ_POLICY',
  'WRITE_POLICY',
]

/** Granted on a graph. */
export const localRoles: ReadonlyMap<string, readonly GrantedPrivilege[]> = new Map([
  ['observer', observer],
  ['queryreader', queryreader],
  ['querywriter', querywriter],
  ['designer', designer],
  ['admin', admin],
])

export const SUPERUSER = 'superuser'
export const allPrivileges: readonly GrantedPrivilege[] = Object.values(privileges).flat()

/** Granted globally. */
export const globalRoles: ReadonlyMap<string, readonly GrantedPrivilege[]> = new Map([
  ['globalobserver', observer],
  ['globaldesigner', designer],
  [SUPERUSER, allPrivileges],
])

/** Privileges over what all graphs share: no role of a graph can have them. */
export const globalOnly: ReadonlySet<string> = new Set(privileges.GLOBAL)

/** Privileges that may be limited to a vertex or edge type. */
export const typePrivileges: ReadonlySet<string> = new Set([
  'READ_DATA',
  'CREATE_DATA',
  'UPDATE_DATA',
  'DELETE_DATA',
])

export function privilegeType(privilege: GrantedPrivilege): string {
  const found = Object.entries(privileges).find(([, names]) =>
    (names as readonly string[]).includes(privilege),
  )
  return found?.[0] ?? 'GRAPH'
}
