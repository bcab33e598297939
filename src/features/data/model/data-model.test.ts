import { describe, expect, it } from 'vitest'
import { sniffCsv } from '#lib/csv/csv-sniff.ts'
import { cellJson, idProblem } from '#lib/graph-schema/cell-value.ts'
import { sampleSchema } from '#lib/graph-schema/sample-schema.ts'
import {
  findEdge,
  findVertex,
  type SchemaModel,
  type VertexModel,
} from '#lib/graph-schema/schema-model.ts'
import { recordFragment } from './file-chunks.ts'
import { formPayload } from './form-payload.ts'
import { idMembersOf } from './id-parts.ts'
import { columnsOf, guessMapping, guessType, handedMapping, mappingProblem } from './mapping.ts'
import { checkPayload, examplePayload } from './payload-check.ts'
import { batchPayload, rowFragment } from './row-payload.ts'
import { defaultOptions, requestOptions } from './upsert-options.ts'

describe('sniffCsv', () => {
  it('takes names that stand twice for a header where what is below is no text, and tells them apart', () => {
    const { hasHeader, columns } = sniffCsv('id,name,name\n1,a,b\n2,c,d\n')
    expect(hasHeader).toBe(true)
    expect(columns.map(({ name }) => name)).toEqual(['id', 'name', 'name (2)'])
    expect(sniffCsv('a,a\nb,c\n').hasHeader).toBe(false)
    const thrice = sniffCsv('x (2),x,x,x\n1,2,3,4\n').columns.map(({ name }) => name)
    expect(thrice).toEqual(['x (2)', 'x', 'x (3)', 'x (4)'])
  })

  it('finds the delimiter, the header and the types', () => {
    const shape = sniffCsv('pid;name;age;born\n1;Ada;36;1815-12-10\n2;Bo;;\n')
    expect(shape).toMatchObject({ delimiter: ';', hasHeader: true })
    expect(shape.columns.map(({ name, type }) => `${name} ${type}`)).toEqual([
      'pid INT',
      'name STRING',
      'age INT',
      'born DATETIME',
    ])
    expect(shape.rows).toHaveLength(2)
  })

  it('sees that there is no header, and reads quotes and line breaks in them', () => {
    const shape = sniffCsv('1,"a, b\nc",true\n2,d,false\n')
    expect(shape.hasHeader).toBe(false)
    expect(shape.rows[0]).toEqual(['1', 'a, b\nc', 'true'])
    expect(shape.columns.map(({ name, type }) => [name, type])).toEqual([
      ['column 1', 'INT'],
      ['column 2', 'STRING'],
      ['column 3', 'BOOL'],
    ])
  })

  it('takes a header of names over columns of text', () => {
    expect(sniffCsv('home_team,city\nGhent,Oslo\nRome,Lima\n').hasHeader).toBe(true)
  })

  it('takes blanks as delimiters only where every row has as many', () => {
    expect(sniffCsv('0 27648\n0 555\n')).toMatchObject({ delimiter: ' ', hasHeader: false })
    expect(sniffCsv('New York\nRome\n').columns).toHaveLength(1)
  })

  it('counts the columns by the header, else by most of the rows', () => {
    expect(sniffCsv('id,name\n1,a,surplus\n').columns).toHaveLength(2)
    expect(sniffCsv('1,2\n3,4\n5,6,7\n').columns).toHaveLength(2)
  })

  it('takes what a database writes for nothing as empty', () => {
    const shape = sniffCsv('id,age\n1,\\N\n2,3\n')
    expect(shape).toMatchObject({
      nullText: '\\N',
      rows: [
        ['1', ''],
        ['2', '3'],
      ],
    })
    expect(shape.columns[1]).toMatchObject({ type: 'INT', samples: ['3'] })
    expect(sniffCsv('id,age\n1,\\N\n', { nullText: '' }).rows).toEqual([['1', '\\N']])
  })

  it.each([
    ['a,b\n"1;2;3","x\ny"\n"4;5;6",z\n', ','],
    ['a;b\n"1,2,3";"x\ny"\n"4,5,6";z\n', ';'],
    ['a\tb\n1,5\t"x\ty"\n2,5\tz\n', '\t'],
    ['a|b|c\n1|2|3,4\n', '|'],
    ['one\ntwo, three\nfour\n', ','],
  ])('finds the delimiter of %j', (text, delimiter) => {
    expect(sniffCsv(text).delimiter).toBe(delimiter)
  })

  it('leaves out what the end of the sample cuts off', () => {
    const text = 'id,name\n1,a\n2,"b\nc'
    expect(sniffCsv(text, { isWhole: false }).rows).toEqual([['1', 'a']])
    expect(sniffCsv('id,name\n1,a\n2,b', { isWhole: true }).rows).toHaveLength(2)
  })

  it('does as told', () => {
    const shape = sniffCsv('a|b\n1|2\n', { delimiter: '|', hasHeader: false })
    expect(shape.rows).toHaveLength(2)
  })
})

