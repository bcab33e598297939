/**
 * Where a clause reads what a clause before it has changed: openCypher gives it the changed graph. Here, as in
 * TigerGraph, a query sees the graph as it was when it began (docs/decisions/0016, 0158). A text is warned once.
 */
import { diagnosticCodes } from '#query/ir/diagnostic-codes.ts'
import type { Expression } from '#query/syntax/ast.ts'
import type { PathSyntax } from '#query/syntax/ast-pattern.ts'
import type {
  CypherClause,
  MatchClause,
  ProjectClause,
  SetClause,
} from '#query/syntax/cypher/ast-cypher.ts'
import type { SourceRange } from '#query/syntax/source.ts'
import type { Binder } from '../core/binder.ts'

/** What the clauses so far have changed. */
interface Changed {
  /** Names of properties that SET has written. */
  readonly properties: Set<string>
  /** Names of nodes and relationships that SET has written to. */
  readonly names: Set<string>
  /** Types that CREATE has made elements of. */
  readonly types: Set<string>
  hasDeleted: boolean
}

interface Read {
  readonly text: string
  readonly range: SourceRange
}

export function warnOfChanged(binder: Binder, clauses: readonly CypherClause[]): void {
  const changed: Changed = {
    properties: new Set(),
    names: new Set(),
    types: new Set(),
    hasDeleted: false,
  }
  for (const clause of clauses) {
    const read = clause.kind === 'set' ? setReads(clause, changed) : readOf(clause, changed)
    if (read !== null) {
      const message = `${read.text} is read as it was when the query began, as in TigerGraph; elsewhere as it was changed before`
      binder.warn(diagnosticCodes.changedBefore, read.range, message)
      return
    }
    note(clause, changed)
  }
}

/** Values are read one after the other: each item sees what those before it have written. */
function setReads({ items }: SetClause, changed: Changed): Read | null {
  for (const { target, value } of items) {
    const read = propertyIn(value, changed)
    if (read !== null) return read
    noteTarget(target, changed)
  }
  return null
}

function readOf(clause: CypherClause, changed: Changed): Read | null {
  if (clause.kind === 'match') return matchReads(clause, changed)
  if (clause.kind === 'with' || clause.kind === 'return') return projectReads(clause, changed)
  return propertyIn(clause, changed)
}

function matchReads({ patterns, where, range }: MatchClause, changed: Changed): Read | null {
  const isMet = changed.hasDeleted || patterns.some((path) => meets(path, changed))
  return isMet ? { text: 'the graph', range } : propertyIn(where, changed)
}

/** Whether a pattern can match what was made, or looks at a property that was written. */
function meets({ nodes, edges }: PathSyntax, { types, properties }: Changed): boolean {
  const isChanged = [...nodes, ...edges].some((part) =>
    part.properties.some(({ name }) => properties.has(name.name)),
  )
  if (isChanged || types.size === 0) return isChanged
  return nodes.some(
    (node) => node.types.length === 0 || node.types.some(({ name }) => types.has(name)),
  )
}

/** A name that goes on is not read; one that is returned prints its properties. */
function projectReads(clause: ProjectClause, changed: Changed): Read | null {
  const read = propertyIn(clause, changed)
  if (read !== null || clause.kind === 'with') return read
  const whole = clause.items.find(
    ({ value }) => value.kind === 'name' && changed.names.has(value.name),
  )
  if (whole?.value.kind === 'name') return { text: whole.value.name, range: whole.value.range }
  return clause.star && changed.names.size > 0 ? { text: '*', range: clause.range } : null
}

/** The first property below a piece of syntax that was written before. */
function propertyIn(node: unknown, changed: Changed): Read | null {
  if (changed.properties.size === 0 || typeof node !== 'object' || node === null) return null
  if (Array.isArray(node)) {
    for (const item of node) {
      const read = propertyIn(item, changed)
      if (read !== null) return read
    }
    return null
  }
  const part = node as Expression
  if (part.kind === 'member' && part.of.kind === 'name') {
    const { name } = part.name
    if (changed.properties.has(name)) return { text: `${part.of.name}.${name}`, range: part.range }
  }
  return propertyIn(Object.values(node), changed)
}

function note(clause: CypherClause, changed: Changed): void {
  if (clause.kind === 'delete') changed.hasDeleted = true
  if (clause.kind === 'create') {
    const nodes = clause.patterns.flatMap((path) => path.nodes)
    for (const { name } of nodes.flatMap(({ types }) => types)) changed.types.add(name)
  }
  if (clause.kind === 'with') noteRenamed(clause, changed)
}

/** Names go on under others. */
function noteRenamed({ items }: ProjectClause, { names }: Changed): void {
  for (const { value, as } of items) {
    if (as !== null && value.kind === 'name' && names.has(value.name)) names.add(as.name)
  }
}

function noteTarget(target: Expression, { properties, names }: Changed): void {
  if (target.kind !== 'member') return
  properties.add(target.name.name)
  if (target.of.kind === 'name') names.add(target.of.name)
}
