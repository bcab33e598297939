import { describe, expect, it } from 'vitest'
import { sampleSchema } from '#lib/graph-schema/sample-schema.ts'
import { beforeSitting, edit, rebase, startDraft, undo } from './draft.ts'
import { jsonEdit } from './json-edit.ts'
import { type JsonOperation, type Operation, operationLabel } from './operations.ts'
import { changesSentence, diffSchemas } from './schema-diff.ts'
import { schemaJson } from './schema-text.ts'

const start = schemaJson(sampleSchema)

/** The text with one part changed. */
function written(part: string | RegExp, by: string, text = start): string {
  const next = text.replace(part, by)
  if (next === text) throw new Error(`${part} is not in the text`)
  return next
}

const read = (text: string) => jsonEdit(text, sampleSchema, ['Money'])

/** `12: No type NUMBER.` */
const told = (text: string) =>
  read(text).problems.map(
    ({ from, message }) => `${text.slice(0, from).split('\n').length}: ${message}`,
  )

const lineOf = (text: string, part: string) => text.slice(0, text.indexOf(part)).split('\n').length

describe('what is written into the text', () => {
  it.each([
    ['a rename', '"Name": "Works_At"', '"Name": "Job"', ['renameType']],
    [
      'a renamed attribute',
      '"AttributeName": "age"',
      '"AttributeName": "years"',
      ['changeAttribute'],
    ],
    ['a wider type', '"Name": "UINT"', '"Name": "INT"', ['changeAttribute']],
    ['an index', '"IndexName": "by_name"', '"IndexName": "names"', ['dropIndex', 'addIndex']],
    ['an index less', '"HasIndex": true', '"HasIndex": false', ['dropIndex']],
    ['a direction', '"IsDirected": false', '"IsDirected": true', []],
    ['another vector', '"Dimension": 8', '"Dimension": 9', ['dropVector', 'addVector']],
    ['a description', '"Name": "Knows"', '"Name": "Knows", "Description": "Mutual."', ['describe']],
    ['a type less', /\{\s+"Name": "Pays"[\s\S]+?(?=\{\s+"Name": "Likes")/, '', ['dropType']],
    [
      'an attribute more',
      '"Attributes": []',
      '"Attributes": [{"AttributeName": "x", "AttributeType": {"Name": "INT"}, "DefaultValue": 18446744073709}]',
      ['addAttributes'],
    ],
    [
      'a pair more',
      '"EdgePairs": [',
      '"EdgePairs": [{"From": "Company", "To": "Company"},',
      ['changeEdge'],
    ],
  ] as const)('%s becomes operations', (_, part, by, kinds) => {
    const { operations, problems } = read(written(part, by))
    if (kinds.length === 0) return expect(problems).not.toEqual([])
    expect(problems).toEqual([])
    expect(operations.map(({ kind }) => kind)).toEqual(kinds)
  })

  it.each([
    [
      '"Name": "UINT"',
      '"Name": "NUMBER"',
      'No type NUMBER. Types: INT, UINT, FLOAT, DOUBLE, BOOL, STRING, DATETIME, LIST, SET, MAP.',
    ],
    ['"DefaultValue": "18"', '"DefaultValue": "old"', 'Not a whole number.'],
    ['"DefaultValue": "18"', '"DefaultValue": "19"', 'age is published: its default stays.'],
    ['"AttributeName": "sector"', '"AtributeName": "sector"', 'AttributeName is missing.'],
    ['"IsDirected": true', '"IsDirected": "yes"', 'IsDirected must be yes or no.'],
    ['"Name": "Knows"', '"Name": "from"', 'from is a reserved word.'],
    ['"Name": "Knows"', '"Name": "Likes"', 'Likes is already an edge type.'],
    [
      '"FromVertexTypeName": "Person"',
      '"FromVertexTypeName": "Nobody"',
      'There is no vertex type Nobody.',
    ],
  ])('%s as %s is told at its line', (part, by, message) => {
    const text = written(part, by)
    const lines = told(text)
    expect(lines.map((line) => line.replace(/^\d+: /, ''))).toContain(message)
    const line = lineOf(text, by)
    expect(lines.some((one) => Math.abs(Number.parseInt(one, 10) - line) <= 8)).toBe(true)
  })

  it('that is no JSON is told where it ends', () => {
    expect(told(written('"VertexTypes": [', '"VertexTypes": '))).toEqual([
      '40: A name in quotes belongs here.',
    ])
    expect(told('[]')).toEqual(['1: An object belongs here.'])
    expect(told('{"VertexTypes": [7], "EdgeTypes": [{}]}')).toHaveLength(5)
  })

  it('drops nothing by leaving out a list', () => {
    expect(told('{}')).toEqual(['1: VertexTypes is missing.', '1: EdgeTypes is missing.'])
    const bare = written(/"Attributes": \[\],?/, '')
    expect(told(bare)[0]).toContain('Attributes is missing.')
  })

  it('knows the tuples of the server', () => {
    const type = (name: string) =>
      written('"Name": "UINT"', `"Name": "UDT", "ValueTypeName": "${name}"`).replace(
        /"DefaultValue": "18"/,
        '"HasIndex": false',
      )
    expect(read(type('Money')).problems).toEqual([])
    expect(told(type('Cash'))[0]).toContain('No type Cash.')
  })
})

describe('a sitting', () => {
  const step = (text: string, sitting: number, draft: ReturnType<typeof startDraft>) => {
    const { operations, problems } = jsonEdit(text, beforeSitting(draft, sitting), [])
    expect(problems).toEqual([])
    const operation: JsonOperation = { kind: 'json', sitting, operations }
    const edited = edit(draft, operation)
    if (!edited.ok) throw new Error(edited.problem)
    return edited.draft
  }

  it('is one step, by what it came to, and none when it came to nothing', () => {
    let draft = startDraft(sampleSchema)
    for (const name of ['Work', 'Worke', 'Worked_At']) {
      draft = step(written('"Name": "Works_At"', `"Name": "${name}"`), 1, draft)
    }
    expect(draft.done.map(operationLabel)).toEqual(['JSON: Rename Works_At to Worked_At'])
    const changes = diffSchemas(sampleSchema, draft.schema)
    expect(changesSentence(changes)).toBe('1 change')
    expect(step(start, 1, draft).done).toEqual([])
    expect(undo(draft).schema).toEqual(sampleSchema)
  })

  it('is followed by another step', () => {
    const first = step(written('"Name": "Works_At"', '"Name": "Job"'), 1, startDraft(sampleSchema))
    const text = written(
      '"AttributeName": "pay"',
      '"AttributeName": "wage"',
      schemaJson(first.schema),
    )
    const second = step(text, 2, first)
    expect(second.done).toHaveLength(2)
    expect(step(schemaJson(first.schema), 3, second).done).toHaveLength(3)
  })

  it('keeps what still applies when the schema changed meanwhile', () => {
    const text = written('"Name": "Works_At"', '"Name": "Job"')
    const both = text.replace('"Name": "Likes"', '"Name": "Loves"')
    const draft = step(both, 1, startDraft(sampleSchema))
    const edges = sampleSchema.edges.filter(({ name }) => name !== 'Works_At')
    const { draft: rebased, conflicts } = rebase(draft, { ...sampleSchema, edges })
    expect(rebased.done).toEqual<Operation[]>([{ kind: 'renameType', name: 'Likes', to: 'Loves' }])
    expect(conflicts).toMatchObject([{ problem: 'There is no type Works_At.' }])
  })
})
