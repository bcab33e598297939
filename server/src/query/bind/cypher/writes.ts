/** CREATE, SET and DELETE: one change per row, in terms of GSQL's own statements. */
import type { Attribute } from '#catalog/types.ts'
import type { BoundStatement } from '#query/ir/bound.ts'
import type { BoundSetAttribute } from '#query/ir/bound-changes.ts'
import { diagnosticCodes } from '#query/ir/diagnostic-codes.ts'
import type { Expression, Identifier, NamedExpression } from '#query/syntax/ast.ts'
import type {
  EdgeSyntax,
  NodeSyntax,
  PathSyntax,
  PropertySyntax,
} from '#query/syntax/ast-pattern.ts'
import type { InsertSyntax, InsertValueSyntax } from '#query/syntax/ast-statement.ts'
import type { CreateClause, DeleteClause, SetClause } from '#query/syntax/cypher/ast-cypher.ts'
import type { SourceRange } from '#query/syntax/source.ts'
import { bindCondition } from '../core/conditions.ts'
import { isTypeParameter } from '../core/type-parameters.ts'
import { bindAttributeAssign, bindAttributeReset, bindDelete } from '../statements/changes.ts'
import { bindInsert } from '../statements/insert.ts'
import { declaredDefault } from './attribute-defaults.ts'
import { not } from './logic.ts'
import { type MadeElements, storedCall } from './made-elements.ts'
import { checkNameKinds } from './name-kinds.ts'
import type { NullRewriter } from './nulls.ts'
import { bindProjection } from './project.ts'
import type { WorkingTable } from './working-table.ts'
import { shownName } from './written-lists.ts'

/** A vertex made by an earlier part of the query: it is not there to be read before the end. */
interface Created {
  readonly typeName: string
  readonly key: Expression
}

export type CreatedVertices = Map<string, Created>

export function bindSet(rows: WorkingTable, { items, range }: SetClause): void {
  perRow(rows, range, (rewriter) => items.flatMap((item) => setProperty(rows, item, rewriter)))
}

/** Null sets the property back to its default. */
function setProperty(
  rows: WorkingTable,
  { target, value }: SetClause['items'][number],
  rewriter: NullRewriter,
): readonly BoundStatement[] {
  const isNull = rewriter.isNull(value)
  if (isNull === null) return [assigned(rows, target, rewriter.value(value))]
  const { binder } = rows
  const reset = resetProperty(rows, target)
  if (value.kind === 'null') return reset
  const condition = bindCondition(binder, isNull)
  const otherwise = [assigned(rows, target, rewriter.value(value))]
  const place = binder.place(target.range)
  return [{ kind: 'if', branches: [{ condition, body: reset }], otherwise, place }]
}

function assigned(rows: WorkingTable, target: Expression, value: Expression): BoundSetAttribute {
  const node = {
    kind: 'assign',
    target,
    operator: '=',
    value,
    annotation: null,
    range: target.range,
  } as const
  return bindAttributeAssign(rows.binder, node, value) ?? failProperty(rows, target)
}

function resetProperty(rows: WorkingTable, target: Expression): readonly BoundSetAttribute[] {
  if (target.kind !== 'member') throw new Error('SET of no property')
  const { binder } = rows
  const { vertexTypes, edgeTypes } = binder.schema
  const changes = bindAttributeReset(binder, target, (typeId, attributeId) => {
    const type = [...vertexTypes, ...edgeTypes].find(({ id }) => id === typeId)
    const attribute = type?.attributes.find(({ id }) => id === attributeId)
    return attribute === undefined ? null : declaredDefault(attribute, target.range)
  })
  return changes ?? failProperty(rows, target)
}

function failProperty({ binder }: WorkingTable, target: Expression): never {
  const message = 'SET writes a property of a node or a relationship'
  return binder.fail(diagnosticCodes.misplaced, target.range, message)
}

export function bindDeletes(rows: WorkingTable, { names, range }: DeleteClause): void {
  perRow(rows, range, () => names.map((name) => bindDelete(rows.binder, name, range)))
}

interface Creation {
  readonly created: CreatedVertices
  /** Whether a later clause reads a name. */
  readonly later: (name: string) => boolean
}

export function bindCreate(
  rows: WorkingTable,
  clause: CreateClause,
  { created, later }: Creation,
): void {
  checkNameKinds(rows, clause.patterns)
  const patterns = withWrittenColumns(rows, clause, (name) => {
    return later(name) && !created.has(name) && !isBound(rows, name)
  })
  perRow(rows, clause.range, (rewriter) =>
    patterns.flatMap((path) => createPath({ rows, rewriter, created }, path)),
  )
}

