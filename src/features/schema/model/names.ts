/** Names of types, attributes and indexes: the rules the server applies, said while typing. */
import { findType, type SchemaModel, type TypeModel } from '#lib/graph-schema/schema-model.ts'

const NAME_LENGTH_MAX = 256

/**
 * Words the grammar needs for itself where a name may stand. The server has the last word; the test
 * beside this file holds the two lists together.
 */
const reservedWords = new Set(
  `ACCUM ADD ALL ALLOCATE ALTER AND ANY AS ASC BAG BETWEEN BIGINT BLOB BOOL BOTH BREAK BY CASCADE
  CASE CATCH CHAR CLOB COALESCE COMPRESS CONST CONSTRAINT CONTINUE CREATE CURRENT_DATE
  CURRENT_TIME CURRENT_TIMESTAMP DATETIME DATETIME_ADD DATETIME_DIFF DATETIME_FORMAT
  DATETIME_SUB DATETIME_TO_EPOCH DECIMAL DECLARE DELETE DISTRIBUTED DO DOUBLE DROP EDGE ELSE
  ELSEIF END EPOCH_TO_DATETIME ESCAPE EXCEPTION EXISTS FALSE FILTER FIXED_BINARY FLOAT FOR
  FOREACH FROM GLOBAL GRANTS GRAPH GROUPBYACCUM GSQL_INT_MAX GSQL_INT_MIN GSQL_UINT_MAX HAVING
  HEAPACCUM IF IGNORE IN INPUT_LINE_FILTER INSERT INT INT16 INT32 INT32_T INT64_T INT8 INTEGER
  INTERPRET INTERSECT INTO IS ISEMPTY JOIN JSONARRAY JSONOBJECT LIKE LIMIT LOADACCUM LONG MINUS
  NOBODY NOT NULL OFFSET ON OPENCYPHER OR ORDER PINNED POST_ACCUM PRIMARY PRIMARY_ID PRINT PROXY
  QUERY QUIT RAISE REPLACE RESET_COLLECTION_ACCUM RETURN RETURNS RUN SELECT SELECTVERTEX SET
  STATIC STRING SYNTAX TEMP_TABLE THEN TO TO_CSV TO_DATETIME TRAILING TRANSLATESQL TRIM TRUE TRY
  TUPLE TYPEDEF UINT UINT16 UINT32 UINT32_T UINT64_T UINT8 UINT8_T UNION UPDATE UPSERT USING
  VALUES VERTEX WHEN WHERE WHILE WITH`.split(/\s+/),
)

/** What is wrong with a name by itself, or null. */
export function identifierProblem(name: string): string | null {
  if (name === '') return 'A name is needed.'
  if (/^\d/.test(name)) return 'A name starts with a letter or _.'
  if (!/^[A-Za-z_]\w*$/.test(name)) return 'Use letters, digits and _ only.'
  if (name.length > NAME_LENGTH_MAX) return `At most ${NAME_LENGTH_MAX} characters.`
  if (name === '__proto__') return 'That name cannot be kept safely in JSON.'
  if (reservedWords.has(name.toUpperCase())) return `${name} is a reserved word.`
  if (name.toLowerCase().startsWith('gsql_sys_')) return 'Names in gsql_sys_ are the system’s own.'
  return null
}

/** What is wrong with a type name in this schema, or null. `self` is the type's present name. */
export function typeNameProblem(
  schema: SchemaModel,
  name: string,
  self: string | null = null,
): string | null {
  const problem = identifierProblem(name)
  if (problem !== null || name === self) return problem
  const taken = findType(schema, name)
  if (taken !== undefined) return `${name} is already ${article(taken)} type.`
  const twin = schema.edges.find((edge) => edge.reverseName === name && edge.name !== self)
  return twin === undefined ? null : `${name} is already the reverse edge of ${twin.name}.`
}

/** What is wrong with the name of an attribute or vector in its type, or null. */
export function attributeNameProblem(
  type: TypeModel,
  name: string,
  self: string | null = null,
): string | null {
  const problem = identifierProblem(name)
  if (problem !== null || name === self) return problem
  const vectors = (type.kind === 'vertex' && type.vectors) || []
  if ([...type.attributes, ...vectors].some((one) => one.name === name)) {
    return `${type.name} already has an attribute ${name}.`
  }
  if (type.kind === 'vertex' && type.primaryId.names.includes(name)) {
    return `${name} is the primary id of ${type.name}.`
  }
  return null
}

/** Index names are unique over the whole graph. */
export function indexNameProblem(schema: SchemaModel, name: string): string | null {
  const problem = identifierProblem(name)
  if (problem !== null) return problem
  const owner = schema.vertices.find((vertex) =>
    vertex.indexes.some((index) => index.name === name),
  )
  return owner === undefined ? null : `${owner.name} already has an index ${name}.`
}

/** `stem`, or `stem2`, `stem3`… : the first that nothing in the schema uses. */
export function freeTypeName(schema: SchemaModel, stem: string): string {
  for (let number = 1; ; number++) {
    const name = number === 1 ? stem : `${stem}${number}`
    if (typeNameProblem(schema, name) === null) return name
  }
}

export function freeIndexName(schema: SchemaModel, stem: string): string {
  for (let number = 1; ; number++) {
    const name = number === 1 ? stem : `${stem}${number}`
    if (indexNameProblem(schema, name) === null) return name
  }
}

export function freeAttributeName(type: TypeModel, stem: string): string {
  for (let number = 1; ; number++) {
    const name = number === 1 ? stem : `${stem}${number}`
    if (attributeNameProblem(type, name) === null) return name
  }
}

function article(type: TypeModel): string {
  return type.kind === 'vertex' ? 'a vertex' : 'an edge'
}
