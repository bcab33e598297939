/** One command of a script (docs/reference/gsql/commands.md). */

import type { Cursor } from '../cursor.ts'
import { atAdHoc, parseAdHoc } from '../parse/parse-ad-hoc.ts'
import { parseType } from '../parse/parse-type.ts'
import type { Command, Names, ShowPattern } from './ast-script.ts'
import {
  parseAccountCreation,
  parseAccountDrop,
  parseAlterUser,
  parseGrant,
  parseShowPrivilege,
} from './parse-access.ts'
import { parseArguments } from './parse-arguments.ts'
import {
  parseLoadingId,
  parseLoadingJob,
  parseLoadingRun,
  parseShowLoading,
  parseUpsert,
} from './parse-loading.ts'
import {
  parseAlteration,
  parseDotted,
  parseEdge,
  parseLiteral,
  parseName,
  parseSteps,
  parseTuple,
  parseVertex,
} from './parse-schema.ts'
import { parseExportGraph, parseImportGraph } from './parse-transfer.ts'

type Parser = (cursor: Cursor) => Command

/** By the word a command begins with. */
const commands: Readonly<Record<string, Parser>> = {
  USE: parseUse,
  SET: parseSet,
  LS: word('ls'),
  HELP: word('help'),
  VERSION: word('version'),
  EXIT: word('exit'),
  QUIT: word('exit'),
  BEGIN: word('begin'),
  END: word('end'),
  ABORT: parseAbort,
  PAUSE: loadingCommand('pauseLoading'),
  RESUME: loadingCommand('resumeLoading'),
  CREATE: parseCreate,
  TYPEDEF: parseTypedef,
  GRANT: parseGrant,
  REVOKE: parseGrant,
  ALTER: (cursor) => {
    cursor.advance()
    const account = parseAlterUser(cursor)
    if (account !== null) return account
    return { kind: 'alter', step: parseAlteration(cursor) }
  },
  DROP: parseDropCommand,
  UPSERT: (cursor) => {
    cursor.advance()
    return { kind: 'upsert', target: parseUpsert(cursor) }
  },
  CLEAR: parseClear,
  SHOW: parseShow,
  INSTALL: parseInstall,
  IMPORT: parseImport,
  EXPORT: parseExport,
  RUN: parseRun,
  INTERPRET: parseInterpret,
}

/** @throws SyntaxFailure */
export function parseCommand(cursor: Cursor): Command {
  if (cursor.acceptSymbol(';')) return { kind: 'noise' }
  for (const name of Object.keys(commands)) cursor.atWord(name)
  if (atAdHoc(cursor)) return { kind: 'interpretQuery', text: adHocText(cursor) }
  const parser = Object.hasOwn(commands, cursor.token.upper) ? commands[cursor.token.upper] : null
  return parser ? parser(cursor) : cursor.fail()
}

function word(kind: 'ls' | 'help' | 'version' | 'exit' | 'begin' | 'end'): Parser {
  return (cursor) => {
    cursor.advance()
    return { kind }
  }
}

function loadingCommand(kind: 'abortLoading' | 'pauseLoading' | 'resumeLoading'): Parser {
  return (cursor) => {
    cursor.advance()
    cursor.expectWord('LOADING')
    return { kind, id: parseLoadingId(cursor, 'JOB') }
  }
}

/** Alone it stands between BEGIN and END. */
function parseAbort(cursor: Cursor): Command {
  if (cursor.atWord('LOADING', 1)) return loadingCommand('abortLoading')(cursor)
  cursor.advance()
  return { kind: 'abort' }
}

function parseUse(cursor: Cursor): Command {
  cursor.advance()
  if (cursor.acceptWord('GLOBAL')) return { kind: 'useGlobal' }
  cursor.expectWord('GRAPH')
  return { kind: 'useGraph', graph: parseName(cursor) }
}

function parseSet(cursor: Cursor): Command {
  cursor.advance()
  let name = parseName(cursor)
  while (cursor.acceptSymbol('.')) name += `.${parseName(cursor)}`
  cursor.expectSymbol('=')
  return { kind: 'set', name, value: parseLiteral(cursor) }
}

