/**
 * Attributes that get another name or a wider type and keep their values. A new name is the
 * catalogue's alone: everything stored goes by ids. A new type makes a new attribute in the place of
 * the old one, which the tables fill from the old one's column.
 */
import { type AttributeTypeJson, typeFromJson, typeText } from './attribute-type.ts'
import { formerNamesWith, withFormerName } from './former-names.ts'
import { checkName } from './names.ts'
import { about, missingAttribute, schemaError } from './rule.ts'
import type {
  Attribute,
  AttributeType,
  Catalog,
  EdgeType,
  PrimaryId,
  VectorAttribute,
  VertexType,
} from './types.ts'
import { isWidening, widenedDefault } from './widening.ts'

export interface AttributeChangeJson {
  /** The name it has now. */
  readonly name: string
  readonly newName?: string | undefined
  readonly AttributeType?: AttributeTypeJson | undefined
}

export interface AttributeChanges {
  readonly changeAttributes?: readonly AttributeChangeJson[] | undefined
  readonly dropAttributes?: readonly string[] | undefined
}

interface Owner {
  readonly name: string
  readonly attributes: readonly Attribute[]
  readonly nextAttributeId: number
}

type VertexParts = VertexType & { readonly vectors: readonly VectorAttribute[] }

/**
 * @param type without what the change drops
 * @throws DbError ATTRIBUTE_NOT_FOUND, NAME_TAKEN, INVALID_NAME, SCHEMA_RULE
 */
export function changedVertex(
  catalog: Catalog,
  type: VertexParts,
  change: AttributeChanges,
): VertexParts {
  const changes = change.changeAttributes ?? []
  if (changes.length === 0) return type
  const { primaryId, vectors } = type
  // An id that does not read as an attribute may share its name with one, which is meant then.
  const isAttribute = (name: string) => type.attributes.some((one) => one.name === name)
  const ids = primaryId.names.filter((name) => !isAttribute(name))
  checkNamed(type, change, [...vectors.map(({ name }) => name), ...ids])
  const widened = changedAttributes({ catalog, owner: type }, changes, (name) =>
    primaryId.syntax !== 'PRIMARY_ID' && primaryId.names.includes(name)
      ? `The attribute ${name} is part of the primary key of ${type.name}`
      : null,
  )
  for (const { name, AttributeType } of changes) {
    if (AttributeType === undefined || isAttribute(name)) continue
    const what = ids.includes(name) ? 'the primary id' : 'a vector'
    const text = `${type.name}.${name} is ${what}: it keeps its type.`
    throw schemaError(text, 'SCHEMA_RULE', name)
  }
  const newName = newNames(changes)
  const changed = {
    ...type,
    ...widened.parts,
    primaryId: renamedId(primaryId, newName, ids),
    vectors: vectors.map((vector) => renamed(vector, newName(vector.name))),
    indexes: type.indexes.map((index) => ({
      ...index,
      attributeId: widened.ids.get(index.attributeId) ?? index.attributeId,
    })),
  }
  checkDistinct(type.name, changed, changes)
  return changed
}

/** As `changedVertex`. */
export function changedEdge(catalog: Catalog, type: EdgeType, change: AttributeChanges): EdgeType {
  const changes = change.changeAttributes ?? []
  if (changes.length === 0) return type
  checkNamed(type, change, [])
  const discriminators = type.attributes.slice(0, type.discriminatorCount)
  const { parts } = changedAttributes({ catalog, owner: type }, changes, (name) =>
    discriminators.some((one) => one.name === name)
      ? `The attribute ${name} is a discriminator of ${type.name}`
      : null,
  )
  const changed = { ...type, ...parts }
  checkDistinct(type.name, changed, changes)
  return changed
}