describe('mapping', () => {
  it('matches columns by name, without case and signs', () => {
    const person = findVertex(sampleSchema, 'Person')!
    const mapping = guessMapping(sampleSchema, person, ['NAME', 'Person ID', 'Age'])
    expect(mapping).toMatchObject({ kind: 'vertex', id: [{ column: 1, type: 'INT' }] })
    expect(mapping.attributes.map(({ attribute, column }) => [attribute, column])).toEqual([
      ['name', 0],
      ['age', 2],
      ['phones', null],
    ])
  })

  it('finds the ends of an edge and asks for its discriminator', () => {
    const pays = findEdge(sampleSchema, 'Pays')!
    const mapping = guessMapping(sampleSchema, pays, ['person', 'company', 'amount'])
    expect(mapping).toMatchObject({
      source: [{ column: 1 }],
      target: [{ column: 0, type: 'INT' }],
    })
    expect(mappingProblem(sampleSchema, mapping)).toContain('month tells edges apart')
  })

  it('guesses the type from the file name and the columns', () => {
    expect(guessType(sampleSchema, 'companies.csv', ['cid', 'sector'])?.name).toBe('Company')
    expect(guessType(sampleSchema, 'pays.csv', ['a', 'b'])?.name).toBe('Pays')
  })
})

describe('the mapping of the page before', () => {
  const handed = { typeName: 'Company', targets: ['sector', null, 'cid'] }
  const company = findVertex(sampleSchema, 'Company')!

  it('is kept, whatever the columns are called', () => {
    expect(company.primaryId.names).toEqual(['cid'])
    const mapping = handedMapping(sampleSchema, handed)!
    expect(rowFragment(mapping, ['mining', 'unused', 'acme'])).toMatchObject({
      fragment: '"acme":{"sector":{"value":"mining"}}',
    })
    expect(columnsOf(mapping)).toEqual([2, 0])
  })

  it('is guessed anew where the schema has changed since', () => {
    expect(handedMapping(sampleSchema, { ...handed, typeName: 'Ghost' })).toBeNull()
    expect(handedMapping(sampleSchema, { ...handed, targets: ['gone', 'cid'] })).toBeNull()
    expect(handedMapping(sampleSchema, { ...handed, targets: ['sector'] })).toBeNull()
  })
})

describe('composite keys', () => {
  const vertex: VertexModel = {
    ...findVertex(sampleSchema, 'Person')!,
    name: 'Shop',
    primaryId: {
      syntax: 'COMPOSITE',
      names: ['chain', 'number'],
      type: 'STRING',
      asAttribute: true,
    },
    attributes: ['chain STRING', 'number INT', 'size INT'].map((text) => {
      const [name = '', type = ''] = text.split(' ')
      return { name, type, defaultText: null, isNew: false }
    }),
  }
  const near = { ...findEdge(sampleSchema, 'Knows')!, name: 'Near' }
  const schema: SchemaModel = {
    vertices: [...sampleSchema.vertices, vertex],
    edges: [{ ...near, pairs: [{ from: 'Shop', to: 'Person' }] }],
  }

  it('are read from one column per member, and not written among the attributes', () => {
    const mapping = guessMapping(schema, vertex, ['size', 'number', 'chain'])
    expect(mappingProblem(schema, mapping)).toBeNull()
    const result = rowFragment(mapping, [' 9', '9007199254740993 ', ' a "b" '])
    expect(result).toEqual({
      ok: true,
      fragment: '" a \\"b\\" ,9007199254740993":{"size":{"value":9}}',
      defaulted: [],
    })
  })

  it('take no comma in a member that others follow', () => {
    const mapping = guessMapping(schema, vertex, ['size', 'number', 'chain'])
    expect(rowFragment(mapping, ['9', '1', 'a,b'])).toEqual({
      ok: false,
      problem: 'chain: a comma in a,b would part it from the next',
    })
    expect(rowFragment(mapping, ['9', 'x', 'a'])).toMatchObject({
      problem: 'number: the id x is not a valid INT',
    })
  })

  it('name the ends of edges by prefixed columns', () => {
    const mapping = guessMapping(schema, schema.edges[0]!, ['from_chain', 'from_number', 'to'])
    expect(rowFragment(mapping, ['a', '1', '2'])).toMatchObject({
      fragment: '"a,1":{"Near":{"Person":{"2":{}}}}',
    })
    const wrong = guessMapping(schema, schema.edges[0]!, ['from_chain', 'x', 'to'])
    expect(mappingProblem(schema, wrong)).toBe('Choose the column of the source id.')
  })
})