function parseCreate(cursor: Cursor): Command {
  const { start } = cursor.token
  const queryAhead = ['OR', 'DISTRIBUTED', 'BATCH', 'TEMPLATE', 'OPENCYPHER', 'QUERY']
  if (queryAhead.some((ahead) => cursor.atWord(ahead, 1))) {
    return { kind: 'createQuery', text: queryText(cursor) }
  }
  cursor.advance()
  if (cursor.atWord('VERTEX')) return { kind: 'createVertex', vertex: parseVertex(cursor) }
  if (cursor.acceptWord('GRAPH')) return parseGraph(cursor)
  if (cursor.acceptWord('LOADING')) {
    return { kind: 'createLoadingJob', job: parseLoadingJob(cursor, start) }
  }
  if (cursor.acceptWord('SECRET')) {
    const named = cursor.atKind('name') && !Object.hasOwn(commands, cursor.token.upper)
    return { kind: 'createSecret', alias: named ? cursor.advance().text : null }
  }
  if (cursor.atWord('GLOBAL') || cursor.atWord('SCHEMA_CHANGE')) return parseJob(cursor, start)
  if (cursor.acceptWord('DATA_SOURCE')) return parseDataSource(cursor)
  if (cursor.acceptWord('PACKAGE')) return { kind: 'createPackage', name: parseDotted(cursor) }
  const account = parseAccountCreation(cursor)
  if (account !== null) return account
  return { kind: 'createEdge', edge: parseEdge(cursor) }
}

function parseGraph(cursor: Cursor): Command {
  const name = parseName(cursor)
  if (cursor.atWord('AS')) cursor.fail('tag graphs (CREATE GRAPH … AS …) are not available')
  const types: string[] = []
  cursor.expectSymbol('(')
  while (!cursor.atSymbol(')')) {
    types.push(cursor.acceptSymbol('*') ? '*' : parseName(cursor))
    if (!cursor.acceptSymbol(',')) break
  }
  cursor.expectSymbol(')')
  return { kind: 'createGraph', name, types }
}

function parseJob(cursor: Cursor, start: number): Command {
  const isGlobal = cursor.acceptWord('GLOBAL')
  cursor.expectWord('SCHEMA_CHANGE')
  cursor.expectWord('JOB')
  const name = parseName(cursor)
  const graph = parseForGraph(cursor)
  const steps = parseSteps(cursor)
  const { end } = cursor.rangeFrom(start)
  return {
    kind: 'createSchemaJob',
    name,
    isGlobal,
    graph,
    steps,
    text: cursor.text.slice(start, end),
  }
}

/** `DATA_SOURCE [S3|KAFKA|…] name [= "…"] [FOR GRAPH g]`. */
function parseDataSource(cursor: Cursor): Command {
  let name = parseName(cursor)
  let type: string | null = null
  if (cursor.atKind('name') && !cursor.atWord('FOR') && !atCommand(cursor)) {
    type = name
    name = parseName(cursor)
  }
  const config = cursor.acceptSymbol('=') ? parseLiteral(cursor) : null
  return { kind: 'createDataSource', name, type, config, graph: parseForGraph(cursor) }
}

function atCommand(cursor: Cursor): boolean {
  return Object.hasOwn(commands, cursor.token.upper)
}

export function parseForGraph(cursor: Cursor): string | null {
  if (!cursor.acceptWord('FOR')) return null
  cursor.expectWord('GRAPH')
  return parseName(cursor)
}

function parseTypedef(cursor: Cursor): Command {
  const { start } = cursor.advance()
  if (cursor.atWord('TUPLE')) return { kind: 'createTuple', tuple: parseTuple(cursor) }
  parseType(cursor)
  parseName(cursor)
  return { kind: 'createAccum', text: cursor.text.slice(start, cursor.rangeFrom(start).end) }
}

