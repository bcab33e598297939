/**
 * Moves schemas of an OpenAPI document into `components`: whole bodies and results under the name of
 * their operation, and what several places share under the name of its property. Generators make a
 * type of each, where they would repeat inline ones.
 */

type Json = Record<string, unknown>

/** Shorter shared schemas stay where they are, as JSON text. */
const SHARED_LENGTH_MIN = 160

export interface NamedSchema {
  /** What the component is called, unless another one has the name. */
  readonly name: string
  readonly schema: Json
}

export class Components {
  readonly schemas: Record<string, Json> = {}
  /** Names by the JSON of the schema. */
  readonly #names = new Map<string, string>()
  readonly #counts = new Map<string, number>()

  /** Looks at a schema before any is placed, so that what is shared is known. */
  count(schema: Json): void {
    for (const { schema: part } of partsOf(schema, '')) {
      const text = JSON.stringify(part)
      if (text.length < SHARED_LENGTH_MIN) continue
      this.#counts.set(text, (this.#counts.get(text) ?? 0) + 1)
    }
  }

  /** @returns a reference to the component */
  place({ name, schema }: NamedSchema): Json {
    const text = JSON.stringify(schema)
    const known = this.#names.get(text)
    if (known !== undefined) return referenceTo(known)
    const free = this.#freeName(name)
    this.#names.set(text, free)
    this.schemas[free] = {}
    this.schemas[free] = this.#withReferences(schema, name)
    return referenceTo(free)
  }

  #withReferences(schema: Json, name: string): Json {
    return mapParts(schema, name, (part) => {
      const text = JSON.stringify(part.schema)
      const isShared = isNameable(part.schema) && (this.#counts.get(text) ?? 0) > 1
      return isShared ? this.place(part) : this.#withReferences(part.schema, part.name)
    })
  }

  #freeName(name: string): string {
    for (let number = 1; ; number++) {
      const candidate = number === 1 ? name : `${name}${number}`
      if (this.schemas[candidate] === undefined) return candidate
    }
  }
}

/** A schema without content is replaced by nothing that has a name. */
function isNameable(schema: Json): boolean {
  return Object.keys(schema).length > 0 && schema['$ref'] === undefined
}

function referenceTo(name: string): Json {
  return { $ref: `#/components/schemas/${name}` }
}

/** Each schema inside of one, with the name of its place. */
function partsOf(schema: Json, name: string): readonly NamedSchema[] {
  const parts: NamedSchema[] = []
  mapParts(schema, name, (part) => {
    parts.push(part, ...partsOf(part.schema, part.name))
    return part.schema
  })
  return parts
}

/** The schema with each schema directly inside of it replaced. */
function mapParts(schema: Json, name: string, replace: (part: NamedSchema) => Json): Json {
  const changed: Json = { ...schema }
  for (const [key, value] of Object.entries(schema)) {
    if (key === 'properties' && isJson(value)) {
      const properties = Object.entries(value).map(([property, inner]) => [
        property,
        isJson(inner) ? replace({ name: nameOf(property, name), schema: inner }) : inner,
      ])
      changed[key] = Object.fromEntries(properties)
    } else if (['anyOf', 'oneOf', 'allOf', 'prefixItems'].includes(key) && Array.isArray(value)) {
      changed[key] = value.map((inner) =>
        isJson(inner) ? replace({ name: `${name}Option`, schema: inner }) : inner,
      )
    } else if (['items', 'additionalProperties', 'propertyNames', 'not'].includes(key)) {
      if (isJson(value)) changed[key] = replace({ name: `${name}Item`, schema: value })
    }
  }
  return changed
}

function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** `from_type` as `FromType`; what says nothing takes the name of what it is inside of. */
function nameOf(property: string, inside: string): string {
  if (property === 'results') return `${inside.replace(/Answer$/, '')}Results`
  const words = property.split(/[^A-Za-z0-9]+/).filter((word) => word !== '')
  const name = words.map((word) => word[0]!.toUpperCase() + word.slice(1)).join('')
  return /^[A-Za-z]/.test(name) ? name : `${inside}Value`
}
