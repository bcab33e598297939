/**
 * The rows of tables as a table statement speaks of them: loops over the tables, one inside the
 * other, with a variable for each column under a name no user can write (`t1.amount`). A column
 * that can be null has its companion beside it, as in openCypher (`cypher/nulls.ts`).
 */

import type { BoundStatement, Place } from '#query/ir/bound.ts'
import type { BoundExpression } from '#query/ir/bound-expression.ts'
import { diagnosticCodes } from '#query/ir/diagnostic-codes.ts'
import { nullFlagOf } from '#query/ir/row-names.ts'
import { BOOL, type TupleValueType } from '#query/ir/types.ts'
import type { Expression, Identifier } from '#query/syntax/ast.ts'
import type { SourceRange } from '#query/syntax/source.ts'
import { suggest } from '#query/syntax/suggest.ts'
import type { Binder } from '../core/binder.ts'
import { passOverBroken } from '../core/broken-names.ts'
import { NullRewriter } from '../cypher/nulls.ts'
import { replaced } from '../expressions/aggregates.ts'

export interface TableInput {
  readonly alias: string
  /** LIST of `row`. */
  readonly rows: BoundExpression
  readonly row: TupleValueType
}

/** @throws BindFailure where `table` is none */
export function tableInput(binder: Binder, table: Identifier, alias = table): TableInput {
  const entry = binder.lookup(table.name)
  const type = entry?.kind === 'variable' ? binder.variables[entry.slot]!.type : null
  if (entry === undefined || type?.kind !== 'LIST' || type.element.kind !== 'TUPLE') {
    passOverBroken(binder, table.name)
    const hint = entry === undefined ? suggest(table.name, binder.visibleNames()) : ''
    const message = `"${table.name}" is not a table${hint}`
    return binder.fail(diagnosticCodes.undeclared, table.range, message)
  }
  const rows: BoundExpression = { kind: 'variable', type, slot: entry.slot }
  return { alias: alias.name, rows, row: type.element }
}

interface Loop {
  readonly input: TableInput
  readonly rowSlot: number
  /** By the names that `TableRows` gives. */
  readonly slots: ReadonlyMap<string, number>
  readonly setters: readonly BoundStatement[]
  /** What stands for a row that is not there: every column null. */
  readonly absent: readonly BoundStatement[]
}

const FLAG = nullFlagOf('')

/** A column as expressions see it, and the companion of one. */
function keyOf(alias: string, field: string): string {
  if (!field.startsWith(FLAG)) return `${alias}.${field}`
  return nullFlagOf(`${alias}.${field.slice(FLAG.length)}`)
}

export class TableRows {
  readonly #binder: Binder
  readonly #place: Place
  readonly #loops: readonly Loop[]
  readonly #rewriter: NullRewriter

  /** @param optional the alias of the input whose rows may be missing; null: none */
  constructor(
    binder: Binder,
    inputs: readonly TableInput[],
    { range, optional = null }: { readonly range: SourceRange; readonly optional?: string | null },
  ) {
    this.#binder = binder
    this.#place = binder.place(range)
    this.#loops = inputs.map((input) => this.#loop(input, input.alias === optional))
    const nullable = this.#loops
      .flatMap(({ slots }) => [...slots.keys()])
      .flatMap((key) => (key.startsWith(FLAG) ? [key.slice(FLAG.length)] : []))
    this.#rewriter = new NullRewriter(new Set(nullable), 'gsql')
  }