function parseDropCommand(cursor: Cursor): Command {
  cursor.advance()
  if (cursor.acceptWord('ALL')) return { kind: 'dropAll' }
  const account = parseAccountDrop(cursor)
  if (account !== null) return account
  if (cursor.acceptWord('PACKAGE')) {
    const names = [parseDotted(cursor)]
    while (cursor.acceptSymbol(',')) names.push(parseDotted(cursor))
    return { kind: 'dropPackage', names }
  }
  if (cursor.acceptWord('GRAPH')) {
    const names = parseAllOrNames(cursor)
    return { kind: 'dropGraph', names, cascade: cursor.acceptWord('CASCADE') }
  }
  for (const [ahead, kind] of [
    ['QUERY', 'dropQuery'],
    ['JOB', 'dropJob'],
    ['SECRET', 'dropSecret'],
    ['DATA_SOURCE', 'dropDataSource'],
  ] as const) {
    if (cursor.acceptWord(ahead)) return { kind, names: parseAllOrNames(cursor) }
  }
  for (const element of ['VERTEX', 'EDGE', 'TUPLE'] as const) {
    if (cursor.acceptWord(element)) {
      return { kind: 'dropTypes', element, names: parseAllOrNames(cursor) }
    }
  }
  return cursor.fail()
}

function parseAllOrNames(cursor: Cursor): Names {
  if (cursor.acceptSymbol('*') || cursor.acceptWord('ALL')) return null
  const names = [parseDotted(cursor)]
  while (cursor.acceptSymbol(',')) names.push(parseDotted(cursor))
  return names
}

function parseClear(cursor: Cursor): Command {
  cursor.advance()
  cursor.expectWord('GRAPH')
  cursor.expectWord('STORE')
  parseFlags(cursor)
  return { kind: 'clearStore' }
}

/** `-HARD`, `-FORCE`: what they ask for happens anyway. @returns them in lower case */
function parseFlags(cursor: Cursor): readonly string[] {
  const flags: string[] = []
  while (cursor.acceptSymbol('-')) flags.push(parseName(cursor).toLowerCase())
  return flags
}

function parseShow(cursor: Cursor): Command {
  cursor.advance()
  if (cursor.acceptWord('FUNCTION')) return { kind: 'showFunction', pattern: parsePattern(cursor) }
  if (cursor.acceptWord('PACKAGE')) return { kind: 'showPackage', name: parsePackage(cursor) }
  if (cursor.acceptWord('SECRET')) return { kind: 'showSecret' }
  if (cursor.acceptWord('USER')) return { kind: 'showUser' }
  if (cursor.acceptWord('ROLE')) return { kind: 'showRole' }
  if (cursor.acceptWord('PRIVILEGE')) return parseShowPrivilege(cursor)
  if (cursor.acceptWord('DATA_SOURCE')) return { kind: 'showDataSource' }
  if (cursor.acceptWord('LOADING')) return parseShowLoading(cursor)
  for (const target of ['VERTEX', 'EDGE', 'JOB', 'QUERY', 'GRAPH'] as const) {
    if (cursor.acceptWord(target)) return { kind: 'show', target, pattern: parsePattern(cursor) }
  }
  return cursor.fail()
}

/** A name, `*`, `ab*`, `a?c`, or `-r "regex"`; nothing: all. */
function parsePattern(cursor: Cursor): ShowPattern {
  if (cursor.acceptSymbol('-')) {
    cursor.expectWord('R')
    return { kind: 'regex', text: cursor.expectKind('string').text }
  }
  const { start } = cursor.token
  let end = start
  const atGlob = () =>
    cursor.token.start === end &&
    (['*', '?', '.'].some((symbol) => cursor.atSymbol(symbol)) ||
      cursor.atKind('name') ||
      cursor.atKind('int'))
  if (Object.hasOwn(commands, cursor.token.upper)) return { kind: 'all' }
  while (atGlob()) end = cursor.advance().end
  const text = cursor.text.slice(start, end)
  return text === '' ? { kind: 'all' } : { kind: 'glob', text }
}

/** `gds.vector`, `gds.**`; nothing: all. */
function parsePackage(cursor: Cursor): string {
  const { start } = cursor.token
  let end = start
  const goesOn = () =>
    cursor.token.start === end &&
    (cursor.atKind('name') || cursor.atSymbol('.') || cursor.atSymbol('*'))
  if (Object.hasOwn(commands, cursor.token.upper)) return ''
  while (goesOn()) end = cursor.advance().end
  return cursor.text.slice(start, end)
}

