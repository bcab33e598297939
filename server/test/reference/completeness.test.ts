/**
 * The GSQL reference is whole: each function, accumulator, method, statement, command and clause
 * that the code knows has its entry. Kinds are keys of records, so that a new one does not compile
 * before it names the heading under which it is described.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { privileges } from '#contract/privileges.ts'
import { SPECIAL_FUNCTIONS } from '#query/bind/expressions/calls.ts'
import { JSON_GETTERS } from '#query/bind/expressions/json.ts'
import type { MutatorName } from '#query/ir/bound.ts'
import type { AccessorName } from '#query/ir/bound-expression.ts'
import { diagnosticCodes } from '#query/ir/diagnostic-codes.ts'
import { cypherFunctionNames } from '#query/ir/function-names.ts'
import { AGGREGATES, functions } from '#query/ir/function-table.ts'
import { userFunctions } from '#query/ir/user-function-table.ts'
import { vectorFunctions } from '#query/ir/vector-function-table.ts'
import { type AccumName, accumNames } from '#query/syntax/ast.ts'
import type { Statement } from '#query/syntax/ast-statement.ts'
import type { CypherClause } from '#query/syntax/cypher/ast-cypher.ts'
import type {
  Command,
  DeleteTarget,
  LoadTarget,
  SchemaStep,
} from '#query/syntax/script/ast-script.ts'
import { LOAD_OPTIONS } from '#services/loading/load-options.ts'
import { reducers } from '#services/loading/targets.ts'
import { tokenFunctions } from '#services/loading/token-functions.ts'
import { cellsOf } from '../fixtures/reference-page.ts'

const folder = new URL('../../../docs/reference/gsql/', import.meta.url)
const pages = new Map(
  readdirSync(folder).map((name) => [name, readFileSync(new URL(name, folder), 'utf8')]),
)

function pageOf(name: string): string {
  const page = pages.get(name)
  if (page === undefined) throw new Error(`no page ${name}`)
  return page
}

/** A page and a heading of it. */
type Entry = readonly [page: string, heading: string]

function missingHeadings(entries: Readonly<Record<string, Entry>>): string[] {
  return Object.entries(entries).flatMap(([kind, [page, heading]]) =>
    new RegExp(`^##+ ${heading.replace(/[()*]/g, '\\$&')}$`, 'm').test(pageOf(page))
      ? []
      : [`${kind}: ${page} has no heading "${heading}"`],
  )
}