/**
 * Makes a column of each property of what is read later, and gives the patterns with the columns
 * in the place of the values, which are thus computed once.
 */
function withWrittenColumns(
  rows: WorkingTable,
  { patterns, range }: CreateClause,
  isRead: (name: string) => boolean,
): readonly PathSyntax[] {
  const { schema } = rows.binder
  const made: MadeElements = new Map(rows.made)
  const items: NamedExpression[] = []
  const kept = <P extends NodeSyntax | EdgeSyntax>(part: P, typeName: string): P => {
    const name = part.alias?.name
    const type = schema.vertexType(typeName) ?? schema.edge(typeName)?.type
    if (name === undefined || type === undefined || !isRead(name) || made.has(name)) return part
    const columns = new Map<string, string>()
    made.set(name, columns)
    const properties = part.properties.map((property) => {
      const own = property.name.name
      const isStored =
        schema.attribute(type.id, own) !== undefined && property.value.kind !== 'null'
      if (!isStored) return property
      const column = `#made ${name}.${own}`
      columns.set(own, column)
      const as = { name: column, range: property.name.range }
      items.push({ value: storedCall(property.value, typeName, own), as, text: column })
      return { ...property, value: { kind: 'name', name: column, range } as const }
    })
    return { ...part, properties }
  }
  const paths = patterns.map((path) => ({
    ...path,
    nodes: path.nodes.map((node) => kept(node, node.types[0]?.name ?? '')),
    edges: path.edges.map((edge) =>
      kept(edge, edge.type?.kind === 'atom' ? edge.type.type.name : ''),
    ),
  }))
  if (items.length > 0) addColumns(rows, items, range)
  for (const [name, columns] of made) rows.made.set(name, columns)
  return paths
}

function addColumns(
  rows: WorkingTable,
  items: readonly NamedExpression[],
  range: SourceRange,
): void {
  const names = new Set(rows.columns.map(({ name }) => shownName(name)))
  const known = [...names].map((name): NamedExpression => {
    return { value: { kind: 'name', name, range }, as: { name, range }, text: name }
  })
  const plain = { orderBy: [], skip: null, limit: null, where: null, distinct: false, star: false }
  bindProjection(rows, { kind: 'with', ...plain, items: [...known, ...items], range }, null)
}

function perRow(
  rows: WorkingTable,
  range: SourceRange,
  bind: (rewriter: NullRewriter) => readonly BoundStatement[],
): void {
  rows.materialise(range)
  const loop = rows.loop(range)
  const body = loop.inside(() => bind(rows.rewriter()))
  rows.statements.push(...loop.around(body))
}

interface Site {
  readonly rows: WorkingTable
  readonly rewriter: NullRewriter
  readonly created: CreatedVertices
}

interface End {
  readonly value: Expression
  /** Null: the vertex itself says. */
  readonly type: Expression | null
}

function createPath(site: Site, path: PathSyntax): BoundStatement[] {
  const statements: BoundStatement[] = []
  const isAlone = path.edges.length === 0
  const ends = path.nodes.map((node) => {
    checkNew(site, node, isAlone)
    return createNode(site, node, statements)
  })
  path.edges.forEach((edge, index) => {
    const [left, right] = [ends[index]!, ends[index + 1]!]
    checkNewEdge(site, edge)
    statements.push(createEdge(site, edge, { left, right }))
  })
  return statements
}

/** A node that exists may only be an end of a relationship, and is not described again. */
function checkNew({ rows, created }: Site, node: NodeSyntax, isAlone: boolean): void {
  const { alias, types, properties } = node
  if (alias === null || !(isBound(rows, alias.name) || created.has(alias.name))) return
  if (!isAlone && types.length === 0 && properties.length === 0) return
  const use = isAlone ? 'CREATE makes a new node' : 'here it has no types and no properties'
  const message = `"${alias.name}" is a node already: ${use}`
  rows.binder.fail(diagnosticCodes.duplicate, alias.range, message)
}

function checkNewEdge({ rows }: Site, { alias }: EdgeSyntax): void {
  if (alias === null || !isBound(rows, alias.name)) return
  const message = `"${alias.name}" is a relationship already: CREATE makes a new one`
  rows.binder.fail(diagnosticCodes.duplicate, alias.range, message)
}

