/** Random statements of ACCUM and POST-ACCUM, and updates of accumulators anywhere. */
import { type Accum, type AccumForm, ARRAY_LENGTH, elementOf, type Takes } from './accum-forms.ts'
import type { Dice } from './dice.ts'
import { choice, type Doc, doc, list, optional } from './doc.ts'
import type { Expressions } from './expressions.ts'
import { type Declared, type Scope, type Variable, withLocal } from './scope.ts'

export type Clause = 'ACCUM' | 'POST-ACCUM'

const DEPTH = 2

export class Statements {
  readonly #dice: Dice
  readonly #declared: Declared
  readonly #expressions: Expressions
  #count = 0

  constructor(dice: Dice, declared: Declared, expressions: Expressions) {
    this.#dice = dice
    this.#declared = declared
    this.#expressions = expressions
  }

  newName(prefix: string): string {
    this.#count += 1
    return `${prefix}${this.#count}`
  }

  /** Statements with commas between them; locals of one are seen by the next. */
  clause(clause: Clause, scope: Scope, most: number, nesting = 0): Doc {
    let inner = scope
    const items = this.#dice.times(1, most, () => {
      const made = this.#dml(clause, inner, nesting)
      inner = withLocal(inner, ...made.locals)
      return made.text
    })
    return list(items, ', ', 1)
  }

  #dml(
    clause: Clause,
    scope: Scope,
    nesting: number,
  ): { readonly text: Doc; readonly locals: readonly Variable[] } {
    const dice = this.#dice
    const roll = dice.below(100)
    if (roll < 12) return this.#local(scope)
    if (roll < 32 && nesting < 2) {
      return { text: this.#nested(clause, scope, nesting + 1), locals: [] }
    }
    if (roll < 38 && !scope.isUnordered) {
      const text = this.#assignment(scope)
      if (text !== null) return { text, locals: [] }
    }
    return { text: this.#update(clause, scope), locals: [] }
  }

  #local(scope: Scope): { readonly text: Doc; readonly locals: readonly Variable[] } {
    const type = this.#dice.pick(['INT', 'INT', 'STRING', 'BOOL', 'DOUBLE'])
    const name = this.newName('x')
    const value = this.#expressions.of(type, scope, DEPTH)
    return { text: doc`${type} ${name} = ${value}`, locals: [{ name, type }] }
  }

  /** Of a variable of the body, buffered; or of a local, at once. */
  #assignment(scope: Scope): Doc | null {
    const locals = scope.locals.filter(({ name }) => name.startsWith('x'))
    const all = [...this.#declared.variables, ...locals]
    if (all.length === 0) return null
    const { name, type } = this.#dice.pick(all)
    if (!/^(INT|STRING|BOOL|DOUBLE)$/.test(type)) return null
    const operator = type === 'INT' && this.#dice.chance(40) ? '+=' : '='
    return doc`${name} ${operator} ${this.#expressions.of(type, scope, DEPTH)}`
  }

  #nested(clause: Clause, scope: Scope, nesting: number): Doc {
    const dice = this.#dice
    const body = (inner: Scope) => this.clause(clause, inner, 2, nesting)
    const roll = dice.below(100)
    if (roll < 45) {
      const condition = this.#expressions.condition(scope, DEPTH)
      const [then, otherwise] = [body(scope), optional(doc` ELSE ${body(scope)}`)]
      return choice(doc`IF ${condition} THEN ${then}${otherwise} END`, then)
    }
    if (roll < 55) return this.#case(clause, scope, nesting)
    if (roll < 65) {
      const name = this.newName('n')
      const [low, high] = [dice.between(-1, 2), dice.between(0, 3)]
      const inner = body(withLocal(scope, { name, type: 'INT' }))
      return doc`FOREACH ${name} IN RANGE [${String(low)}, ${String(high)}] DO ${inner} END`
    }
    if (roll < 72) return this.#while(clause, scope, nesting)
    return this.#foreach(scope, body)
  }

  #case(clause: Clause, scope: Scope, nesting: number): Doc {
    const branch = () => {
      const condition = this.#expressions.condition(scope, 1)
      return doc`WHEN ${condition} THEN ${this.clause(clause, scope, 2, nesting)}`
    }
    const branches = list(this.#dice.times(1, 2, branch), ' ', 1)
    const otherwise = optional(doc` ELSE ${this.clause(clause, scope, 1, nesting)}`)
    return doc`CASE ${branches}${otherwise} END`
  }

  #while(clause: Clause, scope: Scope, nesting: number): Doc {
    const name = this.newName('x')
    // The body does not see what the loop counts with.
    const body = this.clause(clause, scope, 2, nesting)
    const rounds = String(this.#dice.between(0, 3))
    return doc`INT ${name} = 0, WHILE ${name} < ${rounds} DO ${body}, ${name} += 1 END`
  }

  #foreach(scope: Scope, body: (inner: Scope) => Doc): Doc {
    const found = this.#iterables(scope)
    const name = this.newName('n')
    if (found.length === 0) {
      const inner = body(withLocal(scope, { name, type: 'INT' }))
      return doc`FOREACH ${name} IN (1, 2, 3) DO ${inner} END`
    }
    const { text, type } = this.#dice.pick(found)
    const pair = /^MAP<(\w+),(.*)>$/.exec(type)
    const isUnordered = scope.isUnordered || !type.startsWith('LIST')
    if (pair === null) {
      const inner = { ...withLocal(scope, { name, type: elementOf(type)! }), isUnordered }
      return doc`FOREACH ${name} IN ${text} DO ${body(inner)} END`
    }
    const value = this.newName('n')
    const locals = [
      { name, type: pair[1]! },
      { name: value, type: valueTypeOf(pair[2]!) },
    ]
    const inner = { ...withLocal(scope, ...locals), isUnordered }
    return doc`FOREACH (${name}, ${value}) IN ${text} DO ${body(inner)} END`
  }

  #iterables(scope: Scope): { readonly text: string; readonly type: string }[] {
    const types = ['LIST<INT>', 'SET<INT>', 'SET<STRING>', 'LIST<STRING>', 'BAG<INT>']
    const vertices = ['LIST<VERTEX>', 'SET<VERTEX>']
    const maps = [
      'MAP<STRING,INT>',
      'MAP<INT,INT>',
      'MAP<STRING,DOUBLE>',
      'MAP<STRING,MaxAccum<INT>>',
    ]
    return [...types, ...vertices, ...maps].flatMap((type) =>
      this.#expressions
        .names(type, scope)
        .filter((text) => !text.endsWith("'"))
        .map((text) => ({ text, type })),
    )
  }

  // Updates of accumulators

  #update(clause: Clause, scope: Scope): Doc {
    const { globals, vertexAccums } = this.#declared
    const fits = ({ form }: Accum) =>
      (!scope.isUnordered || form.isOrdered !== true) && this.#hasWhatItTakes(form, scope)
    const vertices = [
      ...scope.vertices.map(({ name }) => name),
      // A vertex that is no alias is updated when the clause ends.
      ...(clause === 'ACCUM'
        ? scope.locals.filter(({ type }) => type === 'VERTEX').map(({ name }) => name)
        : []),
    ]
    const places = [
      ...globals.filter(fits).map((accum) => ({ text: accum.name, accum, isGlobal: true })),
      ...vertices.flatMap((name) =>
        vertexAccums
          .filter(fits)
          .map((accum) => ({ text: `${name}.${accum.name}`, accum, isGlobal: false })),
      ),
    ]
    const { text, accum, isGlobal } = this.#dice.pick(places)
    const mayAssign = !isGlobal && !scope.isUnordered && vertices.length > 0
    if (mayAssign && this.#dice.chance(20)) return this.assignAccum(text, accum.form, scope)
    if (clause === 'POST-ACCUM' && !isGlobal && this.#dice.chance(6)) {
      if (/^(List|Set|Bag|Map|Heap)/.test(accum.form.type)) return `${text}.clear()`
    }
    return this.add(text, accum.form, scope)
  }

  #hasWhatItTakes({ takes }: AccumForm, scope: Scope): boolean {
    const needsVertex = /"VERTEX"/.test(JSON.stringify(takes))
    return !needsVertex || this.#expressions.names('VERTEX', scope).length > 0
  }

  /** `+=`. */
  add(text: string, form: AccumForm, scope: Scope): Doc {
    if (form.takes.kind === 'index') {
      const index = this.#dice.below(ARRAY_LENGTH)
      return doc`${text}[${String(index)}] += ${this.#expressions.of('INT', scope, DEPTH)}`
    }
    return doc`${text} += ${this.#taken(form.takes, scope)}`
  }

  assignAccum(text: string, form: AccumForm, scope: Scope): Doc {
    if (form.takes.kind !== 'value') return this.add(text, form, scope)
    return doc`${text} = ${this.#taken(form.takes, scope)}`
  }

  /** Whether `add` finds what it needs. */
  canAdd(accum: Accum, scope: Scope): boolean {
    return this.#hasWhatItTakes(accum.form, scope)
  }

  #taken(takes: Takes, scope: Scope): Doc {
    const dice = this.#dice
    const of = (type: string) => this.#expressions.of(type, scope, DEPTH)
    switch (takes.kind) {
      case 'value':
        return of(takes.type)
      case 'elements': {
        if (dice.chance(75)) return of(takes.type)
        const whole = this.#expressions.names(`LIST<${takes.type}>`, scope)
        if (whole.length > 0 && dice.chance(50)) return dice.pick(whole)
        return doc`[${list(
          dice.times(1, 3, () => of(takes.type)),
          ', ',
          1,
        )}]`
      }
      case 'pair':
        return doc`(${of(takes.key)} -> ${this.#taken(takes.value, scope)})`
      case 'tuple':
        return doc`T(${of('INT')}, ${of('STRING')})`
      case 'group':
        return doc`(${of('STRING')} -> ${of('INT')}, ${of('INT')})`
      case 'index':
        return of('INT')
    }
  }
}

/** What a value of a map reads as in a loop. */
function valueTypeOf(declared: string): string {
  return declared.startsWith('MaxAccum') ? 'INT' : declared
}
