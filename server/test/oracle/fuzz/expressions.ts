/** Random expressions of a wanted type over a scope. */
import { elementOf } from './accum-forms.ts'
import type { Dice } from './dice.ts'
import { choice, type Doc, doc } from './doc.ts'
import type { Declared, Scope, VertexAlias } from './scope.ts'

const words = ['', 'x', 'y', 'xy', 'b', '10']
const patterns = ['x%', '%y', '_', '[a-z]%', '%']

export class Expressions {
  readonly #dice: Dice
  readonly #declared: Declared

  constructor(dice: Dice, declared: Declared) {
    this.#dice = dice
    this.#declared = declared
  }

  /** @param depth how many levels of operators it may have at most */
  of(type: string, scope: Scope, depth: number): Doc {
    const dice = this.#dice
    const isLeaf = depth <= 0 || dice.chance(35)
    const whole = isLeaf ? this.leaf(type, scope) : this.#operation(type, scope, depth - 1)
    return choice(whole, this.literal(type, scope))
  }

  /** A name of this type, mostly, or a constant. */
  leaf(type: string, scope: Scope): Doc {
    const texts = this.names(type, scope)
    if (texts.length > 0 && this.#dice.chance(80)) return this.#dice.pick(texts)
    return this.literal(type, scope)
  }

  literal(type: string, scope: Scope): string {
    const dice = this.#dice
    switch (type) {
      case 'INT':
        return dice.chance(2)
          ? dice.pick(['9007199254740993', '4611686018427387904'])
          : signed(dice.between(-2, 9))
      case 'UINT':
        return String(dice.between(0, 9))
      case 'FLOAT':
      case 'DOUBLE':
        return signed(dice.between(-4, 12) / 4)
      case 'BOOL':
        return dice.chance(50) ? 'TRUE' : 'FALSE'
      case 'STRING':
        return `"${dice.pick(words)}"`
      case 'DATETIME':
        return `to_datetime("2020-01-0${dice.between(1, 9)}")`
      default:
        return this.#constantOf(type, scope)
    }
  }

  #constantOf(type: string, scope: Scope): string {
    if (type === 'VERTEX') return this.names('VERTEX', scope)[0] ?? '""'
    const element = elementOf(type)
    const values = this.#dice.times(1, 3, () => this.literal(element ?? 'INT', scope))
    // In parentheses one value alone is no collection.
    return type.startsWith('LIST')
      ? `[${values.join(', ')}]`
      : `(${[...values, values[0]!].join(', ')})`
  }

  /** Everything in sight that has this type. */
  names(type: string, scope: Scope): string[] {
    const { globals, vertexAccums, variables } = this.#declared
    const { vertices, edges, locals } = scope
    const reads = (one: { readonly form: { readonly reads: string } }) => one.form.reads === type
    const previous = scope.hasPrevious ? ["'", ''] : ['']
    return [
      ...locals.filter((one) => one.type === type).map(({ name }) => name),
      ...variables.filter((one) => one.type === type).map(({ name }) => name),
      ...globals.filter(reads).map(({ name }) => name),
      ...(type === 'VERTEX' ? vertices.map(({ name }) => name) : []),
      ...vertices.flatMap(({ name, spec }) => [
        ...namesOf(spec.attributes, type).map((attribute) => `${name}.${attribute}`),
        ...(spec.idReads && spec.id === type ? [`${name}.id`] : []),
        ...vertexAccums
          .filter(reads)
          .flatMap((accum) => previous.map((mark) => `${name}.${accum.name}${mark}`)),
      ]),
      ...edges.flatMap(({ name, spec }) =>
        namesOf(spec.attributes, type).map((attribute) => `${name}.${attribute}`),
      ),
    ]
  }