/** Names of functions that rows of tables begin with: `name(…)`, several separated by commas. */
function namesInTables(page: string): ReadonlySet<string> {
  const names = pageOf(page)
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .flatMap((line) => [...(cellsOf(line)[0] ?? '').matchAll(/`(?:\w+\.)*(\w+)\(/g)])
  return new Set(names.map(([, name = '']) => name.toLowerCase()))
}

function missingNames(page: string, names: Iterable<string>): string[] {
  const known = namesInTables(page)
  return [...names].filter((name) => !known.has(name.toLowerCase()))
}

const statements: Readonly<Record<Statement['kind'], Entry>> = {
  typedef: ['statements.md', 'TYPEDEF'],
  accumDeclaration: ['statements.md', 'Accumulator declaration'],
  variableDeclaration: ['statements.md', 'Variable declaration'],
  exceptionDeclaration: ['statements.md', 'EXCEPTION'],
  fileDeclaration: ['statements.md', 'FILE'],
  assign: ['statements.md', 'Assignment'],
  select: ['select.md', 'SELECT'],
  sqlSelect: ['select.md', 'SELECT INTO'],
  initTable: ['select.md', 'INIT'],
  orderTable: ['select.md', 'ORDER'],
  filterTable: ['select.md', 'FILTER'],
  projectTable: ['select.md', 'PROJECT'],
  projectVertices: ['select.md', 'PROJECT'],
  joinTables: ['select.md', 'JOIN'],
  uniteTables: ['select.md', 'UNION of tables'],
  unwindTable: ['select.md', 'UNWIND'],
  print: ['statements.md', 'PRINT'],
  log: ['statements.md', 'LOG'],
  callStatement: ['statements.md', 'Call statement'],
  if: ['statements.md', 'IF'],
  caseStatement: ['statements.md', 'CASE'],
  while: ['statements.md', 'WHILE'],
  foreach: ['statements.md', 'FOREACH'],
  break: ['statements.md', 'BREAK and CONTINUE'],
  continue: ['statements.md', 'BREAK and CONTINUE'],
  insert: ['statements.md', 'INSERT'],
  deleteFrom: ['statements.md', 'DELETE'],
  deleteAlias: ['statements.md', 'DELETE'],
  updateFrom: ['statements.md', 'UPDATE'],
  return: ['statements.md', 'RETURN'],
  raise: ['statements.md', 'RAISE'],
  try: ['statements.md', 'TRY'],
  virtualEdge: ['statements.md', 'Virtual edges'],
}

const commands: Readonly<Record<Command['kind'], Entry>> = {
  useGraph: ['commands.md', 'USE'],
  useGlobal: ['commands.md', 'USE'],
  set: ['commands.md', 'SET'],
  ls: ['commands.md', 'LS'],
  help: ['commands.md', 'HELP, VERSION and EXIT'],
  version: ['commands.md', 'HELP, VERSION and EXIT'],
  exit: ['commands.md', 'HELP, VERSION and EXIT'],
  begin: ['commands.md', 'BEGIN, END and ABORT'],
  end: ['commands.md', 'BEGIN, END and ABORT'],
  abort: ['commands.md', 'BEGIN, END and ABORT'],
  show: ['commands.md', 'SHOW'],
  showFunction: ['commands.md', 'SHOW'],
  noise: ['commands.md', 'Packages'],
  createPackage: ['commands.md', 'Packages'],
  showPackage: ['commands.md', 'Packages'],
  dropPackage: ['commands.md', 'Packages'],
  needPackage: ['commands.md', 'Packages'],
  dropAll: ['commands.md', 'DROP'],
  dropJob: ['commands.md', 'DROP'],
  clearStore: ['commands.md', 'CLEAR GRAPH STORE'],
  exportGraph: ['commands.md', 'EXPORT GRAPH and IMPORT GRAPH'],
  importGraph: ['commands.md', 'EXPORT GRAPH and IMPORT GRAPH'],
  createVertex: ['schema.md', 'CREATE VERTEX'],
  createEdge: ['schema.md', 'CREATE EDGE'],
  createTuple: ['schema.md', 'TYPEDEF TUPLE'],
  createAccum: ['schema.md', 'TYPEDEF TUPLE'],
  createGraph: ['schema.md', 'CREATE GRAPH'],
  createSchemaJob: ['schema.md', 'Schema changes'],
  runSchemaJob: ['schema.md', 'Schema changes'],
  alter: ['schema.md', 'Schema changes'],
  upsert: ['schema.md', 'UPSERT'],
  dropTypes: ['schema.md', 'DROP VERTEX and DROP EDGE'],
  dropGraph: ['schema.md', 'DROP GRAPH'],
  createLoadingJob: ['loading.md', 'CREATE LOADING JOB'],
  runLoadingJob: ['loading.md', 'RUN LOADING JOB'],
  showLoading: ['loading.md', 'SHOW LOADING'],
  showLoadingErrors: ['loading.md', 'SHOW LOADING'],
  abortLoading: ['loading.md', 'ABORT, PAUSE and RESUME LOADING JOB'],
  pauseLoading: ['loading.md', 'ABORT, PAUSE and RESUME LOADING JOB'],
  resumeLoading: ['loading.md', 'ABORT, PAUSE and RESUME LOADING JOB'],
  createDataSource: ['loading.md', 'Data sources'],
  dropDataSource: ['loading.md', 'Data sources'],
  grantDataSource: ['loading.md', 'Data sources'],
  revokeDataSource: ['loading.md', 'Data sources'],
  showDataSource: ['loading.md', 'Data sources'],
  createUser: ['access.md', 'Users'],
  alterUser: ['access.md', 'Users'],
  dropUser: ['access.md', 'Users'],
  showUser: ['access.md', 'Users'],
  createRole: ['access.md', 'Roles'],
  dropRole: ['access.md', 'Roles'],
  showRole: ['access.md', 'Roles'],
  grantRole: ['access.md', 'Roles'],
  revokeRole: ['access.md', 'Roles'],
  grantPrivilege: ['access.md', 'Privileges'],
  revokePrivilege: ['access.md', 'Privileges'],
  showPrivilege: ['access.md', 'Privileges'],
  grantOwnership: ['access.md', 'Privileges'],
  createSecret: ['access.md', 'Secrets'],
  showSecret: ['access.md', 'Secrets'],
  dropSecret: ['access.md', 'Secrets'],
  createQuery: ['queries.md', 'CREATE QUERY'],
  installQuery: ['queries.md', 'INSTALL QUERY'],
  interpretQuery: ['queries.md', 'INTERPRET QUERY'],
  runQuery: ['queries.md', 'RUN QUERY'],
  dropQuery: ['queries.md', 'DROP QUERY'],
}

/** Each as the table of schema.md spells it. */
const schemaSteps: Readonly<Record<SchemaStep['kind'], string>> = {
  addVertex: 'ADD VERTEX …',
  addEdge: 'ADD UNDIRECTED EDGE …',
  membership: 'TO GRAPH graph',
  dropTypes: 'DROP VERTEX name, …',
  addAttributes: 'ADD ATTRIBUTE',
  dropAttributes: 'DROP ATTRIBUTE',
  addIndex: 'ADD INDEX',
  dropIndex: 'DROP INDEX',
  addVector: 'ADD VECTOR ATTRIBUTE',
  dropVector: 'DROP VECTOR ATTRIBUTE',
  addPairs: 'ADD PAIR',
  describe: 'SET DESCRIPTION',
}

/** Each as loading.md spells it. */
const loadTargets: Readonly<Record<(LoadTarget | DeleteTarget)['kind'], string>> = {
  vertex: 'TO VERTEX type',
  edge: 'TO EDGE type',
  vector: 'TO VECTOR ATTRIBUTE name',
  table: 'TO TEMP_TABLE table',
  deleteVertex: 'DELETE VERTEX type',
  deleteEdge: 'DELETE EDGE type',
}

const cypherClauses: Readonly<Record<CypherClause['kind'], Entry>> = {
  match: ['opencypher.md', 'MATCH'],
  unwind: ['opencypher.md', 'UNWIND'],
  with: ['opencypher.md', 'WITH'],
  return: ['opencypher.md', 'RETURN'],
  create: ['opencypher.md', 'CREATE'],
  set: ['opencypher.md', 'SET'],
  delete: ['opencypher.md', 'DELETE'],
}

const methods: Readonly<Record<AccessorName | MutatorName, true>> = {
  ...{ size: true, get: true, contains: true, containsKey: true, top: true },
  ...{ clear: true, update: true, remove: true, removeOne: true, removeAll: true, pop: true },
  ...{ resize: true, reallocate: true, setPercent: true },
}

describe('the GSQL reference', () => {
  it('has every function', () => {
    const names = [
      ...functions.keys(),
      ...AGGREGATES,
      ...SPECIAL_FUNCTIONS,
      ...userFunctions.keys(),
    ]
    const headings = pageOf('functions.md').toLowerCase()
    const missing = missingNames('functions.md', names)
    expect(missing.filter((name) => !headings.includes(`### ${name.toLowerCase()}\n`))).toEqual([])
  })

  it('has the functions of vectors, of JSON values and of openCypher', () => {
    expect(missingNames('functions.md', vectorFunctions.keys())).toEqual([])
    expect(missingNames('functions.md', JSON_GETTERS.keys())).toEqual([])
    expect(missingNames('opencypher.md', cypherFunctionNames)).toEqual([])
  })

  it('has every kind of accumulator, and their methods', () => {
    const kinds = accumNames.map((name): [AccumName, Entry] => [name, ['accumulators.md', name]])
    expect(missingHeadings(Object.fromEntries(kinds))).toEqual([])
    const text = pageOf('accumulators.md')
    const missing = Object.keys(methods).filter((name) => !text.includes(`\`${name}(`))
    expect(missing).toEqual([])
  })

  it('has every statement, command and clause', () => {
    expect(missingHeadings(statements)).toEqual([])
    expect(missingHeadings(commands)).toEqual([])
    expect(missingHeadings(cypherClauses)).toEqual([])
  })

  it('has every step of schema changes, and every target of loading jobs', () => {
    const steps = Object.values(schemaSteps)
    expect(steps.filter((text) => !pageOf('schema.md').includes(text))).toEqual([])
    const targets = Object.values(loadTargets)
    expect(targets.filter((text) => !pageOf('loading.md').includes(text))).toEqual([])
  })

  it('has every token function, reducer and option of loading jobs', () => {
    const names = tokenFunctions().map(({ name }) => name)
    expect(missingNames('loading.md', names)).toEqual([])
    const words = [...Object.keys(reducers), ...LOAD_OPTIONS]
    expect(words.filter((word) => !pageOf('loading.md').includes(`\`${word}\``))).toEqual([])
  })

  it('has every privilege, and every code of the compiler', () => {
    const granted = Object.values(privileges).flat()
    expect(granted.filter((name) => !pageOf('access.md').includes(`\`${name}\``))).toEqual([])
    const codes = Object.values(diagnosticCodes)
    expect(codes.filter((code) => !pageOf('queries.md').includes(`\`${code}\``))).toEqual([])
  })

  it('has no page that its first page does not name', () => {
    const first = readFileSync(new URL('../gsql.md', folder), 'utf8')
    expect([...pages.keys()].filter((name) => !first.includes(`(gsql/${name})`))).toEqual([])
  })
})
