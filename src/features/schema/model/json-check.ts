/** Whether a text is the JSON of a schema: every key known, every value of its kind, every type and default read. */
import { parseAttributeType, typeText } from '#lib/graph-schema/attribute-type.ts'
import { defaultProblem } from '#lib/graph-schema/default-value.ts'
import { idTypes } from '#lib/graph-schema/schema-model.ts'
import { edgeOf, vertexOf } from '#lib/graph-schema/types-json.ts'
import type {
  AttributeJson,
  EdgeTypeJson,
  SchemaJson,
  VertexTypeJson,
} from '#lib/graph-schema/wire-form.ts'
import { type Place, readPlacedJson } from '#lib/json/json-places.ts'

export interface JsonProblem extends Place {
  readonly message: string
}

export interface CheckedSchema extends SchemaJson {
  /** Of a member of what was read. */
  readonly placeOf: (owner: object, key: string | number) => Place
}

export type Checked =
  | { readonly ok: true; readonly json: CheckedSchema }
  | { readonly ok: false; readonly problems: readonly JsonProblem[] }

type Kind = 'text' | 'yes or no' | 'a number' | 'a list' | 'an object' | 'a text or number'
type Keys = Readonly<Record<string, Kind>>

const said: Keys = { Description: 'text' }
const typeKeys: Keys = {
  ...said,
  Name: 'text',
  Attributes: 'a list',
  Config: 'an object',
  IsLocal: 'yes or no',
}
const vertexKeys: Keys = { ...typeKeys, PrimaryId: 'an object', EmbeddingAttributes: 'a list' }
const edgeKeys: Keys = {
  ...typeKeys,
  IsDirected: 'yes or no',
  FromVertexTypeName: 'text',
  ToVertexTypeName: 'text',
  EdgePairs: 'a list',
  DiscriminatorCount: 'a number',
  CompositeDiscriminator: 'a list',
}
const attributeKeys: Keys = {
  ...said,
  AttributeName: 'text',
  AttributeType: 'an object',
  DefaultValue: 'a text or number',
  IsPrimaryKey: 'yes or no',
  IsPartOfCompositeKey: 'yes or no',
  IsUsingNewSyntax: 'yes or no',
  PrimaryIdAsAttribute: 'yes or no',
  IsDiscriminator: 'yes or no',
  HasIndex: 'yes or no',
  IndexName: 'text',
}
const attributeTypeKeys: Keys = {
  Name: 'text',
  ValueTypeName: 'text',
  KeyTypeName: 'text',
  FixedBinaryLength: 'a number',
}
const vectorKeys: Keys = {
  ...said,
  Name: 'text',
  Dimension: 'a number',
  Metric: 'text',
  IndexType: 'text',
  DataType: 'text',
}

export function checkSchemaJson(text: string, tuples: readonly string[]): Checked {
  const read = readPlacedJson(text)
  if (!read.ok) return { ok: false, problems: [read] }
  const check = new Check(read.placeOf, tuples)
  // What is missing would be dropped: a list without anything in it says so.
  const needed = ['VertexTypes', 'EdgeTypes']
  const keys = { GraphName: 'text', VertexTypes: 'a list', EdgeTypes: 'a list' } as const
  const whole = check.entry([read.value], 0, keys, needed)
  const list = (key: string) => (Array.isArray(whole[key]) ? (whole[key] as unknown[]) : [])
  const VertexTypes = list('VertexTypes')
  const EdgeTypes = list('EdgeTypes')
  for (const place of VertexTypes.keys()) check.vertex(VertexTypes, place)
  for (const place of EdgeTypes.keys()) check.edge(EdgeTypes, place)
  if (check.problems.length > 0) return { ok: false, problems: check.problems }
  const json = {
    VertexTypes: VertexTypes as VertexTypeJson[],
    EdgeTypes: EdgeTypes as EdgeTypeJson[],
    placeOf: read.placeOf,
  }
  return { ok: true, json }
}

type Owner = Readonly<Record<string, unknown>>

class Check {
  readonly problems: JsonProblem[] = []
  readonly #placeOf: CheckedSchema['placeOf']
  readonly #tuples: readonly string[]

  constructor(placeOf: CheckedSchema['placeOf'], tuples: readonly string[]) {
    this.#placeOf = placeOf
    this.#tuples = tuples
  }

  #say(message: string, owner: object, key: string | number): void {
    this.problems.push({ message, ...this.#placeOf(owner, key) })
  }

  /** The member as an object; an empty one, and said so, where it is none. */
  entry(owner: object, key: string | number, keys: Keys, needed: readonly string[]): Owner {
    const value: unknown = owner[key as keyof typeof owner]
    if (kindOf(value) !== 'an object') {
      this.#say('An object belongs here.', owner, key)
      return {}
    }
    const found = value as Owner
    for (const name of needed) {
      if (!(name in found)) this.#say(`${name} is missing.`, owner, key)
    }
    for (const [name, part] of Object.entries(found)) {
      const kind = Object.hasOwn(keys, name) ? keys[name] : undefined
      if (kind === undefined) {
        this.#say(
          `${name} means nothing here. Known: ${Object.keys(keys).join(', ')}.`,
          found,
          name,
        )
      } else if (!fits(kind, part)) this.#say(`${name} must be ${kind}.`, found, name)
    }
    return found
  }