describe('cells', () => {
  it.each([
    ['INT', '708663653625634816', '708663653625634816'],
    ['UINT', '18446744073709551615', '18446744073709551615'],
    ['INT', '+007', '7'],
    ['DOUBLE', '1.50', '1.5'],
    ['BOOL', '1', 'true'],
    ['STRING', ' a"b ', '" a\\"b "'],
    ['DATETIME', '2024-03-01', '"2024-03-01"'],
    ['LIST<INT>', '1|2', '[1,2]'],
    ['SET<STRING>', '["a","b"]', '["a","b"]'],
    ['MAP<STRING,INT>', 'a:1;b:2', '{"keylist":["a","b"],"valuelist":[1,2]}'],
    [
      'MAP<STRING,INT>',
      '{"a":9007199254740993}',
      '{"keylist":["a"],"valuelist":[9007199254740993]}',
    ],
    ['MAP<STRING,INT>', '{"a":1}', '{"keylist":["a"],"valuelist":[1]}'],
    ['Addr', '{"keylist":[],"valuelist":[]}', '{"keylist":[],"valuelist":[]}'],
  ])('%s of %j is %s', (type, text, json) => {
    expect(cellJson(type, text)).toEqual({ ok: true, json })
  })

  it.each([
    ['INT', '1.5'],
    ['UINT', '-1'],
    ['INT', '9223372036854775808'],
    ['BOOL', 'yes'],
    ['DOUBLE', '0x10'],
    ['DOUBLE', '1e999'],
    ['DOUBLE', '1,000'],
    ['DOUBLE', 'Infinity'],
    ['FLOAT', '1e39'],
    ['INT', '0b1'],
    ['DATETIME', '2024-13-01'],
    ['LIST<INT>', '1|x'],
    ['MAP<STRING,INT>', 'a'],
    ['Addr', 'Elm 5'],
  ])('%s refuses %j', (type, text) => {
    expect(cellJson(type, text).ok).toBe(false)
  })

  it('ids fit their type', () => {
    expect(idProblem('INT', '7')).toBeNull()
    expect(idProblem('INT', 'x')).toBe('the id x is not a valid INT')
    expect(idProblem('STRING', '')).toBe('the id is empty')
  })
})

describe('rows', () => {
  const person = findVertex(sampleSchema, 'Person')!
  const pays = findEdge(sampleSchema, 'Pays')!

  it('become the payload of the contract: an empty cell is a text, and no number', () => {
    const mapping = guessMapping(sampleSchema, person, ['pid', 'name', 'age'])
    const fragments = [
      ['1', 'Ada', '36'],
      ['2', '', ''],
    ].map((row) => {
      const result = rowFragment(mapping, row)
      return result.ok ? result.fragment : result.problem
    })
    expect(JSON.parse(batchPayload(mapping, fragments))).toEqual({
      vertices: {
        Person: {
          '1': { name: { value: 'Ada' }, age: { value: 36 } },
          '2': { name: { value: '' } },
        },
      },
    })
  })

  it('keep texts that are nothing but blanks', () => {
    const mapping = guessMapping(sampleSchema, person, ['pid', 'name', 'age'])
    expect(rowFragment(mapping, ['1', '  ', ' '])).toMatchObject({
      fragment: '"1":{"name":{"value":"  "}}',
    })
  })

  it('leave out a text that is the one for no value', () => {
    const mapping = guessMapping(sampleSchema, person, ['pid', 'name', 'age'])
    const reading = { columns: ['pid', 'name', 'age'], mapping, nullText: '\\N' }
    expect(recordFragment(['1', '\\N', '\\N'], reading)).toMatchObject({
      fragment: '"1":{}',
      defaulted: ['name', 'age'],
    })
    expect(recordFragment(['1', '', ''], reading)).toMatchObject({
      fragment: '"1":{"name":{"value":""}}',
      defaulted: ['age'],
    })
  })

  it('of edges carry the pair and the discriminator', () => {
    const mapping = guessMapping(sampleSchema, pays, ['from', 'to', 'month', 'amount'])
    const result = rowFragment(mapping, ['acme', '7', '2024-01', '10'])
    expect(result.ok && JSON.parse(batchPayload(mapping, [result.fragment]))).toEqual({
      edges: {
        Company: {
          acme: {
            Pays: { Person: { '7': { month: { value: '2024-01' }, amount: { value: 10 } } } },
          },
        },
      },
    })
  })

  it('say what is wrong with them', () => {
    const mapping = guessMapping(sampleSchema, person, ['pid', 'name', 'age'])
    expect(rowFragment(mapping, ['x', 'Ada', '1'])).toEqual({
      ok: false,
      problem: 'the id x is not a valid INT',
    })
    expect(rowFragment(mapping, ['1', 'Ada', '-1'])).toEqual({
      ok: false,
      problem: 'age: “-1” is not a valid UINT',
    })
  })

  it('survive any text as an id', () => {
    const company = findVertex(sampleSchema, 'Company')!
    const mapping = guessMapping(sampleSchema, company, ['cid'])
    const id = '__proto__"\\ / % 🙂'
    const result = rowFragment(mapping, [id])
    expect(result.ok && batchPayload(mapping, [result.fragment])).toBe(
      `{"vertices":{"Company":{${JSON.stringify(id)}:{}}}}`,
    )
  })
})

