/**
 * Blocks that stand in a script without a query around them (docs/reference/gsql/select.md#tables, docs/reference/gsql/opencypher.md): a SELECT, with
 * declarations before it (`LET … IN`), or clauses of openCypher. Each is read as the anonymous query
 * that it stands for, which prints what it selects.
 */
import type { Expression, Identifier, NamedExpression } from '../ast.ts'
import type {
  PrintItemSyntax,
  QuerySyntax,
  SelectSyntax,
  SqlSelectSyntax,
  Statement,
} from '../ast-statement.ts'
import type { Cursor } from '../cursor.ts'
import { parseCypher } from '../cypher/parse-cypher.ts'
import type { SourceRange } from '../source.ts'
import { atVertexSelect, parseSelect, parseSqlSelect } from './parse-select.ts'
import { parseStatement } from './parse-statement.ts'

const CLAUSE_WORDS = ['MATCH', 'OPTIONAL', 'MANDATORY', 'UNWIND', 'RETURN'] as const
const AD_HOC_WORDS = ['SELECT', 'LET', ...CLAUSE_WORDS] as const

export function atAdHoc(cursor: Cursor): boolean {
  if (AD_HOC_WORDS.some((word) => cursor.atWord(word))) return true
  // `CREATE (a:Person {…})`: every other CREATE has a word behind it.
  return cursor.atWord('CREATE') && cursor.atSymbol('(', 1)
}

export function parseAdHoc(cursor: Cursor): QuerySyntax {
  const { start } = cursor.token
  const isCypher = !cursor.atWord('SELECT') && !cursor.atWord('LET')
  const cypher = isCypher ? parseCypher(cursor, true) : null
  const body = isCypher ? [] : parseSelectBlock(cursor)
  cursor.acceptSymbol(';')
  const range = cursor.rangeFrom(start)
  return {
    name: { name: '', range: { start, end: start } },
    interpreted: true,
    adHoc: true,
    orReplace: false,
    modifiers: isCypher ? ['OPENCYPHER'] : [],
    parameters: [],
    graph: null,
    returns: null,
    api: null,
    syntax: isCypher ? null : { name: 'v3', range },
    body,
    cypher,
    range,
  }
}

function parseSelectBlock(cursor: Cursor): Statement[] {
  const declarations: Statement[] = []
  if (cursor.acceptWord('LET')) {
    while (!cursor.acceptWord('IN')) {
      declarations.push(parseStatement(cursor, 'body'))
      cursor.expectSymbol(';')
    }
  }
  const block = atVertexSelect(cursor) ? parseSelect(cursor) : parseSqlSelect(cursor)
  const statements =
    block.kind === 'select' && !isEdge(block) ? vertexSet(block) : table(asTable(block))
  const { range } = block
  const globals = declarations.flatMap((node) =>
    node.kind === 'accumDeclaration' ? node.items.filter(({ global }) => global) : [],
  )
  const accums = globals.map(({ name }) => {
    const value: Expression = { kind: 'globalAccum', name: name.name, previous: false, range }
    return printed(value, `@@${name.name}`, range)
  })
  return [...declarations, ...statements, ...accums]
}

/** `SELECT e FROM (a)-[e]->(b)`: edges are no vertex set. */
function isEdge({ alias, patterns }: SelectSyntax): boolean {
  return patterns.some(({ edges }) => edges.some((edge) => edge.alias?.name === alias.name))
}

function vertexSet(select: SelectSyntax): Statement[] {
  const { range } = select
  const target: Expression = { kind: 'name', name: 'Result_Vertex_Set', range }
  return [
    { kind: 'assign', target, operator: '=', value: select, annotation: null, range },
    printed(target, target.name, range),
  ]
}

function asTable(block: SelectSyntax | SqlSelectSyntax): SqlSelectSyntax {
  if (block.kind === 'sqlSelect') return block
  const { alias, patterns, where, having, orderBy, limit, range } = block
  const value: Expression = { kind: 'name', name: alias.name, range: alias.range }
  const columns = [{ value, as: null, text: alias.name }]
  const clauses = { patterns, where, groupBy: [], having, orderBy, limit, range }
  return { kind: 'sqlSelect', distinct: false, columns, into: null, ...clauses }
}

function table(block: SqlSelectSyntax): Statement[] {
  const { range } = block
  const into: Identifier = block.into ?? { name: 'Result_Table', range }
  const of: Expression = { kind: 'name', name: into.name, range }
  const single = singleAggregate(block)
  if (single === null) return [{ ...block, into }, printed(of, into.name, range)]
  const zero: Expression = { kind: 'int', text: '0', range }
  const get = { name: 'get', range }
  const plain = { distinct: false, star: false, range } as const
  const row: Expression = { kind: 'call', of, name: get, arguments: [zero], ...plain }
  return [{ ...block, columns: [single], into }, printed(row, into.name, range)]
}

/** One aggregate over all rows prints as one object, under a name that holds no punctuation. */
function singleAggregate({ columns, groupBy }: SqlSelectSyntax): NamedExpression | null {
  const [only] = columns
  const isOne = only !== undefined && columns.length === 1 && groupBy.length === 0
  if (!isOne || only.value.kind !== 'call' || only.value.of !== null) return null
  const isAggregate = AGGREGATES.includes(only.value.name.name.toLowerCase())
  if (!isAggregate) return null
  const name = only.text
    .replace('(*)', '(1)')
    .replaceAll('(', '_lparen_')
    .replaceAll(')', '_rparen_')
  return { ...only, as: only.as ?? { name, range: only.value.range } }
}

const AGGREGATES = [
  ...['count', 'sum', 'min', 'max', 'avg', 'stdev', 'stdevp', 'collect', 'percentilecont'],
]

function printed(value: Expression, name: string, range: SourceRange): Statement {
  const item: PrintItemSyntax = { value, as: { name, range }, text: name, withVector: false }
  return { kind: 'print', items: [item], where: null, toCsv: null, range }
}
