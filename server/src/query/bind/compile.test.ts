import { describe, expect, it } from 'vitest'
import { EVALUATE_SIZE_CHARS_MAX } from '#kernel/limits.ts'
import type { BoundStatement } from '#query/ir/bound.ts'
import type { BoundSelect } from '#query/ir/bound-select.ts'
import { tinySocial } from '../../../test/fixtures/tiny-social.ts'
import { compileFrontEnd, type FrontEndOptions } from './compile.ts'

function bind(
  body: string,
  {
    parameters = '',
    header = '',
    ...options
  }: FrontEndOptions & {
    parameters?: string
    header?: string
  } = {},
) {
  const text = `CREATE QUERY q(${parameters}) ${header} { ${body} }`
  const { queries, diagnostics } = compileFrontEnd(text, tinySocial, 'social', options)
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([])
  return queries[0]!
}

function selectOf(body: readonly BoundStatement[]): BoundSelect {
  const found = body.find((statement) => statement.kind === 'select')
  if (found === undefined) throw new Error('no SELECT')
  return found
}

function stepsOf(pattern: string, header = ''): string[] {
  const query = bind(`R = SELECT s FROM ${pattern};`, { header })
  const names = new Map(
    [...tinySocial.vertexTypes, ...tinySocial.edgeTypes].map(({ id, name }) => [id, name]),
  )
  return selectOf(query.body).hops[0]!.steps.map(
    (step) =>
      `${names.get(step.fromTypeId)} ${step.typeName} ${step.direction} ${names.get(step.toTypeId)}`,
  )
}

describe('edge steps', () => {
  it.each([
    ['Person:s -(Knows:e)- :t', ['Person Knows both Person']],
    ['Person:s -(Follows:e)- :t', ['Person Follows out Person']],
    ['Person:s -(Follows>:e)- :t', ['Person Follows out Person']],
    ['Person:s -(<Follows:e)- :t', ['Person Follows in Person']],
    ['Person:s -(reverse_Follows>:e)- :t', ['Person reverse_Follows in Person']],
    ['City:s -(<Lives:e)- :t', ['City Lives in Person']],
    ['Person:s -(Likes>:e)- :t', ['Person Likes out Post', 'Person Likes out City']],
    ['Person:s -(Likes>:e)- City:t', ['Person Likes out City']],
    ['Person:s -((Lives>|Knows):e)- :t', ['Person Lives out City', 'Person Knows both Person']],
    ['City:s -(:e)- :t', ['City Lives in Person', 'City Likes in Person']],
    ['City:s -(:e)-> :t', []],
    ['Person:s -(_:e)- :t', ['Person Knows both Person']],
    ['(s:City)-[e:Lives]-(t)', ['City Lives in Person']],
    ['(s:City)<-[e]-(t)', ['City Lives in Person', 'City Likes in Person']],
  ])('of %s', (pattern, steps) => {
    expect(stepsOf(pattern)).toEqual(steps)
  })

  it('of an untyped edge meet an edge with a reverse type once in each direction', () => {
    expect(stepsOf('Person:s -(:e)- Person:t')).toEqual([
      'Person Knows both Person',
      'Person Follows out Person',
      'Person reverse_Follows in Person',
    ])
  })
})

describe('several types behind one alias', () => {
  it('lets each statement run for the types that have its attributes', () => {
    const { body } = bind(`SumAccum<INT> @@a, @@b; R = SELECT s FROM (Person|City|Post):s
      ACCUM @@a += s.age, @@b += 1, @@b += s.length;`)
    expect(selectOf(body).accum?.body).toMatchObject([
      { applies: { positions: [{ position: 0, typeIds: [1] }] } },
      { applies: null },
      { applies: { positions: [{ position: 0, typeIds: [3] }] } },
    ])
  })

  it('guards each atom of a condition by itself', () => {
    const { body } = bind('R = SELECT s FROM (Person|Post):s WHERE s.age > 3 OR s.length > 4;')
    expect(selectOf(body).where).toMatchObject({
      kind: 'or',
      left: { kind: 'guard', applies: { positions: [{ typeIds: [1] }] } },
      right: { kind: 'guard', applies: { positions: [{ typeIds: [3] }] } },
    })
  })

  it('narrows types inside IF by a comparison of the type name', () => {
    const { body } = bind(`SumAccum<INT> @@a; R = SELECT s FROM (Person|Post):s
      ACCUM IF s.type == "Post" THEN @@a += s.length END;`)
    expect(selectOf(body).accum?.body).toMatchObject([
      { branches: [{ body: [{ applies: null, value: { value: { byType: [{ typeId: 3 }] } } }] }] },
    ])
  })

  it('cuts positions to the types that some step reaches', () => {
    const { body } = bind('R = SELECT t FROM (Person|City):s -(Lives>)- :t;')
    expect(selectOf(body).positions.map(({ typeIds }) => typeIds)).toEqual([[1], [2]])
  })
})

