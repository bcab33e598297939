/**
 * Users, roles and privileges in scripts (docs/reference/gsql/access.md). The product asks for passwords in its
 * shell; a script has nobody to ask, so here they stand in the command.
 */

import type { Cursor } from '../cursor.ts'
import type { Command, ScopeSyntax } from './ast-script.ts'
import { parseDotted, parseName } from './parse-schema.ts'

/** After CREATE; null: it makes something else. */
export function parseAccountCreation(cursor: Cursor): Command | null {
  if (cursor.acceptWord('USER')) {
    const name = parseAccountName(cursor)
    return { kind: 'createUser', name, password: parsePassword(cursor) }
  }
  if (!cursor.acceptWord('ROLE')) return null
  return { kind: 'createRole', names: parseNames(cursor), scope: parseScope(cursor) }
}

/** After DROP; null: it drops something else. */
export function parseAccountDrop(cursor: Cursor): Command | null {
  if (cursor.acceptWord('USER')) return { kind: 'dropUser', names: parseNames(cursor) }
  if (!cursor.acceptWord('ROLE')) return null
  const names = parseNames(cursor)
  // Names of roles are unique over all graphs: where one stands says nothing new.
  parseScope(cursor)
  return { kind: 'dropRole', names }
}

/** After ALTER: `USER u WITH PASSWORD "…"`, `PASSWORD u "…"`; null: it alters something else. */
export function parseAlterUser(cursor: Cursor): Command | null {
  if (!cursor.acceptWord('USER') && !cursor.acceptWord('PASSWORD')) return null
  const name = parseAccountName(cursor)
  return { kind: 'alterUser', name, password: parsePassword(cursor) }
}

function parsePassword(cursor: Cursor): string {
  cursor.acceptWord('WITH')
  cursor.acceptWord('PASSWORD')
  return cursor.expectKind('string').text
}

/** `GRANT ROLE r ON GRAPH g TO u`, `REVOKE [PRIVILEGE] p, q ON VERTEX v IN GRAPH g FROM r`. */
export function parseGrant(cursor: Cursor): Command {
  const grants = cursor.advance().upper === 'GRANT'
  if (cursor.acceptWord('DATA_SOURCE')) return parseSourceSharing(cursor, grants)
  if (grants && cursor.acceptWord('OWNERSHIP')) return parseOwnership(cursor)
  const isRole = cursor.acceptWord('ROLE')
  if (!isRole) cursor.acceptWord('PRIVILEGE')
  const given = parseNames(cursor)
  const scope = parseScope(cursor)
  cursor.expectWord(grants ? 'TO' : 'FROM')
  if (!isRole) cursor.acceptWord('ROLE')
  const takers = parseNames(cursor)
  if (isRole) {
    return { kind: grants ? 'grantRole' : 'revokeRole', roles: given, scope, users: takers }
  }
  const kind = grants ? 'grantPrivilege' : 'revokePrivilege'
  return { kind, privileges: given, scope, roles: takers }
}

/** `DATA_SOURCE s TO GRAPH g, h`, `DATA_SOURCE s FROM GRAPH g`. */
function parseSourceSharing(cursor: Cursor, grants: boolean): Command {
  const name = parseName(cursor)
  cursor.expectWord(grants ? 'TO' : 'FROM')
  cursor.expectWord('GRAPH')
  const kind = grants ? 'grantDataSource' : 'revokeDataSource'
  return { kind, name, graphs: parseNames(cursor) }
}

function parseOwnership(cursor: Cursor): Command {
  cursor.expectWord('ON')
  cursor.expectWord('QUERY')
  const queries = [parseDotted(cursor)]
  while (cursor.acceptSymbol(',')) queries.push(parseDotted(cursor))
  let graph: string | null = null
  if (cursor.acceptWord('IN') || cursor.acceptWord('ON')) {
    cursor.expectWord('GRAPH')
    graph = parseName(cursor)
  }
  cursor.expectWord('TO')
  return { kind: 'grantOwnership', queries, graph, user: parseAccountName(cursor) }
}

export function parseShowPrivilege(cursor: Cursor): Command {
  if (!cursor.acceptWord('ON')) return { kind: 'showPrivilege', of: null }
  const kind = cursor.acceptWord('USER') ? 'USER' : 'ROLE'
  if (kind === 'ROLE') cursor.expectWord('ROLE')
  return { kind: 'showPrivilege', of: { kind, names: parseNames(cursor) } }
}

function parseScope(cursor: Cursor): ScopeSyntax {
  if (!cursor.acceptWord('ON')) return { kind: 'working' }
  if (cursor.acceptWord('GLOBAL')) return { kind: 'global' }
  if (cursor.acceptWord('GRAPH')) return { kind: 'graph', graph: parseName(cursor) }
  const element = cursor.acceptWord('VERTEX') ? 'vertex' : 'edge'
  if (element === 'edge') cursor.expectWord('EDGE')
  const name = parseName(cursor)
  if (!cursor.acceptWord('IN')) return { kind: 'type', element, name, graph: null }
  cursor.expectWord('GRAPH')
  return { kind: 'type', element, name, graph: parseName(cursor) }
}

function parseNames(cursor: Cursor): string[] {
  const names = [parseAccountName(cursor)]
  while (cursor.acceptSymbol(',')) names.push(parseAccountName(cursor))
  return names
}

/** Names of users hold dots, hyphens and `@`: such ones are quoted. */
function parseAccountName(cursor: Cursor): string {
  return cursor.atKind('string') ? cursor.advance().text : parseName(cursor)
}
