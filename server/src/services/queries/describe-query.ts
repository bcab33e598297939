/** Queries as clients read about them: parameters, endpoint entries, signatures (2.13, 3.7). */
import { vertexTypeById } from '#catalog/lookup.ts'
import type { AttributeType, Catalog, VertexType } from '#catalog/types.ts'
import type { BoundPrintItem, BoundQuery, BoundStatement } from '#query/ir/bound.ts'
import { readTypeOf, type ValueType } from '#query/ir/types.ts'
import { isCollection, typeText } from '#query/ir/value-types.ts'

/** As `queries/info` answers. */
export interface QueryInfo {
  readonly name: string
  readonly code: string
  readonly syntax: string
  readonly status: string
  readonly installed: boolean
  readonly installing: boolean
  readonly enabled: boolean
  readonly isHidden: boolean
  readonly isACLSpecified: boolean
  readonly graphUpdate: boolean
  callerQueries: string[]
  readonly owner?: string
  readonly endpoint: Record<string, unknown>
}

/** `vertex<Person>`, `set<string>`: as signatures spell types. */
export function signatureType(catalog: Catalog, type: ValueType): string {
  if (isCollection(type))
    return `${type.kind.toLowerCase()}<${signatureType(catalog, type.element)}>`
  if (type.kind === 'VERTEX') {
    const [only] = type.typeIds ?? []
    return only === undefined ? 'vertex' : `vertex<${vertexTypeById(catalog, only).name}>`
  }
  if (type.kind === 'MAP') {
    return `map<${signatureType(catalog, type.key)},${signatureType(catalog, type.value)}>`
  }
  return typeText(type).toLowerCase()
}

export function signatureInput(
  catalog: Catalog,
  query: Pick<BoundQuery, 'parameters'>,
): Record<string, string>[] {
  return query.parameters.map(({ name, type }) => ({ [name]: signatureType(catalog, type) }))
}

/** Like `results`, with type names for values: one object per PRINT of the text. */
export function signatureOutput(catalog: Catalog, query: BoundQuery): Record<string, unknown>[] {
  return printsIn(query.body).map((items) =>
    Object.fromEntries(items.map((item) => [item.key, itemShape(catalog, query, item)])),
  )
}

function printsIn(body: readonly BoundStatement[]): (readonly BoundPrintItem[])[] {
  return body.flatMap((statement) => {
    switch (statement.kind) {
      case 'print':
        return [statement.items]
      case 'if':
        return [...statement.branches.map((branch) => branch.body), statement.otherwise].flatMap(
          printsIn,
        )
      case 'while':
      case 'foreach':
        return printsIn(statement.body)
      default:
        return []
    }
  })
}

function itemShape(catalog: Catalog, query: BoundQuery, item: BoundPrintItem): unknown {
  if (item.kind === 'value') {
    const { value } = item
    return value.kind === 'globalAccum'
      ? accumText(catalog, query, value.slot)
      : signatureType(catalog, value.type)
  }
  const types = item.typeIds.map((id) => vertexTypeById(catalog, id))
  const attributes =
    item.kind === 'projection'
      ? item.columns.map(({ key, value }) => [key, typeText(value.type)] as const)
      : wholeAttributes(query, types, item.vertexAccums)
  const names = types.map(({ name }) => name).join('|')
  return [{ v_id: 'int', v_type: names, attributes: Object.fromEntries(attributes) }]
}

function accumText(catalog: Catalog, query: BoundQuery, slot: number): string {
  const { type } = query.globalAccums[slot]!
  const read = readTypeOf(type)
  return isCollection(read)
    ? `${type.kind}<${signatureType(catalog, read.element)}>`
    : signatureType(catalog, read)
}

function wholeAttributes(
  query: BoundQuery,
  types: readonly VertexType[],
  accums: readonly number[],
): (readonly [string, string])[] {
  const own = types.flatMap((type) =>
    type.attributes.map(({ name, type: attribute }) => [name, attributeText(attribute)] as const),
  )
  const attached = accums.map((slot) => {
    const { name, type } = query.vertexAccums[slot]!
    return [`@${name}`, typeText(readTypeOf(type))] as const
  })
  return [...own, ...attached]
}

/** `STRING_LIST` for `LIST<STRING>`: the spelling of the contract's signature (2.13). */
function attributeText(type: AttributeType): string {
  return type.kind === 'LIST' || type.kind === 'SET'
    ? `${type.element.kind}_${type.kind}`
    : type.kind
}

/** The parameters of an endpoint entry: `query` first, `v.type` beside an untyped vertex. */
export function endpointParameters(
  catalog: Catalog,
  query: Pick<BoundQuery, 'name' | 'parameters'>,
): Record<string, unknown> {
  const entries: [string, unknown][] = [['query', { default: query.name, type: 'STRING' }]]
  for (const { name, type, defaultValue } of query.parameters) {
    const element = isCollection(type) ? type.element : type
    const count = isCollection(type) ? { min_count: 0, max_count: 2147483647 } : { min_count: 0 }
    const fallback = literalText(defaultValue)
    const given = fallback === null ? {} : { default: fallback }
    if (element.kind !== 'VERTEX') {
      entries.push([name, { type: endpointType(element), ...count, ...given }])
      continue
    }
    const [only] = element.typeIds ?? []
    const idType = only === undefined ? `$${name}.type` : vertexTypeById(catalog, only).name
    entries.push([name, { type: 'STRING', is_id: 'true', id_type: idType, ...count }])
    if (only === undefined) entries.push([`${name}.type`, { type: 'STRING', min_count: 0 }])
  }
  return Object.fromEntries(entries)
}

function endpointType(type: ValueType): string {
  if (type.kind === 'INT') return 'INT64'
  return type.kind === 'UINT' ? 'UINT64' : type.kind
}

function literalText(value: BoundQuery['parameters'][number]['defaultValue']): string | null {
  return value?.kind === 'literal' ? String(value.value) : null
}

/** The inner object of `queries/info`'s endpoint and of the endpoint catalogue. */
export function endpointEntry(
  catalog: Catalog,
  query: Pick<BoundQuery, 'name' | 'graph' | 'parameters'>,
  enabled: boolean,
): Record<string, unknown> {
  return {
    action: 'query',
    function: 'queryDispatcher',
    target: 'GPE',
    summary: 'This is query entrance',
    graph_name: query.graph,
    alternative_endpoint: `/query/${query.name}`,
    libudf: `libudf-${query.graph}-1`,
    enabled,
    graphUpdate: false,
    executeGranted: false,
    needReadRole: false,
    needCurrentRoles: false,
    executorList: [],
    readDataList: {},
    createDataList: {},
    updateDataList: {},
    deleteDataList: {},
    payload: [{ rule: 'AS_JSON' }, { rule: 'AS_QUERY_STRING' }],
    parameters: endpointParameters(catalog, query),
  }
}
