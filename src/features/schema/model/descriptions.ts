/** What is said of a type and its parts: words alone, which may change at any time and cost nothing. */
import {
  type Described,
  findType,
  replaceType,
  type SchemaModel,
  type TypeModel,
} from '#lib/graph-schema/schema-model.ts'
import { type Applied, accept, unknownAttribute, unknownType } from './applied.ts'

/** The most characters that the server takes. */
export const DESCRIPTION_CHARS_MAX = 2_000

export interface DescribeOperation {
  readonly kind: 'describe'
  readonly name: string
  /** Null: the type itself. */
  readonly part: string | null
  readonly text: string
}

export interface DescribedPart {
  readonly part: string | null
  readonly text: string
  /** It comes with its description, and needs no change of it. */
  readonly isNew: boolean
}

/** The type, then all of it that can have a description, in the order of the form. */
export function describedParts(type: TypeModel): readonly DescribedPart[] {
  const { isNew } = type
  const entry = (part: string | null, { description = '' }: Described, fresh = isNew) => ({
    part,
    text: description,
    isNew: fresh,
  })
  const attributes = type.attributes.map((one) => entry(one.name, one, one.isNew))
  if (type.kind === 'edge') return [entry(null, type), ...attributes]
  return [
    entry(null, type),
    ...singleId(type).map((name) => entry(name, type.primaryId)),
    ...attributes,
    ...(type.vectors ?? []).map((vector) => entry(vector.name, vector, isNew || vector.isNew)),
  ]
}

/** Members of a composite key are attributes. */
function singleId(type: TypeModel): readonly string[] {
  return type.kind === 'edge' || type.primaryId.syntax === 'COMPOSITE' ? [] : type.primaryId.names
}

export function describe(
  schema: SchemaModel,
  { name, part, text }: Omit<DescribeOperation, 'kind'>,
): Applied {
  const type = findType(schema, name)
  if (type === undefined) return unknownType(name)
  const said = <T extends Described>({ description: _, ...rest }: T) =>
    (text.trim() === '' ? rest : { ...rest, description: text }) as T
  if (part === null) return accept(replaceType(schema, name, said(type)))
  if (!describedParts(type).some((one) => one.part === part)) return unknownAttribute(name, part)
  const change = <T extends Described & { readonly name: string }>(one: T): T =>
    one.name === part ? said(one) : one
  const next = { ...type, attributes: type.attributes.map(change) }
  if (next.kind === 'edge') return accept(replaceType(schema, name, next))
  const { vectors } = next
  const primaryId = singleId(type).includes(part) ? said(next.primaryId) : next.primaryId
  const vertex = { ...next, primaryId, ...(vectors && { vectors: vectors.map(change) }) }
  return accept(replaceType(schema, name, vertex))
}

/** Texts of parts that are published and stay, where they differ. */
export function changedDescriptions(
  before: TypeModel,
  after: TypeModel,
): readonly { readonly part: string | null; readonly text: string }[] {
  const olds = new Map(describedParts(before).map(({ part, text }) => [part, text.trim()]))
  return describedParts(after)
    .filter(({ part, isNew }) => !isNew && olds.has(part))
    .map(({ part, text }) => ({ part, text: text.trim() }))
    .filter(({ part, text }) => olds.get(part) !== text)
}
