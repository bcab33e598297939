/**
 * JSON texts of whole attributes as the JSON of an upsert: `gsql_from_json` of loading jobs. What an export
 * writes comes back as the same value. The text is read once, by the type of the attribute, into another
 * text: no object is made of it.
 */
import { findTuple } from '#catalog/lookup.ts'
import type { AttributeType, Catalog, ElementType } from '#catalog/types.ts'
import { isDbError } from '#kernel/errors.ts'
import { JsonBytes } from '../upsert/json-bytes.ts'
import { binaryText, type Converted, fieldText, realText, scalarText } from './convert-scalar.ts'
import { checkItems, TextBuilder } from './line-limits.ts'

const QUOTE = 0x22
const OPEN_ARRAY = 0x5b
const CLOSE_ARRAY = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d
const [LETTER_F, LETTER_N, LETTER_T] = [0x66, 0x6e, 0x74]

/** The text is JSON, but not of the type. */
class Unfit extends Error {}

/** @throws LineLimit for a value that is too large */
export function convertJson(catalog: Catalog, type: AttributeType, text: string): Converted {
  const reader = new JsonBytes(Buffer.from(text))
  try {
    const first = reader.peek()
    if (first < 0) return null
    if (first === LETTER_N) reader.word()
    const value = first === LETTER_N ? null : valueText({ catalog, reader, text }, type)
    return reader.peek() < 0 ? value : undefined
  } catch (error) {
    if (error instanceof Unfit || isDbError(error, 'INVALID_JSON')) return undefined
    throw error
  }
}

interface Context {
  readonly catalog: Catalog
  readonly reader: JsonBytes
  readonly text: string
}

function valueText(context: Context, type: AttributeType): Converted {
  switch (type.kind) {
    case 'LIST':
    case 'SET':
      return arrayText(context, () => elementText(context, type.element)).text
    case 'MAP':
      return mapText(context, type)
    case 'VECTOR': {
      const real = () => fitting(realText('FLOAT', token(context.reader)))
      const { text, count } = arrayText(context, real)
      return count === type.dimension ? text : undefined
    }
    case 'FIXED_BINARY':
      return binaryText(type.length, token(context.reader))
    default:
      return elementText(context, type)
  }
}

function arrayText(context: Context, item: () => string) {
  const { reader } = context
  const items = new Items(context.text)
  open(reader, OPEN_ARRAY)
  for (let isFirst = true; reader.nextMember(CLOSE_ARRAY, isFirst); isFirst = false) {
    items.add(item())
  }
  return { text: items.finish(), count: items.count }
}

function mapText(context: Context, type: Extract<AttributeType, { kind: 'MAP' }>): string {
  const { reader, text } = context
  const [keys, values] = [new Items(text), new Items(text)]
  open(reader, OPEN_OBJECT)
  for (let isFirst = true; reader.nextMember(CLOSE_OBJECT, isFirst); isFirst = false) {
    reader.key()
    const key = reader.textOf()
    if (type.key.kind === 'TUPLE') throw new Unfit()
    keys.add(fitting(scalarText(type.key.kind, key)))
    values.add(elementText(context, type.value))
  }
  return `{"keylist":${keys.finish()},"valuelist":${values.finish()}}`
}

function elementText(context: Context, type: ElementType): string {
  if (type.kind === 'TUPLE') return tupleText(context, type.name)
  return fitting(scalarText(type.kind, token(context.reader)))
}

function tupleText({ catalog, reader }: Context, name: string): string {
  const fields = findTuple(catalog, name)?.fields ?? []
  // By name: a field that repeats takes no more room.
  const values = new Map<string, string>()
  open(reader, OPEN_OBJECT)
  for (let isFirst = true; reader.nextMember(CLOSE_OBJECT, isFirst); isFirst = false) {
    reader.key()
    const key = reader.textOf()
    const field = fields.find((one) => one.name === key)
    if (field === undefined) throw new Unfit()
    values.set(JSON.stringify(key), fitting(fieldText(field, token(reader))))
  }
  return `{"keylist":[${[...values.keys()]}],"valuelist":[${[...values.values()]}]}`
}

function open(reader: JsonBytes, byte: number): void {
  if (reader.peek() !== byte) throw new Unfit()
  reader.at++
}

/** A scalar as a column would hold it. */
function token(reader: JsonBytes): string {
  const first = reader.peek()
  if (first === QUOTE) {
    reader.string()
    return reader.textOf()
  }
  if (first === LETTER_T || first === LETTER_F) return String(reader.word() === LETTER_T)
  if (first === OPEN_ARRAY || first === OPEN_OBJECT || first === LETTER_N) throw new Unfit()
  return reader.numberText()
}

function fitting(text: Converted): string {
  if (typeof text !== 'string') throw new Unfit()
  return text
}

/** Up to this length of the whole text its parts are joined on the heap, which is faster. */
const SHORT_CHARS_MAX = 1_000

/** The items of an array of JSON. */
class Items {
  count = 0
  #text = '['
  readonly #builder: TextBuilder | null

  constructor(source: string) {
    this.#builder = source.length <= SHORT_CHARS_MAX ? null : new TextBuilder()
  }

  /** @throws LineLimit */
  add(item: string): void {
    checkItems(this.count + 1)
    const separated = this.count === 0 ? item : `,${item}`
    if (this.#builder === null) this.#text += separated
    else this.#builder.add(separated)
    this.count++
  }

  finish(): string {
    return `${this.#text}${this.#builder?.finish() ?? ''}]`
  }
}