describe('accumulator effects', () => {
  it('lists what is read and written in one ACCUM as needing a snapshot', () => {
    const { body } = bind(`SumAccum<INT> @x, @y; SumAccum<INT> @@g, @@h; R = SELECT t
      FROM Person:s -(Follows>)- Person:t ACCUM t.@x += s.@x + 1, t.@y += 1, @@g += @@h;`)
    expect(selectOf(body).accum).toMatchObject({
      snapshotVertexAccums: [0],
      snapshotGlobals: [],
      effects: { vertexAccumsWritten: [0, 1], globalsRead: [1], globalsWritten: [0] },
    })
  })

  it('tells indirect updates from those through an alias', () => {
    const { body } =
      bind(`MinAccum<VERTEX<Person>> @best; SumAccum<INT> @n; R = SELECT s FROM Person:s
      ACCUM VERTEX<Person> v = s.@best, v.@n += 1;`)
    expect(selectOf(body).accum?.effects.vertexAccumsWrittenIndirectly).toEqual([1])
  })

  it('keeps the slots read with the previous-value mark', () => {
    const { body } = bind(`SumAccum<INT> @x; R = SELECT s FROM Person:s ACCUM s.@x += 1
      POST-ACCUM s.@x = s.@x - s.@x';`)
    expect(selectOf(body).previousVertexAccums).toEqual([0])
  })

  it('splits a V1 POST-ACCUM by alias and takes locals along', () => {
    const query = bind(`SumAccum<INT> @x; R = SELECT t FROM Person:s -(Follows:e)-> Person:t
      POST-ACCUM s.@x = 1, INT k = 2, t.@x = k;`)
    expect(query.syntax).toBe('v1')
    expect(selectOf(query.body).postAccum).toMatchObject([
      { position: 0, locals: [], body: [{ kind: 'updateAccum' }] },
      {
        position: 1,
        locals: [{ name: 'k' }],
        body: [{ kind: 'setLocal' }, { kind: 'updateAccum' }],
      },
    ])
  })
})

describe('vertex sets', () => {
  it('grow over loops until their types stand still', () => {
    const query = bind(`S = {Person.*}; WHILE S.size() > 0 LIMIT 3 DO
      S = SELECT t FROM S:s -(:e)- :t; END;`)
    expect(query.vertexSets).toEqual([{ name: 'S', typeIds: [1, 2, 3] }])
  })

  it('come from parameters, accumulators and other sets', () => {
    const { body } = bind('SetAccum<VERTEX<City>> @@c; S = {p, @@c, Post.*}; T = S UNION {ps};', {
      parameters: 'VERTEX<Person> p, SET<VERTEX> ps',
    })
    expect(body.slice(1)).toMatchObject([
      { kind: 'assignVertexSet', value: { kind: 'union' } },
      { kind: 'assignVertexSet', value: { kind: 'union', right: { kind: 'vertices' } } },
    ])
  })
})

