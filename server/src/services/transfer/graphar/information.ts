/** The information files of GraphAr: YAML that says what lies where. */
import type { ChunkSizes, GraphArPlan, PlannedEdges, PlannedVertices } from './plan.ts'
import type { Property } from './property.ts'

/** All properties of a type are one group, in a folder of this name. */
export const PROPERTIES_PREFIX = 'properties/'
export const ADJACENCY_PREFIX = 'ordered_by_source/'

const VERSION = 'version: gar/v1'

export function graphInformation({ graph, vertices, edges }: GraphArPlan): string {
  return lines([
    `name: ${name(graph)}`,
    'prefix: ./',
    ...fileList('vertices', vertices),
    ...fileList('edges', edges),
    VERSION,
  ])
}

function fileList(key: string, types: readonly { readonly informationFile: string }[]): string[] {
  if (types.length === 0) return [`${key}: []`]
  return [`${key}:`, ...types.map(({ informationFile }) => `  - ${informationFile}`)]
}

export function vertexInformation(
  { type, prefix }: PlannedVertices,
  properties: readonly Property[],
  { vertexRows }: ChunkSizes,
): string {
  return lines([
    `type: ${name(type)}`,
    `chunk_size: ${vertexRows}`,
    `prefix: ${prefix}`,
    ...propertyGroup(properties),
    VERSION,
  ])
}

export function edgeInformation(
  { type, from, to, directed, prefix }: PlannedEdges,
  properties: readonly Property[],
  { vertexRows, edgeRows }: ChunkSizes,
): string {
  return lines([
    `src_type: ${name(from)}`,
    `edge_type: ${name(type)}`,
    `dst_type: ${name(to)}`,
    `chunk_size: ${edgeRows}`,
    `src_chunk_size: ${vertexRows}`,
    `dst_chunk_size: ${vertexRows}`,
    `directed: ${directed}`,
    `prefix: ${prefix}`,
    'adj_lists:',
    '  - ordered: true',
    '    aligned_by: src',
    `    prefix: ${ADJACENCY_PREFIX}`,
    '    file_type: parquet',
    ...propertyGroup(properties),
    VERSION,
  ])
}

function propertyGroup(properties: readonly Property[]): string[] {
  if (properties.length === 0) return []
  return [
    'property_groups:',
    `  - prefix: ${PROPERTIES_PREFIX}`,
    '    file_type: parquet',
    '    properties:',
    ...properties.flatMap(propertyLines),
  ]
}

/** Notes are comments: readers in Java and Scala refuse keys that they do not know. */
function propertyLines({ name: own, dataType, isKey, isNullable, note }: Property): string[] {
  return [
    ...(note === null ? [] : [`      # ${own}: ${note}`]),
    `      - name: ${name(own)}`,
    `        data_type: ${dataType}`,
    `        is_primary: ${isKey}`,
    `        is_nullable: ${isNullable}`,
  ]
}

/** Identifiers that YAML 1.1 would take for something else. */
const NOT_PLAIN = /^(y|n|yes|no|on|off|true|false|null)$/i

function name(identifier: string): string {
  return NOT_PLAIN.test(identifier) ? `"${identifier}"` : identifier
}

function lines(parts: readonly string[]): string {
  return parts.map((part) => `${part}\n`).join('')
}
