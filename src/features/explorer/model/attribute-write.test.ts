import { describe, expect, it } from 'vitest'
import type { SchemaModel } from '#lib/graph-schema/schema-model.ts'
import { readSchema } from '#lib/graph-schema/wire-form.ts'
import { parseLossless } from '#lib/json/lossless-json.ts'
import {
  conflicts,
  editableAttributes,
  fieldText,
  reversed,
  textProblems,
  writePayload,
} from './attribute-write.ts'
import { commit, redo, startHistory, undo } from './history.ts'

const attribute = (AttributeName: string, Name: string, more: object = {}) => ({
  AttributeName,
  AttributeType: { Name, ...more },
})

const schema: SchemaModel = readSchema({
  VertexTypes: [
    {
      Name: 'Airport',
      PrimaryId: attribute('code', 'STRING'),
      Attributes: [
        attribute('seats', 'INT'),
        attribute('open', 'BOOL'),
        attribute('tags', 'SET', { ValueTypeName: 'STRING' }),
        attribute('gates', 'MAP', { KeyTypeName: 'STRING', ValueTypeName: 'INT' }),
      ],
    },
  ],
  EdgeTypes: [
    {
      Name: 'route',
      IsDirected: true,
      FromVertexTypeName: 'Airport',
      ToVertexTypeName: 'Airport',
      DiscriminatorCount: 1,
      Attributes: [attribute('airline', 'STRING'), attribute('seats', 'INT')],
    },
  ],
})

const airport = { key: 'Airport "A"', type: 'Airport', id: '"A"', attributes: {} }
const route = {
  key: 'r',
  type: 'route',
  directed: true,
  from: 'Airport FRA',
  to: 'Airport CDG',
  discriminator: 'LH',
  attributes: { airline: 'LH', seats: 5 },
}

describe('a change of attributes', () => {
  it('carries every digit of a 64-bit integer there and back', () => {
    const written = 708663653625634816n
    const text = fieldText(written)
    const write = { element: airport, before: { seats: '1' }, after: { seats: text } }
    expect(writePayload(schema, write)).toBe(
      '{"vertices":{"Airport":{"\\"A\\"":{"seats":{"value":708663653625634816}}}}}',
    )
    expect(writePayload(schema, reversed(write))).toContain('"value":1}')
    expect(conflicts(reversed(write), { seats: parseLossless('708663653625634816') })).toEqual([])
    expect(conflicts(reversed(write), { seats: 708663653625634817n })).toEqual([
      ['seats', '708663653625634817'],
    ])
  })

  it('keeps collections as they are shown', () => {
    const after = { tags: fieldText(['a|b', 'c']), gates: fieldText({ x: 9007199254740993n }) }
    expect(writePayload(schema, { element: airport, before: {}, after })).toBe(
      '{"vertices":{"Airport":{"\\"A\\"":{"tags":{"value":["a|b","c"]},' +
        '"gates":{"value":{"keylist":["x"],"valuelist":[9007199254740993]}}}}}}',
    )
  })

  it('says which of parallel edges it means', () => {
    const payload = writePayload(schema, { element: route, before: {}, after: { seats: '7' } })
    expect(payload).toBe(
      '{"edges":{"Airport":{"FRA":{"route":{"Airport":{"CDG":' +
        '{"airline":{"value":"LH"},"seats":{"value":7}}}}}}}}',
    )
    expect(editableAttributes(schema, 'route').map(({ name }) => name)).toEqual(['seats'])
  })

  it('names texts that are no value of their type', () => {
    const attributes = editableAttributes(schema, 'Airport')
    const texts = { seats: '9223372036854775808', open: 'maybe' }
    expect([...textProblems(attributes, texts).keys()]).toEqual(['seats', 'open'])
  })

  it('stays with its step through undo and redo', () => {
    const start = startHistory<string, string>('a')
    const written = commit(start, { label: 'Edit', write: 'w' }, 'b')
    expect(undo(written).future[0]?.write).toBe('w')
    expect(redo(undo(written)).past[0]?.write).toBe('w')
  })
})