  #entries(owner: Owner, key: string, keys: Keys, needed: readonly string[]): readonly Owner[] {
    const list = owner[key]
    return Array.isArray(list) ? list.map((_, place) => this.entry(list, place, keys, needed)) : []
  }

  vertex(types: readonly unknown[], place: number): void {
    const type = this.entry(types, place, vertexKeys, ['Name', 'PrimaryId', 'Attributes'])
    if (kindOf(type['PrimaryId']) === 'an object') {
      const keys = { ...attributeKeys, Name: 'text' } as const
      const id = this.entry(type, 'PrimaryId', keys, ['AttributeType'])
      this.#attributeType(id, true)
      this.#key(type, id)
    }
    this.#attributes(type)
    this.#entries(type, 'EmbeddingAttributes', vectorKeys, ['Name', 'Dimension'])
  }

  /** A primary key stands in both places: renamed in one alone, it would make an attribute. */
  #key(type: Owner, { AttributeName, Name = AttributeName }: Owner): void {
    const list = Array.isArray(type['Attributes']) ? (type['Attributes'] as unknown[]) : []
    for (const one of list as readonly (Partial<AttributeJson> | null)[]) {
      const isKey = one?.IsPrimaryKey === true && one.IsPartOfCompositeKey !== true
      if (!isKey || one.AttributeName === Name) continue
      this.#say(`The primary key is called ${Name} in PrimaryId.`, one, 'AttributeName')
    }
  }

  edge(types: readonly unknown[], place: number): void {
    const type = this.entry(types, place, edgeKeys, ['Name', 'IsDirected', 'Attributes'])
    if (!('EdgePairs' in type || ('FromVertexTypeName' in type && 'ToVertexTypeName' in type))) {
      this.#say('EdgePairs, or FromVertexTypeName and ToVertexTypeName, are missing.', types, place)
    }
    this.#attributes(type)
    this.#entries(type, 'EdgePairs', { From: 'text', To: 'text' }, ['From', 'To'])
  }

  #attributes(type: Owner): void {
    const needed = ['AttributeName', 'AttributeType']
    for (const one of this.#entries(type, 'Attributes', attributeKeys, needed)) {
      const text = this.#attributeType(one, false)
      const { DefaultValue } = one as Partial<AttributeJson>
      const problem =
        text === null || DefaultValue === undefined
          ? null
          : defaultProblem(text, String(DefaultValue))
      if (problem !== null) this.#say(problem, one, 'DefaultValue')
    }
  }

  /** The type as text, null where it is none. */
  #attributeType(attribute: Owner, isId: boolean): string | null {
    if (kindOf(attribute['AttributeType']) !== 'an object') return null
    const json = this.entry(attribute, 'AttributeType', attributeTypeKeys, ['Name'])
    if (typeof json['Name'] !== 'string') return null
    const parsed = parseAttributeType(typeText(json as { Name: string }), this.#tuples)
    const isWrongId = isId && parsed.ok && !(idTypes as readonly string[]).includes(parsed.type)
    if (!parsed.ok) this.#say(parsed.message, attribute, 'AttributeType')
    else if (isWrongId) this.#say(`An id is ${idTypes.join(', ')}.`, attribute, 'AttributeType')
    return parsed.ok && !isWrongId ? parsed.type : null
  }
}

function kindOf(value: unknown): Kind | null {
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object') return value === null ? null : 'an object'
  if (typeof value === 'string') return 'text'
  if (typeof value === 'boolean') return 'yes or no'
  return typeof value === 'number' || typeof value === 'bigint' ? 'a number' : null
}

const fits = (kind: Kind, value: unknown): boolean =>
  kind === 'a text or number'
    ? !['an object', 'a list', null].includes(kindOf(value))
    : kindOf(value) === kind

/** In the spelling of the server, with texts for defaults. */
export const spelledVertex = (json: VertexTypeJson): VertexTypeJson => {
  const vertex = vertexOf(json)
  return { ...vertex, Attributes: vertex.Attributes.map(spelled) }
}

export const spelledEdge = (json: EdgeTypeJson): EdgeTypeJson => {
  const edge = edgeOf(json)
  return { ...edge, Attributes: edge.Attributes.map(spelled) }
}

const spelled = (json: AttributeJson): AttributeJson =>
  json.DefaultValue === undefined ? json : { ...json, DefaultValue: String(json.DefaultValue) }