describe('payloads', () => {
  it('are counted and held against the schema', () => {
    const summary = checkPayload(sampleSchema, {
      vertices: {
        Person: { '1': { name: { value: 'A' } }, '2': { nam: { value: 'B' } } },
        Ghost: {},
      },
      edges: {
        Person: { '1': { Employs: { Company: { a: {} } }, Nope: { Person: { '2': [{}, {}] } } } },
      },
      extra: 1,
    })
    expect(summary.vertices).toEqual([{ type: 'Person', count: 2 }])
    expect(summary.edges).toEqual([
      { type: 'Employs', count: 1 },
      { type: 'Nope', count: 2 },
    ])
    expect(summary.problems).toEqual([
      'extra: only vertices and edges here',
      'vertices.Person.2: Person has no attribute nam',
      'vertices.Ghost: no such vertex type',
      'edges.Person.1.Nope.Person.2: no edge type Nope',
      'edges.Person.1.Nope.Person.2: no edge type Nope',
    ])
  })

  it('of the example have no problems', () => {
    const summary = checkPayload(sampleSchema, JSON.parse(examplePayload(sampleSchema)))
    expect(summary).toMatchObject({ problems: [], vertices: [{ count: 1 }], edges: [{ count: 1 }] })
  })

  it('of a payload are cut where they are many, which is told', () => {
    const ids = Array.from({ length: 30 }, (_, n) => [String(n), { nam: { value: 1 } }])
    const { problems } = checkPayload(sampleSchema, {
      vertices: { Person: Object.fromEntries(ids) },
    })
    expect(problems).toHaveLength(21)
    expect(problems.slice(19)).toEqual([
      'vertices.Person.19: Person has no attribute nam',
      'More are not listed.',
    ])
  })

  it('of a form name what is missing', () => {
    const type = findEdge(sampleSchema, 'Pays')!
    const form = {
      type,
      pair: type.pairs[0]!,
      members: {
        source: idMembersOf(sampleSchema, 'Company'),
        target: idMembersOf(sampleSchema, 'Person'),
      },
      source: ['acme'],
      target: ['x'],
      fields: new Map([['amount', { text: '5', op: '+' }]]),
    }
    const wrong = formPayload({ ...form, fields: new Map([['amount', { text: 'y', op: '' }]]) })
    expect(wrong.ok ? [] : [...wrong.problems.keys()]).toEqual(['@target', 'amount'])
    const right = formPayload({ ...form, target: ['7'] })
    expect(right.ok && JSON.parse(right.payload).edges.Company.acme.Pays.Person['7']).toEqual({
      month: { value: '' },
      amount: { value: 5, op: '+' },
    })
  })
})

it('options send only what differs from the defaults', () => {
  expect(requestOptions(defaultOptions)).toEqual({ query: {}, headers: {} })
  expect(
    requestOptions({ ack: 'none', vertices: 'update', endpoints: 'source', atomic: true }),
  ).toEqual({
    query: { ack: 'none', update_vertex_only: true, source_vertex_must_exist: true },
    headers: { 'gsql-atomic-level': 'atomic' },
  })
})
