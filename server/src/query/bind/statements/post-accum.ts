/**
 * POST-ACCUM: each clause belongs to one vertex alias. A V1 clause over two is split by statement;
 * a local goes with the statements that mention it, a statement without alias with the selected one.
 */

import type { BoundPostAccumClause } from '#query/ir/bound-select.ts'
import { diagnosticCodes } from '#query/ir/diagnostic-codes.ts'
import type { DmlClauseSyntax, Statement } from '#query/syntax/ast-statement.ts'
import type { Binder } from '../core/binder.ts'
import { ClauseState, type SelectState } from '../core/clause-state.ts'
import { mentionedNames } from '../core/mentions.ts'
import { bindDml } from './dml.ts'

export function bindPostAccum(
  binder: Binder,
  clause: DmlClauseSyntax,
  select: SelectState,
): BoundPostAccumClause[] {
  const groups = groupByAlias(binder, clause, select)
  return [...groups].map(([position, body]) => bindGroup(binder, select, { position, body }))
}

function bindGroup(
  binder: Binder,
  select: SelectState,
  { position, body }: { position: number; body: readonly Statement[] },
): BoundPostAccumClause {
  const state = new ClauseState('postAccum', select)
  binder.clause = state
  const bound = binder.scoped(() => bindDml(binder, body))
  binder.clause = null
  return {
    position,
    locals: state.locals,
    body: bound,
    effects: state.effects(),
    snapshotGlobals: state.snapshotGlobals(),
  }
}

/** Statements by the position they run for, in order of first use. */
function groupByAlias(
  binder: Binder,
  clause: DmlClauseSyntax,
  select: SelectState,
): Map<number, readonly Statement[]> {
  const fixed = clause.alias === null ? null : positionNamed(binder, clause, select)
  if (fixed !== null) {
    const others = [...positionsUsed(clause.body, select)].some((position) => position !== fixed)
    if (!others) return new Map([[fixed, clause.body]])
    const message = `POST-ACCUM (${clause.alias!.name}) can use no other alias`
    binder.fail(diagnosticCodes.severalAliases, clause.range, message)
  }
  const used = positionsUsed(clause.body, select)
  if (used.size <= 1) return new Map([[[...used][0] ?? select.resultPosition, clause.body]])
  if (binder.options.syntax !== 'v1') {
    const message = 'a POST-ACCUM clause uses one alias; write one clause for each'
    binder.fail(diagnosticCodes.severalAliases, clause.range, message)
  }
  return splitByAlias(binder, clause, select)
}

function positionNamed(binder: Binder, clause: DmlClauseSyntax, select: SelectState): number {
  const alias = clause.alias!
  const target = select.aliases.get(alias.name)
  if (target?.kind === 'vertex') return target.position
  const message = `"${alias.name}" is not a vertex alias of this SELECT`
  return binder.fail(diagnosticCodes.undeclared, alias.range, message)
}

function positionsUsed(
  node: unknown,
  select: SelectState,
  locals: Iterable<string> = [],
): Set<number> {
  const positions = new Set<number>()
  for (const name of mentionedNames(node, locals)) {
    const target = select.aliases.get(name)
    if (target?.kind === 'vertex') positions.add(target.position)
  }
  return positions
}

function splitByAlias(
  binder: Binder,
  clause: DmlClauseSyntax,
  select: SelectState,
): Map<number, readonly Statement[]> {
  const groups = new Map<number, Statement[]>()
  /** Where the locals declared so far belong. */
  const locals = new Map<string, number>()
  clause.body.forEach((statement, index) => {
    const own = positionsUsed(statement, select, locals.keys())
    const used = new Set([...ofLocals(statement, locals), ...own])
    if (used.size > 1) {
      const message = 'one statement of POST-ACCUM uses two aliases'
      binder.fail(diagnosticCodes.severalAliases, statement.range, message)
    }
    const position = [...used][0] ?? followed(clause.body.slice(index), select)
    for (const name of declaredNames(statement)) locals.set(name, position)
    groups.set(position, [...(groups.get(position) ?? []), statement])
  })
  return groups
}

/** Where the locals that the statement speaks of were declared. */
function ofLocals(statement: Statement, locals: ReadonlyMap<string, number>): number[] {
  return [...mentionedNames(statement)].flatMap((name) => locals.get(name) ?? [])
}

function declaredNames(statement: Statement): readonly string[] {
  return statement.kind === 'variableDeclaration'
    ? statement.items.map(({ name }) => name.name)
    : []
}

/** The alias of the statements after the first that mention a local it declares. */
function followed([first, ...rest]: readonly Statement[], select: SelectState): number {
  if (first === undefined) return select.resultPosition
  const own = new Set(declaredNames(first))
  const mentioned = own.size > 0 ? own : mentionedNames(first)
  for (const statement of rest) {
    const names = mentionedNames(statement)
    if (![...mentioned].some((name) => names.has(name))) continue
    const [position] = positionsUsed(statement, select)
    if (position !== undefined) return position
  }
  return select.resultPosition
}
