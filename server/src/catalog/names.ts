/** What may be a name: contract of GSQL, sections 1 and 2. */
import { DbError } from '#kernel/errors.ts'
import { NAME_SIZE_BYTES_MAX } from '#kernel/limits.ts'

const queryWords = `ACCUM AND ANY API AS ASC AVG BAG BATCH BETWEEN BOOL BOTH BREAK CASE CATCH COALESCE
COMPRESS CONTINUE COUNT CREATE DATETIME DATETIME_ADD DATETIME_SUB DELETE DESC DISTRIBUTED DO DOUBLE
EDGE ELSE END ESCAPE EXCEPTION FALSE FILTER FOR FOREACH FROM GRAPH GSQL_INT_MAX GSQL_INT_MIN
GSQL_UINT_MAX HAVING IF IN INT INTERPRET INTERSECT INTERVAL INTO IS ISEMPTY JSONARRAY JSONOBJECT
LEADING LIKE LIMIT LOADACCUM MAX MIN MINUS NOT NULL OFFSET OR ORDER PINNED POST_ACCUM PRIMARY_ID PRINT
QUERY RAISE RANGE RESET_COLLECTION_ACCUM RETURN RETURNS RUN SAMPLE SELECT SELECTVERTEX SET STATIC
STRING SUM SYNTAX TAGS TARGET THEN TO TO_CSV TRAILING TRIM TRUE TRY TUPLE TYPEDEF UINT UNION VALUES
VERTEX WHEN WHILE WITH`

const schemaWords = `ADD ALL ALLOCATE ALTER BIGINT BLOB BOOLEAN BY CALL CASCADE CHAR CHARACTER CHECK CLOB
CONST CONSTRAINT COST CURRENT_DATE CURRENT_TIME CURRENT_TIMESTAMP CURSOR DATETIME_DIFF DATETIME_FORMAT
DATETIME_TO_EPOCH DAY DECIMAL DECLARE DROP ELSEIF EPOCH_TO_DATETIME EXISTS FILE FIXED_BINARY FLOAT
FUNCTION GLOBAL GRANTS GROUP GROUPBYACCUM HEADER HEAPACCUM HOUR IGNORE INDEX INPUT_LINE_FILTER INSERT
INT8 INT16 INT32 INT32_T INT64_T INTEGER JOB JOIN KAFKA KEY LIST LOAD LOG LONG MAP MINUTE NOBODY NOW ON
OPENCYPHER POLICY PRIMARY PROXY QUIT REDUCE REPLACE ROW S3 SECOND TEMP_TABLE TO_DATETIME TRANSLATESQL
TYPE UINT8 UINT16 UINT32 UINT8_T UINT32_T UINT64_T UPDATE UPSERT USING WHERE`

/**
 * Words that real schemas use as names all the same; only ambiguity in the grammar forbids a word
 * (GSQL docs/reference/rest.md).
 */
const tolerated = `COUNT MIN MAX SUM AVG TYPE DAY HOUR MINUTE SECOND LOG ROW KEY HEADER FILE LIST MAP NOW
TARGET COST CHECK CALL INDEX POLICY SAMPLE INTERVAL API TAGS RANGE DESC LEADING BATCH GROUP FUNCTION
CURSOR LOAD JOB S3 KAFKA REDUCE CHARACTER BOOLEAN`

const words = (text: string): string[] => text.split(/\s+/)

const toleratedWords = new Set(words(tolerated))

export const reservedWords: ReadonlySet<string> = new Set(
  [...words(queryWords), ...words(schemaWords)].filter((word) => !toleratedWords.has(word)),
)

const identifier = /^[A-Za-z_][A-Za-z0-9_]*$/

/** Why a text cannot be a name; null when it can. The console shows the reason while typing. */
export function nameProblem(name: string): string | null {
  if (!identifier.test(name)) {
    return `'${shortened(name)}' is not a valid identifier: use letters, digits and _, and no digit first.`
  }
  if (name.length > NAME_SIZE_BYTES_MAX) {
    return `The name ${shortened(name)} is longer than ${NAME_SIZE_BYTES_MAX} characters.`
  }
  // The one identifier that JSON objects keyed by names cannot carry safely in every client.
  if (name === '__proto__') return `${name} is a reserved word.`
  if (reservedWords.has(name.toUpperCase())) return `${name} is a reserved word.`
  if (name.toLowerCase().startsWith('gsql_sys_')) {
    return `The name ${name} begins with gsql_sys_, which is reserved.`
  }
  return null
}

/**
 * @param what what is being named, for the message: `vertex`, `attribute`, …
 * @throws DbError INVALID_NAME
 */
export function checkName(what: string, name: string): void {
  const problem = nameProblem(name)
  if (problem !== null) {
    throw new DbError(
      'INVALID_NAME',
      `Semantic Check Fails: The ${what} name is invalid. ${problem}`,
    )
  }
}

function shortened(name: string): string {
  return name.length > 60 ? `${name.slice(0, 60)}…` : name
}