describe('type parameters', () => {
  const text = 'S = {v}; R = SELECT t FROM S:s -(e)- :t ACCUM @@n += s.outdegree(e);'
  const parameters = 'STRING v, SET<STRING> e'

  it('make a query wait for its arguments', () => {
    const query = bind(`SumAccum<INT> @@n; ${text}`, { parameters })
    expect(query).toMatchObject({ executable: false, typeParameters: [0, 1] })
  })

  it('are resolved by the arguments of an invocation', () => {
    const typeArguments = new Map([
      ['v', ['Person']],
      ['e', ['Lives', 'Knows']],
    ])
    const query = bind(`SumAccum<INT> @@n; ${text}`, { parameters, typeArguments })
    expect(query.executable).toBe(true)
    const select = selectOf(query.body)
    expect(select.positions[0]?.typeIds).toEqual([1])
    expect(select.hops[0]?.steps.map(({ typeName }) => typeName)).toEqual(['Lives', 'Knows'])
  })

  it('that name nothing are errors of the places that use them', () => {
    const typeArguments = new Map([['v', ['Nobody']]])
    const query = bind('S = {v}; PRINT S;', { parameters: 'STRING v', typeArguments })
    const message = 'Runtime Error: "Nobody" is not a valid vertex type.'
    const error = { code: 'QUERY_RUNTIME', message, contractCode: 'GSQL-4500' }
    expect(query.body).toMatchObject([
      { kind: 'assignVertexSet', value: { kind: 'vertices', value: { kind: 'failure', error } } },
      { kind: 'print' },
    ])
    expect(failuresIn(query.body)).toEqual([message])
  })

  it('that name nothing use no types', () => {
    const typeArguments = new Map([
      ['v', ['Person']],
      ['e', ['Nothing']],
    ])
    const query = bind('S = {v}; R = SELECT t FROM S:s -(e:x)- :t -(Knows)- :u;', {
      parameters: 'STRING v, STRING e',
      typeArguments,
    })
    expect(query.uses).toEqual({ vertexTypeIds: [1], edgeTypeIds: [], attributes: [] })
    const select = selectOf(query.body)
    expect(select.positions.map(({ typeIds }) => typeIds)).toEqual([[1], [], []])
    expect(select.hops.map(({ steps }) => steps)).toEqual([[], []])
    expect(failuresIn(select.hops)).toEqual(['Runtime Error: "Nothing" is not a valid edge type.'])
  })

  it('leave a table with its type where a text does not fit', () => {
    const typeArguments = new Map([['e', ['p.name']]])
    const text = 'SELECT evaluate(e) + 1 AS n INTO T FROM Person:p; PRINT T;'
    const query = bind(text, { parameters: 'STRING e', typeArguments })
    expect(query.body).toMatchObject([{ kind: 'callStatement' }, { kind: 'print' }])
    expect(failuresIn(query.body)).toEqual([expect.stringContaining('operator + does not take')])
  })
})

/** The messages of all errors that a tree raises. */
function failuresIn(node: unknown): string[] {
  if (Array.isArray(node)) return node.flatMap(failuresIn)
  if (typeof node !== 'object' || node === null) return []
  const { kind, error } = node as { kind?: unknown; error?: { message: string } }
  return kind === 'failure' ? [error!.message] : Object.values(node).flatMap(failuresIn)
}

describe('texts for evaluate', () => {
  const chained = (count: number) => {
    const names = Array.from({ length: count }, (_, index) => `p${index}`)
    const typeArguments = new Map(
      names.map((name, index) => {
        const next = names[index + 1]
        return [name, [next === undefined ? '1' : `evaluate(${next}) + evaluate(${next})`]]
      }),
    )
    const parameters = names.map((name) => `STRING ${name}`).join(', ')
    const text = `CREATE QUERY q(${parameters}) { PRINT evaluate(p0, "int"); }`
    return compileFrontEnd(text, tinySocial, 'social', { typeArguments }).queries.flatMap(
      ({ body }) => failuresIn(body),
    )
  }

  it('are as long as the limit at most', () => {
    const errors = (length: number) => {
      const typeArguments = new Map([['p', ['1'.padEnd(length)]]])
      const text = 'CREATE QUERY q(STRING p) { PRINT evaluate(p, "int"); }'
      const { queries } = compileFrontEnd(text, tinySocial, 'social', { typeArguments })
      return failuresIn(queries[0]?.body)
    }
    expect(errors(EVALUATE_SIZE_CHARS_MAX)).toEqual([])
    expect(errors(EVALUATE_SIZE_CHARS_MAX + 1)).toEqual([
      expect.stringContaining('more than 100000 characters'),
    ])
  })

  it('may hold evaluate, but not without end', () => {
    expect(chained(10)).toEqual([])
    const errors = chained(20)
    expect(new Set(errors)).toEqual(
      new Set([expect.stringContaining('more than 100000 characters')]),
    )
    expect(errors.length).toBeLessThan(50)
  })
})