function createNode(site: Site, node: NodeSyntax, statements: BoundStatement[]): End {
  const { rows, created, rewriter } = site
  const name = node.alias?.name ?? null
  if (name !== null && isBound(rows, name)) {
    return { value: { kind: 'name', name, range: node.range }, type: null }
  }
  const before = name === null ? undefined : created.get(name)
  if (before !== undefined) return endOf(before, node.range)
  const label = onlyLabel(site, node.types, node.range)
  const type = rows.binder.schema.vertexType(label.name)
  const properties = writtenProperties(rewriter, node.properties, type?.attributes ?? [])
  const keyName = type?.primaryId.names[0] ?? ''
  const key = properties.find((property) => property.name.name === keyName)
  if (type !== undefined && key === undefined) {
    const message = `CREATE of a ${label.name} needs its primary id: {${keyName}: …}`
    rows.binder.fail(diagnosticCodes.argumentCount, node.range, message)
  }
  const ownKey = type?.primaryId.syntax === 'PRIMARY_ID'
  const columns = properties.map(({ name: property }) =>
    ownKey && property.name === keyName ? { ...property, name: 'PRIMARY_ID' } : property,
  )
  const values = properties.map(({ value }) => ({ value, type: null }))
  statements.push(
    insert(site, { element: 'VERTEX', into: label, columns, values, range: node.range }),
  )
  const made: Created = { typeName: label.name, key: key!.value }
  if (name !== null) created.set(name, made)
  return endOf(made, node.range)
}

/** By a clause before, or as a parameter that is a vertex. */
function isBound({ binder, columns }: WorkingTable, name: string): boolean {
  const parameter = binder.parameters.find((candidate) => candidate.name === name)
  return columns.some((column) => column.name === name) || parameter?.type.kind === 'VERTEX'
}

function endOf({ typeName, key }: Created, range: SourceRange): End {
  return { value: key, type: { kind: 'name', name: typeName, range } }
}

function createEdge(
  site: Site,
  edge: EdgeSyntax,
  { left, right }: { readonly left: End; readonly right: End },
): BoundStatement {
  const atom = edge.type?.kind === 'atom' ? edge.type : null
  const label = onlyLabel(site, atom === null ? [] : [atom.type], edge.range)
  const [from, to] = atom?.direction === 'left' ? [right, left] : [left, right]
  const attributes = site.rows.binder.schema.edge(label.name)?.type.attributes ?? []
  const properties = writtenProperties(site.rewriter, edge.properties, attributes)
  const named = (name: string): Identifier => ({ name, range: edge.range })
  return insert(site, {
    element: 'EDGE',
    into: label,
    columns: [named('FROM'), named('TO'), ...properties.map(({ name }) => name)],
    values: [from, to, ...properties.map(({ value }) => ({ value, type: null }))],
    range: edge.range,
  })
}

/** Properties with the values they get: where one is null, the default of the attribute. */
function writtenProperties(
  rewriter: NullRewriter,
  properties: readonly PropertySyntax[],
  attributes: readonly Attribute[],
): PropertySyntax[] {
  return properties.flatMap(({ name, value }): PropertySyntax[] => {
    if (value.kind === 'null') return []
    const isNull = rewriter.isNull(value)
    const given = rewriter.value(value)
    if (isNull === null) return [{ name, value: given }]
    const { range } = value
    const attribute = attributes.find((candidate) => candidate.name === name.name)
    const otherwise = attribute === undefined ? null : declaredDefault(attribute, range)
    const branches = [{ when: not(isNull), result: given }]
    return [{ name, value: { kind: 'case', subject: null, branches, otherwise, range } }]
  })
}

function onlyLabel(
  { rows }: Site,
  types: readonly { readonly kind: string; readonly name: string; readonly range: SourceRange }[],
  range: SourceRange,
): Identifier {
  const [only, second] = types
  if (only === undefined || second !== undefined || only.kind !== 'name') {
    rows.binder.fail(diagnosticCodes.misplaced, range, 'CREATE needs exactly one type here')
  }
  if (isTypeParameter(rows.binder, only!.name)) {
    const message = `CREATE needs a type here: "${only!.name}" is a parameter`
    rows.binder.fail(diagnosticCodes.misplaced, only!.range, message)
  }
  return { name: only!.name, range: only!.range }
}

function insert(
  { rows }: Site,
  node: {
    readonly element: 'VERTEX' | 'EDGE'
    readonly into: Identifier
    readonly columns: readonly Identifier[]
    readonly values: readonly InsertValueSyntax[]
    readonly range: SourceRange
  },
): BoundStatement {
  const columns = node.columns.map((name) => ({ name, members: [] }))
  const syntax: InsertSyntax = { kind: 'insert', ...node, columns }
  const change = bindInsert(rows.binder, syntax)
  if (change === null) throw new Error('an INSERT without a type')
  return change
}
