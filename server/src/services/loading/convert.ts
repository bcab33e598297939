/** Loaded values as the JSON of an upsert (docs/reference/gsql/loading.md). */
import { findTuple } from '#catalog/lookup.ts'
import type { AttributeType, Catalog, ElementType } from '#catalog/types.ts'
import { convertJson } from './convert-json.ts'
import { binaryText, type Converted, fieldText, realText, scalarText } from './convert-scalar.ts'
import type { Loaded } from './row.ts'

export function convert(catalog: Catalog, type: AttributeType, loaded: Loaded): Converted {
  if (loaded === null) return null
  if (typeof loaded === 'object' && loaded.kind === 'json') {
    return convertJson(catalog, type, loaded.text)
  }
  switch (type.kind) {
    case 'LIST':
    case 'SET':
      return arrayText(catalog, type.element, loaded)
    case 'MAP':
      return mapText(catalog, type, loaded)
    case 'TUPLE':
      return tupleText(catalog, type.name, fieldsOf(loaded))
    case 'FIXED_BINARY':
      return typeof loaded === 'string' ? binaryText(type.length, loaded) : undefined
    case 'VECTOR':
      return vectorText(type.dimension, loaded)
    default:
      return typeof loaded === 'string' ? scalarText(type.kind, loaded) : undefined
  }
}

/** A list of that many numbers; blanks around them do not count. */
function vectorText(dimension: number, loaded: Loaded): Converted {
  if (loaded === '') return null
  const items = typeof loaded === 'object' && loaded?.kind === 'list' ? loaded.items : [loaded]
  if (items.length !== dimension) return undefined
  const texts = items.map((item) =>
    typeof item === 'string' ? realText('FLOAT', item.trim()) : undefined,
  )
  return texts.every((text) => typeof text === 'string') ? `[${texts.join(',')}]` : undefined
}

function arrayText(catalog: Catalog, element: ElementType, loaded: Loaded): Converted {
  // One element per line: there may be none.
  if (loaded === '' && element.kind !== 'STRING') return null
  const items =
    typeof loaded === 'object' && loaded?.kind === 'list' ? loaded.items : [loaded ?? '']
  const texts = items.map((item) => elementText(catalog, element, item))
  return texts.includes(undefined) ? undefined : `[${texts.join(',')}]`
}

function elementText(catalog: Catalog, type: ElementType, item: Loaded): string | undefined {
  if (type.kind === 'TUPLE') return tupleText(catalog, type.name, fieldsOf(item)) ?? undefined
  return typeof item === 'string' ? (scalarText(type.kind, item) ?? undefined) : undefined
}

function mapText(
  catalog: Catalog,
  type: Extract<AttributeType, { kind: 'MAP' }>,
  loaded: Loaded,
): Converted {
  if (typeof loaded !== 'object' || loaded?.kind !== 'entries') return undefined
  const keys = loaded.entries.map(([key]) => elementText(catalog, type.key, key))
  const values = loaded.entries.map(([, value]) => elementText(catalog, type.value, value))
  if (keys.includes(undefined) || values.includes(undefined)) return undefined
  return `{"keylist":[${keys.join(',')}],"valuelist":[${values.join(',')}]}`
}

function fieldsOf(loaded: Loaded): readonly string[] | null {
  if (typeof loaded !== 'object' || loaded === null) return null
  if (loaded.kind === 'tuple') return loaded.fields
  return loaded.kind === 'list' ? loaded.items : null
}

function tupleText(
  catalog: Catalog,
  name: string,
  values: readonly string[] | null,
): string | undefined {
  const fields = findTuple(catalog, name)?.fields ?? []
  if (values === null || values.length > fields.length) return undefined
  const texts = values.map((value, index) => fieldText(fields[index]!, value))
  if (texts.some((text) => text === undefined || text === null)) return undefined
  const names = fields.slice(0, values.length).map((field) => JSON.stringify(field.name))
  return `{"keylist":[${names.join(',')}],"valuelist":[${texts.join(',')}]}`
}
