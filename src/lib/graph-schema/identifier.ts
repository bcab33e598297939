/** Names of graphs, types and attributes: the rules of the server, said while typing. */

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

/** The name nearest to a text of any kind, such as the header of a column; '' when nothing is left. */
export function toIdentifier(text: string): string {
  const plain = text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/\W+/g, '_')
    .replace(/^_+|_+$/g, '')
    .slice(0, NAME_LENGTH_MAX - 1)
  const begun = /^\d/.test(plain) ? `_${plain}` : plain
  return reservedWords.has(begun.toUpperCase()) ? `${begun}_` : begun
}
