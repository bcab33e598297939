/**
 * The attributes of a type as reads see them: by name, with the column they lie in. A readable
 * PRIMARY_ID (`primary_id_as_attribute`) is one of them though no column holds it.
 */
import type { Attribute, AttributeType, EdgeType, VertexType } from '#catalog/types.ts'
import { vectorsOf } from '#catalog/vectors.ts'
import type { ColumnView, VertexTableView } from '#graph/view.ts'
import { DbError } from '#kernel/errors.ts'
import { FILTER_SIZE_CHARS_MAX } from '#kernel/limits.ts'
import { idValueWriter, type RowWriter, valueWriter } from './value-writers.ts'

/** A column, or the id where `column` is null. */
export interface ReadableAttribute {
  readonly name: string
  readonly type: AttributeType
  readonly attributeId: number
  readonly column: ColumnView | null
}

export interface ReadableType {
  readonly name: string
  readonly attributes: readonly ReadableAttribute[]
  /** Read only where `select` names them. */
  readonly vectors: readonly ReadableAttribute[]
}

export function readableVertexType(type: VertexType, table: VertexTableView): ReadableType {
  const attributes = readableAttributes(type.attributes, table.columns)
  const vectors = readableAttributes(vectorsOf(type), table.columns)
  const { primaryId } = type
  const [idName = ''] = primaryId.names
  const isComputed = primaryId.syntax === 'PRIMARY_ID' && primaryId.asAttribute
  if (!isComputed || attributes.some(({ name }) => name === idName)) {
    return { name: type.name, attributes, vectors }
  }
  const id = { name: idName, type: { kind: primaryId.type }, attributeId: -1, column: null }
  return { name: type.name, attributes: [id, ...attributes], vectors }
}

export function readableEdgeType(
  name: string,
  type: EdgeType,
  columns: readonly ColumnView[],
): ReadableType {
  return { name, attributes: readableAttributes(type.attributes, columns), vectors: [] }
}

function readableAttributes(
  attributes: readonly Attribute[],
  columns: readonly ColumnView[],
): ReadableAttribute[] {
  return attributes.flatMap(({ id, name, type }) => {
    const column = columns.find((candidate) => candidate.attributeId === id)
    return column === undefined ? [] : [{ name, type, attributeId: id, column }]
  })
}

/** @throws DbError ATTRIBUTE_NOT_FOUND */
export function requireAttribute(type: ReadableType, name: string): ReadableAttribute {
  const attribute = type.attributes.find((candidate) => candidate.name === name)
  if (attribute) return attribute
  throw unknownAttribute(name, type.name)
}

export function unknownAttribute(name: string, typeName: string): DbError {
  return new DbError(
    'ATTRIBUTE_NOT_FOUND',
    `The attribute '${name}' is not an attribute of type ${typeName}.`,
  )
}

/** The names of a `select` text; null: all attributes. @throws DbError INVALID_PARAMETER */
export function selectedNames(select: string | undefined): readonly string[] | null {
  if (select === undefined || select.trim() === '') return null
  checkLength('select', select)
  return select.split(',').map((name) => name.trim())
}

/** @throws DbError INVALID_PARAMETER past FILTER_SIZE_CHARS_MAX */
export function checkLength(parameter: string, text: string): void {
  if (text.length <= FILTER_SIZE_CHARS_MAX) return
  throw new DbError(
    'INVALID_PARAMETER',
    `The parameter ${parameter} is longer than ${FILTER_SIZE_CHARS_MAX} characters.`,
  )
}

/** @throws DbError ATTRIBUTE_NOT_FOUND for a name the type does not have */
export function selectAttributes(
  type: ReadableType,
  names: readonly string[] | null,
): readonly ReadableAttribute[] {
  if (names === null) return type.attributes
  return names.map(
    (name) => type.vectors.find((vector) => vector.name === name) ?? requireAttribute(type, name),
  )
}

/** `{"name":` and `,"name":` in bytes, by name: writers are made per answer. */
class Heads {
  readonly #encoder = new TextEncoder()
  readonly #first = new Map<string, Uint8Array>()
  readonly #next = new Map<string, Uint8Array>()

  of(name: string, isFirst: boolean): Uint8Array {
    const known = isFirst ? this.#first : this.#next
    const head = known.get(name)
    if (head !== undefined) return head
    const made = this.#encoder.encode(`${isFirst ? '{' : ','}${JSON.stringify(name)}:`)
    if (known.size < HEADS_KEPT_MAX) known.set(name, made)
    return made
  }
}

const HEADS_KEPT_MAX = 4_096
const heads = new Heads()

/** Writes `{"name":value,…}` of a row. */
export function attributesWriter(
  attributes: readonly ReadableAttribute[],
  table: VertexTableView | null,
): RowWriter {
  const members = attributes.map(({ name, column }, index) => ({
    head: heads.of(name, index === 0),
    write: column === null ? idValueWriter(table!.ids) : valueWriter(column),
  }))
  if (members.length === 0) return (sink) => sink.text('{}')
  return (sink, row) => {
    for (const { head, write } of members) {
      sink.raw(head)
      write(sink, row)
    }
    sink.byte(0x7d)
  }
}