describe('conversions', () => {
  it('are explicit nodes, and folded for literals', () => {
    const { body } = bind('DOUBLE d = 1; INT i = 2.5; FLOAT f = i;')
    expect(body).toMatchObject([
      { value: { kind: 'literal', type: { kind: 'DOUBLE' }, value: 1 } },
      { value: { kind: 'convert', type: { kind: 'INT' } } },
      { value: { kind: 'convert', type: { kind: 'FLOAT' }, value: { kind: 'variable' } } },
    ])
  })

  it('raise operands to the higher type', () => {
    const { body } = bind('PRINT 1 + 2.5, 7 / 2;')
    expect(body[0]).toMatchObject({
      items: [{ value: { type: { kind: 'DOUBLE' } } }, { value: { type: { kind: 'INT' } } }],
    })
  })

  it('keep 64-bit literals exact', () => {
    const { body } = bind('PRINT 9223372036854775807, -9223372036854775807;')
    expect(body[0]).toMatchObject({
      items: [
        { value: { value: 9223372036854775807n } },
        { value: { value: -9223372036854775807n } },
      ],
    })
  })
})

describe('folds', () => {
  const foldOf = (declaration: string, value: string) => {
    const { body } = bind(`${declaration} @@a; @@a += ${value};`)
    const update = body.find((statement) => statement.kind === 'updateAccum')
    return update?.kind === 'updateAccum' ? update.value : null
  }

  it.each([
    ['SumAccum<INT>', '1', { kind: 'scalar' }],
    ['ListAccum<INT>', '1', { kind: 'element' }],
    ['ListAccum<INT>', '[1, 2]', { kind: 'elements' }],
    ['SetAccum<DOUBLE>', '(1, 2)', { kind: 'elements' }],
    ['ListAccum<ListAccum<INT>>', '[1, 2]', { kind: 'element' }],
    ['MapAccum<STRING, INT>', '("a" -> 1)', { kind: 'pair', value: { kind: 'scalar' } }],
    [
      'MapAccum<STRING, ListAccum<INT>>',
      '("a" -> 1)',
      { kind: 'pair', value: { kind: 'element' } },
    ],
    ['MapAccum<STRING, INT>', '@@a', { kind: 'merge' }],
  ])('of %s += %s', (declaration, value, expected) => {
    expect(foldOf(declaration, value)).toMatchObject(expected)
  })
})

describe('PRINT', () => {
  it('has the keys of docs/reference/gsql/statements.md#output', () => {
    const { body } = bind(`SumAccum<INT> @c, @@g; ListAccum<INT> @@l; S = {Person.*}; INT x;
      PRINT x, @@g, S, S[S.name, S.@c AS c], x + 1 > 2, MAX(@@l), x AS y;`)
    const print = body.at(-1)
    if (print?.kind !== 'print') throw new Error('no PRINT')
    expect(print.items.map(({ key }) => key)).toEqual([
      'x',
      '@@g',
      'S',
      'S',
      'x+1>2',
      'max(@@l)',
      'y',
    ])
    expect(print.items[3]).toMatchObject({
      kind: 'projection',
      columns: [{ key: 'S.name' }, { key: 'c' }],
    })
    expect(print.items[2]).toMatchObject({ kind: 'vertexSet', vertexAccums: [0] })
  })
})

describe('to_datetime of a constant', () => {
  const holds = (body: string) => JSON.stringify(bind(body).body).includes('"to_datetime"')

  it('is worked out once, not for every row', () => {
    expect(holds('PRINT to_datetime("2024-03-01 09:30:00") AS at;')).toBe(false)
  })

  it('is left to fail at run time when it is no date', () => {
    expect(holds('PRINT to_datetime("yesterday") AS at;')).toBe(true)
  })
})