  #operation(type: string, scope: Scope, depth: number): Doc {
    switch (type) {
      case 'INT':
        return this.#integer(scope, depth)
      case 'UINT':
        return this.#binary('UINT', this.#dice.pick(['+', '*']), scope, depth)
      case 'FLOAT':
        return this.#binary('FLOAT', this.#dice.pick(['+', '-', '*']), scope, 0)
      case 'DOUBLE':
        return this.#real(scope, depth)
      case 'BOOL':
        return this.condition(scope, depth)
      case 'STRING':
        return this.#text(scope, depth)
      case 'DATETIME':
        return doc`datetime_add(${this.of('DATETIME', scope, depth)}, INTERVAL ${String(this.#dice.between(1, 30))} DAY)`
      default:
        return this.leaf(type, scope)
    }
  }

  #binary(type: string, operator: string, scope: Scope, depth: number): Doc {
    const [left, right] = [this.of(type, scope, depth), this.of(type, scope, depth)]
    return choice(doc`(${left} ${operator} ${right})`, left, right)
  }

  #integer(scope: Scope, depth: number): Doc {
    const dice = this.#dice
    if (this.#declared.isRisky && dice.chance(15)) return this.#division(scope, depth)
    const inner = () => this.of('INT', scope, depth)
    const makers: readonly (() => Doc)[] = [
      () => this.#binary('INT', dice.pick(['+', '-', '*', '+', '-']), scope, depth),
      () => this.#binary('INT', dice.pick(['+', '-', '&', '|']), scope, depth),
      () => doc`(${inner()} ${dice.pick(['/', '%'])} ${String(dice.between(2, 5))})`,
      () => this.#division(scope, depth),
      () => doc`(1 << (${inner()} & 7))`,
      () => doc`abs(${inner()})`,
      () => doc`(-${inner()})`,
      () => doc`length(${this.of('STRING', scope, depth)})`,
      () => doc`day(${this.of('DATETIME', scope, depth)})`,
      () => doc`(CASE WHEN ${this.condition(scope, depth)} THEN ${inner()} ELSE ${inner()} END)`,
      () => this.#collectionNumber(scope, depth),
      () => this.#collectionNumber(scope, depth),
      () => this.#degree(scope),
    ]
    return dice.pick(makers)()
  }

  /** A division by something that may be zero: behind a guard, unless the query is a risky one. */
  #division(scope: Scope, depth: number): Doc {
    const dice = this.#dice
    const divisor = this.leaf('INT', scope)
    const quotient = doc`(${this.of('INT', scope, depth)} ${dice.pick(['/', '%'])} ${divisor})`
    if (this.#declared.isRisky && dice.chance(40)) return quotient
    return dice.chance(50)
      ? doc`(CASE WHEN ${divisor} != 0 THEN ${quotient} ELSE 0 END)`
      : doc`(CASE WHEN ${divisor} == 0 OR ${quotient} > 1 THEN 1 ELSE 2 END)`
  }

  #collectionNumber(scope: Scope, depth: number): Doc {
    const dice = this.#dice
    const collections = this.#collections(scope)
    if (collections.length === 0) return this.leaf('INT', scope)
    const { text, type } = dice.pick(collections)
    const makers: (() => Doc)[] = [() => `${text}.size()`, () => `COUNT(${text})`]
    if (type.endsWith('<INT>') && type !== 'ARRAY<INT>') {
      makers.push(() => `${dice.pick(['max', 'min', 'sum'])}(${text})`)
    }
    if (type === 'LIST<INT>') makers.push(() => doc`${text}.get(${this.of('INT', scope, 0)})`)
    if (/^MAP<(INT|STRING),INT>$/.test(type)) {
      const key = type.startsWith('MAP<INT') ? 'INT' : 'STRING'
      makers.push(() => doc`${text}.get(${this.of(key, scope, Math.min(depth, 1))})`)
    }
    if (type === 'ARRAY<INT>') return this.#element(text, scope)
    if (type === 'HEAP<T>') makers.push(() => `${text}.top().a`)
    if (type === 'GROUPS') return `${text}.size()`
    if (type.startsWith('HEAP')) return dice.pick([`${text}.size()`, `${text}.top().a`])
    if (type.startsWith('MAP') && !makers.some((_, i) => i > 1)) return `${text}.size()`
    return dice.pick(makers)()
  }

  #element(text: string, scope: Scope): Doc {
    const dice = this.#dice
    if (!(this.#declared.isRisky && dice.chance(40))) return `${text}[${dice.below(3)}]`
    return doc`${text}[${this.leaf('INT', scope)}]`
  }

  /** Collections in sight. */
  #collections(scope: Scope): { readonly text: string; readonly type: string }[] {
    const { globals, vertexAccums } = this.#declared
    const isOne = (type: string) => /[<]|GROUPS/.test(type)
    return [
      ...globals
        .filter(({ form }) => isOne(form.reads))
        .map(({ name, form }) => ({ text: name, type: form.reads })),
      ...scope.locals
        .filter(({ type }) => isOne(type))
        .map(({ name, type }) => ({ text: name, type })),
      ...scope.vertices.flatMap(({ name, spec }) => [
        ...Object.entries(spec.attributes)
          .filter(([, type]) => isOne(type))
          .map(([attribute, type]) => ({ text: `${name}.${attribute}`, type })),
        ...vertexAccums
          .filter(({ form }) => isOne(form.reads))
          .map((accum) => ({ text: `${name}.${accum.name}`, type: accum.form.reads })),
      ]),
    ]
  }

  #degree(scope: Scope): Doc {
    const dice = this.#dice
    const { vertices } = scope
    if (vertices.length === 0) return this.literal('INT', scope)
    const { name } = dice.pick(vertices)
    const edge = dice.pick(this.#declared.graph.edges).name
    if (this.#declared.edgeName !== null && dice.chance(70)) return this.#namedDegree(name, scope)
    return dice.chance(40) ? `${name}.outdegree()` : `${name}.outdegree("${edge}")`
  }

  /** By a name that may be no type: then it is an error where a run comes to it, and only there. */
  #namedDegree(vertex: string, scope: Scope): Doc {
    const dice = this.#dice
    const { edges } = this.#declared.graph
    const isKnown = choice(
      doc`(${dice.pick(edges.map(({ name }) => `en == "${name}"`))} OR ${this.#comparison(scope, 0)} AND en == "")`,
      'FALSE',
    )
    const guard = dice.pick([isKnown, isKnown, 'en == ""', this.#comparison(scope, 0)])
    return dice.chance(50)
      ? doc`(CASE WHEN ${guard} THEN ${vertex}.outdegree(en) ELSE 1 END)`
      : doc`(CASE WHEN ${guard} AND ${vertex}.outdegree(en) > 0 THEN 2 ELSE 3 END)`
  }

  #real(scope: Scope, depth: number): Doc {
    const dice = this.#dice
    const makers: readonly (() => Doc)[] = [
      () => this.#binary('DOUBLE', dice.pick(['+', '-', '*']), scope, Math.min(depth, 1)),
      () => doc`(${this.of('INT', scope, depth)} * 0.25)`,
      () => doc`(${this.leaf('FLOAT', scope)} + ${this.leaf('DOUBLE', scope)})`,
      () => doc`(${this.of('DOUBLE', scope, depth)} / ${dice.pick(['2', '4.0'])})`,
      () => doc`abs(${this.of('DOUBLE', scope, depth)})`,
    ]
    return dice.pick(makers)()
  }

  #text(scope: Scope, depth: number): Doc {
    const dice = this.#dice
    const inner = () => this.of('STRING', scope, depth)
    const aliases = [...scope.vertices, ...scope.edges]
    const makers: (() => Doc)[] = [
      () => doc`(${inner()} + ${inner()})`,
      () => doc`to_string(${this.of('INT', scope, depth)})`,
      () => doc`${dice.pick(['upper', 'lower', 'trim'])}(${inner()})`,
      () => doc`substr(${inner()}, 0, 1)`,
    ]
    if (aliases.length > 0) makers.push(() => `${dice.pick(aliases).name}.type`)
    return dice.pick(makers)()
  }

  /** An attribute beside a constant. */
  indexable({ name, spec }: VertexAlias, scope: Scope): Doc {
    const dice = this.#dice
    const names = Object.keys(spec.attributes).filter((one) => /^(i|j|u|s|t)$/.test(one))
    const attribute = dice.pick(names)
    const type = spec.attributes[attribute]!
    const constant = () => this.literal(type, scope)
    if (dice.chance(20)) return `${name}.${attribute} IN (${constant()}, ${constant()})`
    const operator = dice.pick(type === 'STRING' ? ['=='] : ['==', '<', '<=', '>', '>='])
    return `${name}.${attribute} ${operator} ${constant()}`
  }

  /** BOOL. */
  condition(scope: Scope, depth: number): Doc {
    const dice = this.#dice
    if (depth <= 0) return this.#comparison(scope, 0)
    const [left, right] = [() => this.condition(scope, depth - 1), () => this.condition(scope, 0)]
    const makers: readonly (() => Doc)[] = [
      () => this.#comparison(scope, depth),
      () => this.#comparison(scope, depth),
      () => this.#both(left(), dice.pick(['AND', 'OR']), right()),
      () => this.#both(left(), dice.pick(['AND', 'OR']), right()),
      () => doc`NOT (${left()})`,
      () => this.#guarded(scope, depth - 1),
      () => this.#membership(scope),
      () => this.leaf('BOOL', scope),
      () => this.#ofAliases(scope),
    ]
    return choice(dice.pick(makers)(), 'TRUE', 'FALSE')
  }

  #both(left: Doc, operator: string, right: Doc): Doc {
    return choice(doc`(${left} ${operator} ${right})`, left, right)
  }

  #comparison(scope: Scope, depth: number): Doc {
    const dice = this.#dice
    const type = dice.pick(['INT', 'INT', 'INT', 'STRING', 'DOUBLE', 'DATETIME', 'UINT'])
    const operator = dice.pick(['==', '!=', '<', '<=', '>', '>='])
    const [left, right] = [this.of(type, scope, depth - 1), this.of(type, scope, depth - 2)]
    if (type === 'STRING' && dice.chance(20)) return doc`(${left} LIKE "${dice.pick(patterns)}")`
    if (type === 'INT' && dice.chance(10)) return doc`(${left} BETWEEN 0 AND ${right})`
    return choice(doc`(${left} ${operator} ${right})`, 'TRUE', 'FALSE')
  }

  /** Nothing behind a guard may be evaluated before it. */
  #guarded(scope: Scope, depth: number): Doc {
    const divisor = this.leaf('INT', scope)
    const rest = doc`${this.of('INT', scope, depth)} / ${divisor} >= 1`
    return this.#dice.chance(50)
      ? doc`(${divisor} != 0 AND ${rest})`
      : doc`(${divisor} == 0 OR ${rest})`
  }

  #membership(scope: Scope): Doc {
    const dice = this.#dice
    const found = this.#collections(scope).filter(({ type }) => /^(LIST|SET|BAG|MAP)</.test(type))
    const { sets } = this.#declared
    const not = dice.pick(['', 'NOT '])
    if (sets.length > 0 && scope.vertices.length > 0 && dice.chance(30)) {
      return `${dice.pick(scope.vertices).name} ${not}IN ${dice.pick(sets).name}`
    }
    if (found.length === 0) return doc`${this.of('INT', scope, 1)} ${not}IN (1, 2, 3)`
    const { text, type } = dice.pick(found)
    const key = elementOf(type) ?? /^MAP<(\w+)/.exec(type)?.[1] ?? 'INT'
    if (key === 'VERTEX' && this.names('VERTEX', scope).length === 0) return `${text}.size() > 1`
    return doc`${this.of(key, scope, 1)} ${not}IN ${text}`
  }

  #ofAliases(scope: Scope): Doc {
    const dice = this.#dice
    const { vertices, edges } = scope
    const { graph } = this.#declared
    if (vertices.length > 1 && dice.chance(40)) {
      const [one, other] = [dice.pick(vertices), dice.pick(vertices)]
      return `${one.name} ${dice.pick(['==', '!='])} ${other.name}`
    }
    if (edges.length > 0 && dice.chance(50)) {
      return `${dice.pick(edges).name}.type == "${dice.pick(graph.edges).name}"`
    }
    if (vertices.length === 0) return this.#comparison(scope, 1)
    return `${dice.pick(vertices).name}.type ${dice.pick(['==', '!='])} "${dice.pick(graph.vertices).name}"`
  }
}

function signed(value: number): string {
  return value < 0 ? `(${value})` : String(value)
}

function namesOf(attributes: Readonly<Record<string, string>>, type: string): string[] {
  return Object.entries(attributes)
    .filter(([, one]) => one === type)
    .map(([name]) => name)
}
