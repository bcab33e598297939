import { describe, expect, it } from 'vitest'
import type { AttributeValue } from '#catalog/types.ts'
import { FrameCursor } from '#graph/mutate/frame-cursor.ts'
import { runKind } from '#graph/mutate/frame-format.ts'
import { readValue, tupleLookup } from '#graph/mutate/frame-values.ts'
import { isDbError } from '#kernel/errors.ts'
import { payloadCatalog } from '../../../test/fixtures/payload-catalog.ts'
import { PayloadParser } from './payload-parser.ts'
import { payloadPlan } from './payload-plan.ts'
import { checkUtf8 } from './utf8.ts'

const tuples = tupleLookup(payloadCatalog.tuples)

/** `Person 7 name=Ada age+1`, or `Works_At 7>acme pay=5`: one line per entry, in frame order. */
function parse(body: string, chunkSizeBytes = 0): string[] {
  return parseBytes(new TextEncoder().encode(body), chunkSizeBytes).flatMap(describeFrame)
}

function parseBytes(bytes: Uint8Array, chunkSizeBytes = 0): readonly Uint8Array[] {
  checkUtf8(bytes, 0, bytes.length)
  const options = { flags: 0, chunkSizeBytes }
  const parser = new PayloadParser(bytes, payloadPlan(payloadCatalog, 'acme'), options)
  while (!parser.run(parser.at + 7)) expect(parser.at).toBeLessThanOrEqual(bytes.length)
  return parser.finish().frames
}

function describeFrame(frame: Uint8Array): string[] {
  const cursor = new FrameCursor(frame)
  const lines: string[] = []
  while (cursor.nextRun()) {
    for (let entry = 0; entry < cursor.count; entry++) lines.push(describeEntry(cursor))
    expect(cursor.at).toBe(cursor.runEnd)
  }
  return lines
}

function describeEntry(cursor: FrameCursor): string {
  const isEdge = cursor.kind === runKind.upsertEdges
  const types = isEdge ? payloadCatalog.edgeTypes : payloadCatalog.vertexTypes
  const type = types.find(({ id }) => id === cursor.typeId)!
  const keys = isEdge
    ? `${key(cursor, 0, cursor.fromTypeId)}>${key(cursor, 1, cursor.toTypeId)}`
    : key(cursor, 0, cursor.typeId)
  const values = cursor.fieldIds.map((id, index) => {
    const attribute = type.attributes.find((candidate) => candidate.id === id)!
    const value = readValue(cursor, attribute.type, tuples)
    return `${attribute.name}${'=~+&|><'[cursor.fieldOps[index]!]}${show(value)}`
  })
  return [type.name, keys, ...values].join(' ')
}

function key(cursor: FrameCursor, position: 0 | 1, typeId: number): string {
  const type = payloadCatalog.vertexTypes.find(({ id }) => id === typeId)!
  const isNumeric = type.primaryId.type !== 'STRING'
  cursor.readKey(position, isNumeric)
  return isNumeric ? String(cursor.keyBigint(position)) : cursor.keyText(position)
}

function show(value: AttributeValue): string {
  if (value instanceof Uint8Array) return `<${value.join(' ')}>`
  if (Array.isArray(value)) return `[${value.map(show).join(',')}]`
  return String(value)
}

const person = (attributes: string): string => `{"vertices":{"Person":{"7":{${attributes}}}}}`
const device = (attributes: string): string => `{"vertices":{"Device":{"A,5":{${attributes}}}}}`

function failure(body: string | Uint8Array): string {
  try {
    parseBytes(typeof body === 'string' ? new TextEncoder().encode(body) : body)
  } catch (error) {
    if (isDbError(error)) return `${error.code}: ${error.message}`
    throw error
  }
  return 'no error'
}