/** Each is there, once, and does not go. */
function checkNamed(type: Owner, change: AttributeChanges, more: readonly string[]): void {
  const seen = new Set<string>()
  for (const { name } of change.changeAttributes ?? []) {
    if (change.dropAttributes?.includes(name)) {
      throw schemaError(`${type.name}.${name} is both changed and dropped.`, 'SCHEMA_RULE', name)
    }
    if (seen.has(name)) {
      throw schemaError(`${type.name}.${name} is changed twice.`, 'SCHEMA_RULE', name)
    }
    seen.add(name)
    const isKnown = type.attributes.some((one) => one.name === name) || more.includes(name)
    if (!isKnown) throw missingAttribute(name, type.name)
  }
}

/** @param reasonToKeep why an attribute keeps its type, or null when it need not */
function changedAttributes(
  { catalog, owner }: { readonly catalog: Catalog; readonly owner: Owner },
  changes: readonly AttributeChangeJson[],
  reasonToKeep: (name: string) => string | null,
) {
  let { nextAttributeId } = owner
  const ids = new Map<number, number>()
  const newName = newNames(changes)
  const attributes = owner.attributes.map((attribute) => {
    const { id, name } = attribute
    const wanted = changes.find((one) => one.name === name)?.AttributeType
    const after = renamed(attribute, newName(name))
    const to = wanted && about(name, () => typeFromJson(catalog, wanted))
    if (to === undefined || typeText(to) === typeText(attribute.type)) return after
    const reason = reasonToKeep(name)
    if (reason !== null) throw schemaError(`${reason}: it keeps its type.`, 'SCHEMA_RULE', name)
    ids.set(id, nextAttributeId)
    return about(name, () => converted(owner.name, { attribute, after, to, id: nextAttributeId++ }))
  })
  return { parts: { attributes, nextAttributeId }, ids }
}

interface Conversion {
  readonly attribute: Attribute
  /** The attribute under its new name. */
  readonly after: Attribute
  readonly to: AttributeType
  readonly id: number
}

function converted(typeName: string, { attribute, after, to, id }: Conversion): Attribute {
  if (!isWidening(attribute.type, to)) {
    throw schemaError(
      `${typeName}.${attribute.name} cannot become ${typeText(to)}: not every ${typeText(attribute.type)} can be kept as one.`,
    )
  }
  const { defaultText: _, ...rest } = after
  const defaultText = widenedDefault(attribute, to)
  const plain = { ...rest, id, type: to, convertedFrom: attribute.id }
  return defaultText === undefined ? plain : { ...plain, defaultText }
}

const newNames = (changes: readonly AttributeChangeJson[]) => (name: string) =>
  changes.find((one) => one.name === name)?.newName ?? name

function renamed<T extends Attribute>(attribute: T, name: string): T {
  return attribute.name === name ? attribute : { ...withFormerName(attribute, name), name }
}

/** @param own names that no attribute has: of a key both change */
function renamedId(
  primaryId: PrimaryId,
  newName: (name: string) => string,
  own: readonly string[],
): PrimaryId {
  const isKey = primaryId.syntax !== 'PRIMARY_ID'
  const names = primaryId.names.map((name) => (isKey || own.includes(name) ? newName(name) : name))
  const [name = ''] = names
  const [before = name] = primaryId.names
  if (isKey || name === before) return { ...primaryId, names }
  return { ...primaryId, names, formerNames: formerNamesWith(primaryId.formerNames, before, name) }
}

/** Names of the whole type, once all have changed: two may have swapped theirs. */
function checkDistinct(
  typeName: string,
  changed: Pick<VertexType, 'attributes'> & Partial<Pick<VertexType, 'primaryId' | 'vectors'>>,
  changes: readonly AttributeChangeJson[],
): void {
  const { attributes, vectors = [], primaryId } = changed
  const own = primaryId?.syntax === 'PRIMARY_ID' ? primaryId.names : []
  const names = [...attributes, ...vectors].map(({ name }) => name).concat(own)
  for (const { name, newName = name } of changes) {
    if (newName === name) continue
    about(name, () => checkName('attribute', newName))
    if (names.filter((one) => one === newName).length < 2) continue
    const text = `The attribute ${newName} already exists in ${typeName}.`
    throw schemaError(text, 'NAME_TAKEN', name)
  }
}
