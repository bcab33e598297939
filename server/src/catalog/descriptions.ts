/**
 * What people say of types and attributes: a text beside each, which no query sees and no value
 * depends on. Absent where nobody has said anything.
 */
import { DESCRIPTION_SIZE_CHARS_MAX } from '#kernel/limits.ts'
import { missingAttribute, schemaError } from './rule.ts'
import type { Attribute, PrimaryId } from './types.ts'

export interface Described {
  readonly description?: string
}

/** A text for one attribute, vector or id of the type that is altered; an empty one takes it away. */
export interface AttributeDescriptionJson {
  readonly name: string
  readonly description: string
}

/** What no GSQL string can say; a line break and a tab it can. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const UNSPEAKABLE = /[\0-\x08\x0B-\x1F\x7F]/

/** @throws DbError SCHEMA_RULE naming the owner */
export function descriptionOf(owner: string, text: string | undefined): Described {
  const description = (text ?? '').replaceAll('\r\n', '\n').toWellFormed().trim()
  if (description === '') return {}
  if (description.length > DESCRIPTION_SIZE_CHARS_MAX) {
    throw schemaError(
      `The description of ${owner} has ${description.length} characters; ${DESCRIPTION_SIZE_CHARS_MAX} are the most.`,
    )
  }
  if (UNSPEAKABLE.test(description)) {
    throw schemaError(`The description of ${owner} has a control character.`)
  }
  return { description }
}

/** The same thing with another description, or without; itself where nothing was said. */
export function redescribed<T extends Described>(
  one: T,
  owner: string,
  text: string | undefined,
): T {
  if (text === undefined) return one
  const { description: _, ...rest } = one
  return { ...rest, ...descriptionOf(owner, text) } as T
}

interface DescribedParts {
  readonly name: string
  readonly primaryId?: PrimaryId
  readonly attributes: readonly Attribute[]
  readonly vectors?: readonly Attribute[]
}

/** @throws DbError ATTRIBUTE_NOT_FOUND, SCHEMA_RULE */
export function describeAttributes<T extends DescribedParts>(
  type: T,
  changes: readonly AttributeDescriptionJson[] | undefined,
): T {
  return (changes ?? []).reduce(withAttributeDescribed, type)
}

function withAttributeDescribed<T extends DescribedParts>(
  type: T,
  { name, description }: AttributeDescriptionJson,
): T {
  const { primaryId, attributes, vectors } = type
  const said = <D extends Described>(one: D): D =>
    redescribed(one, `${type.name}.${name}`, description)
  if (primaryId?.syntax === 'PRIMARY_ID' && primaryId.names[0] === name) {
    return { ...type, primaryId: said(primaryId) }
  }
  const change = (one: Attribute) => (one.name === name ? said(one) : one)
  if (attributes.some((one) => one.name === name)) {
    return { ...type, attributes: attributes.map(change) }
  }
  if (vectors?.some((one) => one.name === name)) return { ...type, vectors: vectors.map(change) }
  throw missingAttribute(name, type.name)
}

/** The key of the JSON forms. */
export function descriptionToJson({ description }: Described): { readonly Description?: string } {
  return description === undefined ? {} : { Description: description }
}