describe('PayloadParser', () => {
  it('reads the example of the contract', () => {
    const body = `{
      "vertices": { "Person": { "7": {
        "name": {"value": "Ada"}, "age": {"value": 1, "op": "+"},
        "joined": {"value": "2024-03-01 09:30:00"},
        "langs": {"value": ["en", "fr"]}, "tags": {"value": ["vip", "a", "vip"]},
        "phones": {"value": {"keylist": ["work", "home"], "valuelist": ["111", "222"]}},
        "home": {"value": {"keyList": ["street", "no"], "valueList": ["Elm street", 5]}} },
        "8": {} } },
      "edges": {
        "Person": { "7": {
          "Works_At": { "Company": { "acme-ltd": { "pay": {"value": 5200.5, "op": "max"} } } },
          "Knows": { "Person": { "8": {} } } } },
        "Company": { "acme-ltd": { "Pays": { "Person": { "7": [
          { "month": {"value": "2024-01"}, "amount": {"value": 10} },
          { "month": {"value": "2024-02"}, "amount": {"value": 12} } ] } } } } } }`
    expect(parse(body)).toEqual([
      'Person 7 name=Ada age+1 joined=1709285400 langs=[en,fr] tags=[a,vip] phones=[[home,222],[work,111]] home=[Elm ,5]',
      'Person 8',
      'Works_At 7>acme-ltd pay>5200.5',
      'Knows 7>8',
      'Pays acme-ltd>7 month=2024-01 amount=10',
      'Pays acme-ltd>7 month=2024-02 amount=12',
    ])
  })

  it('reads past one byte order mark', () => {
    const body = '{"vertices":{"Person":{"8":{}}}}'
    expect(parse(`\ufeff${body}`)).toEqual(['Person 8'])
    expect(parse(`\ufeff \n${body}`)).toEqual(['Person 8'])
    for (const wrong of ['\ufeff\ufeff', ' \ufeff'])
      expect(() => parse(wrong + body)).toThrow('JSON')
  })

  it('keeps repeated keys as several entries', () => {
    const body = `{"edges":{"Company":{"c":{"Pays":{"Person":{
      "7":{"month":{"value":"1"}},"7":{"month":{"value":"2"}}}}}}},
      "edges":{"Company":{"c":{"Pays":{"Person":{"7":{"month":{"value":"3"}}}}}}}}`
    expect(parse(body)).toEqual(['1', '2', '3'].map((month) => `Pays c>7 month=${month}`))
  })

  it('puts vertices before edges', () => {
    const edges = '"edges":{"Person":{"1":{"Knows":{"Person":{"2":{}}}}}}'
    const body = `{${edges},"vertices":{"Person":{"3":{}}},${edges},"vertices":{"Person":{"4":{}}}}`
    expect(parse(body)).toEqual(['Person 3', 'Person 4', 'Knows 1>2', 'Knows 1>2'])
    const chunked = parseBytes(new TextEncoder().encode(body), 8)
    expect(chunked.length).toBeGreaterThan(2)
    expect(chunked.flatMap(describeFrame)).toEqual(parse(body))
  })

  it('turns reverse names and undirected edges into a declared direction', () => {
    const body = `{"edges":{"Company":{"c":{
      "Employs":{"Person":{"7":{"pay":{"value":1}},"8":{"pay":{"value":2}}}},
      "Near":{"Person":{"9":{},"10":{}},"Company":{"d":{}}}}}}}`
    expect(parse(body)).toEqual([
      'Works_At 7>c pay=1',
      'Works_At 8>c pay=2',
      'Near 9>c',
      'Near 10>c',
      'Near c>d',
    ])
  })

  it('takes fields in any order and number, discriminators anywhere', () => {
    const body = `{"edges":{"Company":{"c":{"Pays":{"Person":{"7":[
      {"amount":{"value":1},"month":{"value":"a"}},
      {"amount":{"value":2},"month":{"value":"b"}},
      {"month":{"value":"c"}},
      {"month":{"value":"x"},"amount":{"op":"+","value":3},"month":{"value":"d"}}]}}}}}}`
    expect(parse(body)).toEqual([
      'Pays c>7 month=a amount=1',
      'Pays c>7 month=b amount=2',
      'Pays c>7 month=c',
      'Pays c>7 month=d amount+3',
    ])
  })

  it.each([
    ['"age":{"value":18446744073709551615}', 'age=18446744073709551615'],
    ['"age":{"value":9007199254740993}', 'age=9007199254740993'],
    ['"age":{"value":1e3}', 'age=1000'],
    ['"age":{"value":5.0}', 'age=5'],
    ['"score":{"value":-0.1}', 'score=-0.1'],
    ['"score":{"value":1.7976931348623157e308}', 'score=1.7976931348623157e+308'],
    ['"score":{"value":0.30000000000000004}', 'score=0.30000000000000004'],
    ['"score":{"value":123456789012345678}', 'score=123456789012345680'],
    ['"active":{"value":true}', 'active=true'],
    ['"name":{"value":"a\\u0041\\ud83d\\ude00\\ud800\\n\\"/\\/"}', 'name=aA😀�\n"//'],
    ['"name":{"value":"x","value":"yy"}', 'name=yy'],
    ['"age":{"op":"|","value":6}', 'age|6'],
    ['"name":{"value":"x","op":"ignore_if_exists"}', 'name~x'],
    ['"phones":{"value":{"keylist":["k","k"],"valuelist":["1","2"]}}', 'phones=[[k,2]]'],
    ['"home":{"value":{"keylist":["no"],"valuelist":[-32768]}}', 'home=[,-32768]'],
    ['"langs":{"value":[]}', 'langs=[]'],
    [' "na\\u006de" : { "value" : "x" } ', 'name=x'],
  ])('reads %s', (attributes, expected) => {
    expect(parse(person(attributes))).toEqual([`Person 7 ${expected}`])
  })

  it('reads fixed bytes, maps of tuples and sets of dates', () => {
    const attributes = `"digest":{"value":"ab\\u00e9"},
      "counts":{"value":{"keylist":[2,-1],"valuelist":[
        {"keylist":["no"],"valuelist":[1]},{"keylist":["street"],"valuelist":["Elm"]}]}},
      "seen":{"value":["1969-12-31","2024/01/01","1969-12-31 00:00:00"]}`
    expect(parse(device(attributes))).toEqual([
      'Device A,5 digest=<97 98 195 169> counts=[[2,[,1]],[-1,[Elm,0]]] seen=[1704067200,-86400]',
    ])
  })

  it.each([
    ['9223372036854775807', '9223372036854775807'],
    ['-9223372036854775808', '-9223372036854775808'],
    ['-5', '-5'],
    ['007', '7'],
    ['4294967296', '4294967296'],
  ])('reads the integer id %s', (id, expected) => {
    expect(parse(`{"vertices":{"Person":{"${id}":{}}}}`)).toEqual([`Person ${expected}`])
  })

  it('keeps any text as a STRING id, up to 2,560 bytes', () => {
    for (const id of ['a/b', '100%25', '😀', ' ', '__proto__', 'constructor', 'é'.repeat(1_280)]) {
      expect(parse(`{"vertices":{"Company":{"${id}":{}}}}`)).toEqual([`Company ${id}`])
    }
    const body = (id: string) => `{"vertices":{"Company":{"${id}":{}}}}`
    expect(failure(body('é'.repeat(1_280).concat('x')))).toContain('longer than 2560 bytes')
    expect(failure(body(''))).toContain('it is empty')
  })

  it.each([
    ['{"vertices":{"Person":{"x":{}}}}', "The id 'x' is not a valid vertex id for vertex type"],
    ['{"vertices":{"Person":{"1.5":{}}}}', 'it is no INT'],
    ['{"vertices":{"Person":{"9223372036854775808":{}}}}', 'it is no INT'],
    ['{"vertices":{"Device":{"A":{}}}}', 'it has not the 2 parts maker,serial'],
    ['{"vertices":{"Device":{"A,b":{}}}}', "its part 'b' is no INT"],
    ['{"vertices":{"__proto__":{"1":{}}}}', 'Invalid vertex type __proto__'],
    ['{"edges":{"Nope":{"1":{}}}}', 'Invalid source vertex type Nope'],
    ['{"edges":{"Person":{"1":{"Nope":{}}}}}', 'Invalid edge type Nope'],
    ['{"edges":{"Person":{"1":{"Knows":{"Nope":{}}}}}}', 'Invalid target vertex type Nope'],
    [
      '{"edges":{"Company":{"1":{"Works_At":{"Person":{}}}}}}',
      "from vertex type 'Company' to vertex type 'Person' is not valid for edge type 'Works_At'",
    ],
    ['{"edges":{"Person":{"1":{"Knows":{"Person":{"2":[{}]}}}}}}', 'has no discriminator'],
    ['{"edges":{"Company":{"1":{"Pays":{"Person":{"2":{}}}}}}}', "attribute 'month' of edge type"],
    [
      '{"edges":{"Company":{"1":{"Pays":{"Person":{"2":{"month":{"value":"a","op":"+"}}}}}}}}',
      'takes no op',
    ],
    [
      '{"edges":{"Person":{"1":{"Knows":{"Person":{"2":{"__proto__":{"value":1}}}}}}}}',
      'Invalid edge attribute __proto__',
    ],
    [person('"nope":{"value":1}'), 'Unknown vertex attribute or vector name: nope'],
    [person('"age":{"value":-1}'), 'value cannot be converted to UINT'],
    [person('"age":{"value":18446744073709551616}'), 'value cannot be converted to UINT'],
    [person('"age":{"value":1.5}'), 'value cannot be converted to UINT'],
    [person('"age":{"value":"1"}'), 'value cannot be converted to UINT'],
    [person('"age":{"value":true}'), 'value cannot be converted to UINT'],
    [person('"age":{"value":null}'), 'Null JSON value'],
    [person('"age":null'), 'Null JSON value'],
    [person('"age":5'), 'it must be an object {"value": …}'],
    [person('"age":{}'), "the key 'value' is missing"],
    [person('"age":{"op":"+"}'), "the key 'value' is missing"],
    [person('"age":{"value":1,"oops":2}'), "unknown key 'oops'"],
    [person('"age":{"value":1,"op":"^"}'), "unknown operation code '^'"],
    [person('"name":{"value":"","op":"&"}'), "operation code '&' does not fit the type STRING"],
    [person('"score":{"value":1e999}'), 'value cannot be converted to DOUBLE'],
    [person('"score":{"value":"1"}'), 'value cannot be converted to DOUBLE'],
    [person('"active":{"value":1}'), 'value cannot be converted to BOOL'],
    [person('"name":{"value":7}'), 'value cannot be converted to STRING'],
    [person('"name":{"value":[[[[]]]]}'), 'value cannot be converted to STRING'],
    [person('"joined":{"value":1709285400}'), 'value cannot be converted to Datetime'],
    [person('"joined":{"value":"yesterday"}'), 'value cannot be converted to Datetime'],
    [person('"langs":{"value":"en"}'), 'value cannot be converted to LIST'],
    [person('"langs":{"value":["en",null]}'), 'Null JSON value'],
    [person('"tags":{"value":[1]}'), 'value cannot be converted to STRING'],
    [person('"phones":{"value":{"home":"1"}}'), "'keylist' and 'valuelist'"],
    [person('"phones":{"value":{"keylist":["a"],"valuelist":[]}}'), 'differ in length'],
    [person('"home":{"value":{"keylist":["x"],"valuelist":[1]}}'), "Unknown field 'x' of tuple"],
    [person('"home":{"value":{"keylist":["no"],"valuelist":[32768]}}'), 'converted to INT'],
    [person('"home":{"value":{"keylist":["no","street"],"valuelist":[1]}}'), 'differ in length'],
    [device('"ratio":{"value":1e39}'), 'value cannot be converted to FLOAT'],
    [device('"digest":{"value":"abc"}'), 'not 4 bytes'],
    [device('"serial":{"value":6}'), "the primary id is '5' and cannot be changed"],
    ['{"vertices":{"Person":{"7":[]}}}', 'the attributes must be an object'],
    ['{"vertices":{"Person":[]}}', 'a vertex type must be an object'],
    ['{"vertices":null}', 'Null JSON value'],
    ['{"vertexes":{}}', "Unknown key 'vertexes'"],
    ['[]', 'the payload must be an object'],
  ])('refuses %s', (body, message) => {
    expect(failure(body)).toMatch(/^INVALID_PAYLOAD: /)
    expect(failure(body)).toContain(message)
  })

  it('accepts a key attribute that repeats the key', () => {
    expect(parse(device('"serial":{"value":5},"maker":{"value":"A"},"level":{"value":1}'))).toEqual(
      ['Device A,5 level=1'],
    )
  })

  it('takes attributes of 10 MB together, and not a byte more', () => {
    const half = 'x'.repeat(5 * 2 ** 20 - 4)
    const body = (first: string, second: string) =>
      `{"vertices":{"Device":{"A,5":{"digest":{"value":"abcd"},"seen":{"value":[]}}},
        "Person":{"1":{"name":{"value":"${first}"},"langs":{"value":["${second}"]}}}}}`
    expect(parse(body(half, half.slice(5)))).toHaveLength(2)
    expect(failure(body(half, half))).toContain('exceed the limit of 10MB')
  })

  it('finds every way to cut a body short malformed, with its place', () => {
    const body = person('"name":{"value":"A\\u00e9"},"age":{"value":12,"op":"+"}')
    for (let length = 0; length < body.length; length++) {
      expect(failure(body.slice(0, length))).toMatch(/^INVALID_JSON: .* at line 1, column \d+/)
    }
    expect(failure(body)).toBe('no error')
  })

  it.each([
    '{"vertices":{},}',
    '{"vertices":{}} x',
    '{vertices:{}}',
    "{'vertices':{}}",
    '{"vertices" {}}',
    '{"vertices":}',
    '{,}',
    person('"age":{"value":01}'),
    person('"age":{"value":1.}'),
    person('"score":{"value":.5}'),
    person('"score":{"value":1e}'),
    person('"score":{"value":--1}'),
    person('"score":{"value":00.5}'),
    person('"active":{"value":tru}'),
    person('"name":{"value":"a\nb"}'),
    person('"name":{"value":"a\\x"}'),
    person('"name":{"value":"\\u12g4"}'),
    person('"langs":{"value":["a",]}'),
    person(`"phones":{"value":{"keylist":${'['.repeat(100)}}`),
    '{"vertices":{}}\u0000',
  ])('finds %j malformed', (body) => {
    expect(failure(body)).toMatch(/^INVALID_JSON: /)
  })

  it('refuses bytes that are no UTF-8', () => {
    const bytes = new TextEncoder().encode('{"vertices":{"Company":{"x":{}}}}')
    bytes[bytes.indexOf(0x78)] = 0xff
    expect(failure(bytes)).toContain('it is not UTF-8')
  })

  it('names the byte alone behind 16 MB, whose lines nobody counts', () => {
    const most = 16 * 2 ** 20
    expect(failure(`${'\n'.repeat(most)}x`)).toContain(`line ${most + 1}, column 1 (byte ${most})`)
    expect(failure(`${'\n'.repeat(most + 1)}x`)).toContain(`no value at byte ${most + 1}.`)
  })

  it('names the line and column of what is malformed', () => {
    expect(failure('{\n  "vertices": {\n    oops\n')).toContain('line 3, column 5 (byte 22)')
  })
})