/** Functions of packages are built in: that the package is there is enough. */
function parseImport(cursor: Cursor): Command {
  cursor.advance()
  if (cursor.atWord('GRAPH')) return parseImportGraph(cursor)
  cursor.expectWord('PACKAGE')
  return { kind: 'needPackage', names: [parseDotted(cursor)] }
}

/** `EXPORT SCHEMA g` was for a program that read files of it; the catalogue is what counts. */
function parseExport(cursor: Cursor): Command {
  cursor.advance()
  if (cursor.atWord('GRAPH')) return parseExportGraph(cursor)
  cursor.expectWord('SCHEMA')
  parseName(cursor)
  return { kind: 'noise' }
}

/** `FUNCTION gds.**`, `FUNCTION a.b, c.d`. */
function parseInstallFunction(cursor: Cursor): Command {
  const names: string[] = []
  do {
    const from = cursor.index
    parseName(cursor)
    while (cursor.acceptSymbol('.')) {
      if (!cursor.acceptSymbol('*')) parseName(cursor)
      else cursor.acceptSymbol('*')
    }
    names.push(cursor.compactText(from, cursor.index))
  } while (cursor.acceptSymbol(','))
  return { kind: 'needPackage', names }
}

function parseInstall(cursor: Cursor): Command {
  cursor.advance()
  if (cursor.acceptWord('FUNCTION')) return parseInstallFunction(cursor)
  cursor.expectWord('QUERY')
  const isRepeated = cursor.atSymbol('-') && cursor.atWord('OPTIMIZE', 1)
  parseFlags(cursor)
  // `INSTALL QUERY -OPTIMIZE` would make installed queries faster: they are.
  if (isRepeated) return { kind: 'noise' }
  return { kind: 'installQuery', names: parseAllOrNames(cursor) }
}

function parseRun(cursor: Cursor): Command {
  cursor.advance()
  if (cursor.acceptWord('QUERY')) return parseCall(cursor)
  // `RUN JOB j` is the old spelling.
  if (cursor.acceptWord('LOADING') || cursor.atWord('JOB')) {
    return { kind: 'runLoadingJob', run: parseLoadingRun(cursor) }
  }
  const isGlobal = cursor.acceptWord('GLOBAL')
  cursor.expectWord('SCHEMA_CHANGE')
  cursor.expectWord('JOB')
  const name = parseName(cursor)
  parseFlags(cursor)
  return { kind: 'runSchemaJob', name, isGlobal }
}

/** Read here to know where it ends; as a query, when it is run. */
function adHocText(cursor: Cursor): string {
  const { start, end } = parseAdHoc(cursor).range
  return cursor.text.slice(start, end)
}

function parseInterpret(cursor: Cursor): Command {
  const isCypher = cursor.atWord('OPENCYPHER', 1)
  const isText = isCypher || (cursor.atWord('QUERY', 1) && cursor.atSymbol('(', 2))
  if (isText) return { kind: 'interpretQuery', text: queryText(cursor) }
  cursor.advance()
  cursor.expectWord('QUERY')
  return parseCall(cursor)
}

/** From the first word to the brace that closes the first one opened: the query is read later. */
function queryText(cursor: Cursor): string {
  const { start } = cursor.token
  while (!cursor.atSymbol('{') && !cursor.atKind('end')) cursor.advance()
  let depth = 0
  do {
    if (cursor.atKind('end')) break
    if (cursor.atSymbol('{')) depth++
    if (cursor.atSymbol('}')) depth--
    cursor.advance()
  } while (depth > 0)
  return cursor.text.slice(start, cursor.rangeFrom(start).end)
}

function parseCall(cursor: Cursor): Command {
  const isDetached = parseFlags(cursor).includes('async')
  const name = parseDotted(cursor)
  cursor.expectSymbol('(')
  const args = parseArguments(cursor)
  cursor.expectSymbol(')')
  return { kind: 'runQuery', name, arguments: args, isDetached }
}
