/** Attributes: their JSON form both ways, and the rules of adding and dropping them. */
import { type AttributeTypeJson, typeFromJson, typeToJson } from './attribute-type.ts'
import { parseDefault } from './defaults.ts'
import { descriptionOf, descriptionToJson } from './descriptions.ts'
import { checkName } from './names.ts'
import { about, missingAttribute, schemaError } from './rule.ts'
import type { Attribute, Catalog } from './types.ts'

/** docs/reference/rest.md. Flags that are false are left out; readers take a missing one as false. */
export interface AttributeJson {
  readonly AttributeName: string
  readonly AttributeType: AttributeTypeJson
  readonly DefaultValue?: string | undefined
  readonly IsPrimaryKey?: boolean | undefined
  readonly IsUsingNewSyntax?: boolean | undefined
  readonly IsPartOfCompositeKey?: boolean | undefined
  readonly PrimaryIdAsAttribute?: boolean | undefined
  readonly HasIndex?: boolean | undefined
  readonly IndexName?: string | undefined
  readonly IsDiscriminator?: boolean | undefined
  readonly Description?: string | undefined
}

/** Attributes of one vertex or edge type. */
const ATTRIBUTE_COUNT_MAX = 1_000

/**
 * Appends attributes: new ones go to the end of the order and take the next ids.
 * @throws DbError INVALID_NAME, NAME_TAKEN, SCHEMA_RULE
 */
export function appendAttributes(
  catalog: Catalog,
  owner: {
    readonly name: string
    readonly attributes: readonly Attribute[]
    nextAttributeId: number
  },
  additions: readonly AttributeJson[],
): { attributes: readonly Attribute[]; nextAttributeId: number } {
  const attributes = [...owner.attributes]
  let nextAttributeId = owner.nextAttributeId
  for (const json of additions) {
    const name = json.AttributeName
    about(name, () => {
      checkName('attribute', name)
      if (attributes.some((attribute) => attribute.name === name)) {
        throw schemaError(`The attribute ${name} already exists in ${owner.name}.`, 'NAME_TAKEN')
      }
      attributes.push({
        ...newAttribute(catalog, nextAttributeId++, json),
        ...descriptionOf(`${owner.name}.${name}`, json.Description),
      })
    })
  }
  if (attributes.length > ATTRIBUTE_COUNT_MAX) {
    throw schemaError(`${owner.name} would have more than ${ATTRIBUTE_COUNT_MAX} attributes.`)
  }
  return { attributes, nextAttributeId }
}

function newAttribute(catalog: Catalog, id: number, json: AttributeJson): Attribute {
  const type = typeFromJson(catalog, json.AttributeType)
  const base = { id, name: json.AttributeName, type }
  if (json.DefaultValue === undefined) return base
  parseDefault(type, json.DefaultValue)
  return { ...base, defaultText: json.DefaultValue }
}

/**
 * @param isKept why an attribute must stay, or null when it may go
 * @throws DbError ATTRIBUTE_NOT_FOUND, SCHEMA_RULE
 */
export function withoutAttributes(
  owner: { readonly name: string; readonly attributes: readonly Attribute[] },
  names: readonly string[],
  isKept: (attribute: Attribute, position: number) => string | null,
): readonly Attribute[] {
  for (const name of names) {
    const position = owner.attributes.findIndex((attribute) => attribute.name === name)
    const attribute = owner.attributes[position]
    if (attribute === undefined) throw missingAttribute(name, owner.name)
    const reason = isKept(attribute, position)
    if (reason !== null) throw schemaError(reason, 'SCHEMA_RULE', name)
  }
  return owner.attributes.filter((attribute) => !names.includes(attribute.name))
}

export function attributeToJson(
  attribute: Attribute,
  flags: Omit<AttributeJson, 'AttributeName' | 'AttributeType' | 'DefaultValue'> = {},
): AttributeJson {
  return {
    AttributeName: attribute.name,
    AttributeType: typeToJson(attribute.type),
    ...(attribute.defaultText !== undefined && { DefaultValue: attribute.defaultText }),
    ...descriptionToJson(attribute),
    ...flags,
  }
}