  #loop(input: TableInput, isOptional: boolean): Loop {
    const { alias, row } = input
    const binder = this.#binder
    const place = this.#place
    const rowSlot = binder.variables.push({ name: '#row', type: row }) - 1
    const of: BoundExpression = { kind: 'variable', type: row, slot: rowSlot }
    const slots = new Map<string, number>()
    const setters: BoundStatement[] = []
    const absent: BoundStatement[] = []
    const add = (key: string, found: BoundExpression, missing: BoundExpression) => {
      const slot = binder.variables.push({ name: key, type: found.type }) - 1
      slots.set(key, slot)
      setters.push({ kind: 'setVariable', slot, value: found, place })
      absent.push({ kind: 'setVariable', slot, value: missing, place })
    }
    const [yes, no] = [true, false].map(
      (value): BoundExpression => ({ kind: 'literal', type: BOOL, value }),
    )
    row.fields.forEach(({ name, type }, field) => {
      const none: BoundExpression = name.startsWith(FLAG) ? yes! : { kind: 'default', type }
      add(keyOf(alias, name), { kind: 'field', type, of, field }, none)
    })
    const plain = row.fields.filter(({ name }) => !name.startsWith(FLAG))
    for (const { name } of isOptional ? plain : []) {
      const flag = keyOf(alias, nullFlagOf(name))
      if (!slots.has(flag)) add(flag, no!, yes!)
    }
    return { input, rowSlot, slots, setters, absent }
  }

  /** Runs `bind` where the columns are variables. */
  inside<T>(bind: () => T): T {
    const names = new Map(this.#loops.flatMap(({ slots }) => [...slots]))
    return this.#binder.withVariables(names, bind)
  }

  /** The row that a loop is at. */
  row(index: number): BoundExpression {
    const { input, rowSlot } = this.#loops[index]!
    return { kind: 'variable', type: input.row, slot: rowSlot }
  }

  /** Runs `body` for every row of the input that stands at `index`, or for some of its rows. */
  around(
    index: number,
    body: readonly BoundStatement[],
    some: BoundExpression | null = null,
  ): BoundStatement {
    const { input, rowSlot, setters } = this.#loops[index]!
    return {
      kind: 'foreach',
      slots: [rowSlot],
      over: { kind: 'collection', value: some ?? input.rows },
      body: [...setters, ...body],
      place: this.#place,
    }
  }

  /** Runs `body` for every combination of rows. */
  aroundAll(body: readonly BoundStatement[]): readonly BoundStatement[] {
    return this.#loops.reduceRight<readonly BoundStatement[]>(
      (inner, _, index) => [this.around(index, inner)],
      body,
    )
  }

  absent(index: number): readonly BoundStatement[] {
    return this.#loops[index]!.absent
  }

  /** The input that `node` is a column of; null: it is something else. */
  columnInput(node: Expression): number | null {
    const resolved = this.#resolved(node)
    if (resolved.kind !== 'name') return null
    const index = this.#loops.findIndex(({ slots }) => slots.has(resolved.name))
    return index < 0 ? null : index
  }

  /** An expression over columns, written `alias.column` or, where only one has it, `column`. */
  value(node: Expression): Expression {
    return this.#rewriter.value(this.#resolved(node))
  }

  condition(node: Expression): Expression {
    return this.#rewriter.whenTrue(this.#resolved(node))
  }

  /** Output columns for an expression: itself, and its companion where it can be null. */
  outputs(name: string, node: Expression): { name: string; value: Expression }[] {
    const resolved = this.#resolved(node)
    const isNull = this.#rewriter.isNull(resolved)
    const own = { name, value: this.#rewriter.value(resolved) }
    return isNull === null ? [own] : [own, { name: nullFlagOf(name), value: isNull }]
  }

  /** All columns as they are, companions too. */
  carried(range: SourceRange): { name: string; value: Expression }[] {
    return this.#loops.flatMap(({ input: { alias, row } }) =>
      row.fields.map(({ name }) => ({
        name,
        value: { kind: 'name', name: keyOf(alias, name), range } as const,
      })),
    )
  }

  #resolved(node: Expression): Expression {
    return replaced(node, (part) => {
      if (part.kind === 'member' && part.of.kind === 'name') {
        const { name } = part.of
        const loop = this.#loops.find(({ input }) => input.alias === name)
        return loop === undefined ? null : this.#columnOf(loop.input, part.name)
      }
      return part.kind === 'name' ? this.#bareColumn(part) : null
    })
  }

  #columnOf({ alias, row }: TableInput, { name, range }: Identifier): Expression {
    if (!row.fields.some((field) => field.name === name)) {
      const known = row.fields.map((field) => field.name).filter((field) => !field.startsWith(FLAG))
      const message = `table "${alias}" has no column "${name}"${suggest(name, known)}`
      this.#binder.fail(diagnosticCodes.noSuchAttribute, range, message)
    }
    return { kind: 'name', name: keyOf(alias, name), range }
  }

  #bareColumn({ name, range }: Extract<Expression, { kind: 'name' }>): Expression | null {
    const having = this.#loops.filter(({ input }) =>
      input.row.fields.some((field) => field.name === name),
    )
    if (having.length > 1) {
      const message = `several tables have a column "${name}": write the table before it`
      this.#binder.fail(diagnosticCodes.duplicate, range, message)
    }
    const [only] = having
    return only === undefined ? null : this.#columnOf(only.input, { name, range })
  }
}
