/**
 * The loading job that brings an export as CSV or as lines of JSON back into its graph, value for value:
 * what the file `load.gsql` of the export holds.
 */
import { edgeTypesOf, vertexTypeById } from '#catalog/lookup.ts'
import type { Attribute, Catalog, VertexType } from '#catalog/types.ts'
import { vectorsOf } from '#catalog/vectors.ts'
import { NAME_SIZE_BYTES_MAX } from '#kernel/limits.ts'
import { csvNames } from './csv.ts'
import type { EdgeFile, ElementFile, VertexFile } from './element-files.ts'

export const LOADING_JOB_FILE = 'load.gsql'

export interface LoadedExport {
  readonly catalog: Catalog
  readonly graph: string
  readonly files: readonly ElementFile[]
  readonly format: 'csv' | 'json'
  /** Where the files are, in the directory for files. */
  readonly folder: string
}

export function loadingJob({ catalog, graph, files, format, folder }: LoadedExport): string {
  const name = `load_${graph}`.slice(0, NAME_SIZE_BYTES_MAX)
  const head = `// Copy the folder of this file into the directory for files, make the job, then: RUN LOADING JOB ${name}\n`
  // A job that loads nothing is none.
  if (files.length === 0) return head
  const using =
    format === 'csv' ? 'HEADER="true", SEPARATOR=",", QUOTE="double"' : 'JSON_FILE="true"'
  const definitions = files.map(
    ({ file }, at) => `  DEFINE FILENAME f${at} = ${JSON.stringify(`${folder}/${file}`)};\n`,
  )
  const loads = files.map((file, at) => {
    const columns = format === 'csv' ? new CsvColumns(file) : new JsonColumns(file)
    const targets =
      file.kind === 'vertices'
        ? vertexTargets(catalog, file, columns)
        : [edgeTarget(catalog, { graph, file }, columns)]
    return `  LOAD f${at}\n    ${targets.join(',\n    ')}\n    USING ${using};\n`
  })
  return `${head}CREATE LOADING JOB ${name} FOR GRAPH ${graph} {\n${[...definitions, ...loads].join('')}}\n`
}

/** How a job names what a row holds. */
interface Columns {
  /** The `at`th id of the row. */
  id(at: number): string
  attribute(name: string): string
}

class CsvColumns implements Columns {
  readonly #names: readonly string[]
  readonly #idCount: number

  constructor(file: ElementFile) {
    this.#names = csvNames(file)
    this.#idCount = this.#names.length - file.attributes.length
  }

  id(at: number): string {
    return this.#column(at)
  }

  attribute(name: string): string {
    return this.#column(this.#names.indexOf(name, this.#idCount))
  }

  /** An attribute may have the name of the column of ids: then both go by their positions. */
  #column(at: number): string {
    const name = this.#names[at] ?? ''
    return this.#names.filter((one) => one === name).length > 1 ? `$${at}` : `$"${name}"`
  }
}

class JsonColumns implements Columns {
  readonly #ids: readonly string[]

  constructor({ kind }: ElementFile) {
    this.#ids = kind === 'vertices' ? ['v_id'] : ['from_id', 'to_id']
  }

  id(at: number): string {
    return `$"${this.#ids[at]}"`
  }

  attribute(name: string): string {
    return `$"attributes":"${name}"`
  }
}

/** The vertex, and behind it each of its vectors, which a vertex need not have. */
function vertexTargets(catalog: Catalog, file: VertexFile, columns: Columns): string[] {
  const type = vertexTypeById(catalog, file.typeId)
  const id = columns.id(0)
  const vectors = vectorsOf(type).map(({ name }) => {
    const column = columns.attribute(name)
    const values = `VALUES (${id}, gsql_from_json(${column})) WHERE ${column} IS NOT EMPTY`
    return `TO VECTOR ATTRIBUTE ${name} ON VERTEX ${type.name} ${values}`
  })
  const values = [...idOf(type, id), ...valuesOf(type.attributes, columns)]
  return [`TO VERTEX ${type.name} VALUES (${values.join(', ')})`, ...vectors]
}

/** A key is among the attributes. */
function idOf({ primaryId }: VertexType, id: string): readonly string[] {
  return primaryId.syntax === 'PRIMARY_ID' ? [id] : []
}

function edgeTarget(
  catalog: Catalog,
  { graph, file }: { readonly graph: string; readonly file: EdgeFile },
  columns: Columns,
): string {
  const type = edgeTypesOf(catalog, graph).find(({ id }) => id === file.typeId)
  const ends = [`${columns.id(0)} ${file.from}`, `${columns.id(1)} ${file.to}`]
  const values = [...ends, ...valuesOf(type?.attributes ?? [], columns)]
  return `TO EDGE ${file.type} VALUES (${values.join(', ')})`
}

function valuesOf(attributes: readonly Attribute[], columns: Columns): string[] {
  return attributes.map(({ name, type: { kind } }) => {
    const column = columns.attribute(name)
    if (kind === 'TUPLE') return `gsql_from_json(${column})`
    // Without the reducer a load adds to what is there.
    const isCollection = kind === 'LIST' || kind === 'SET' || kind === 'MAP'
    return isCollection ? `REDUCE(overwrite(gsql_from_json(${column})))` : column
  })
}
