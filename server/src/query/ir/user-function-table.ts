/**
 * User functions: what queries written for other systems call of C++ code. A function has a fixed
 * signature and is pure but for random numbers and the caller's roles; `query/functions/user-functions.ts` implements each
 * under the same name. A new one is a row here and a function there.
 */
import { ANY_VERTEX, BOOL, DOUBLE, FLOAT, INT, STRING, type ValueType } from './types.ts'

export interface UserFunctionInfo {
  readonly name: string
  readonly parameters: readonly ValueType[]
  readonly result: ValueType
  readonly summary: string
}

const list = (element: ValueType): ValueType => ({ kind: 'LIST', element })
const set = (element: ValueType): ValueType => ({ kind: 'SET', element })
const map = (key: ValueType, value: ValueType): ValueType => ({ kind: 'MAP', key, value })

const keyPair: ValueType = {
  kind: 'TUPLE',
  name: '',
  fields: [
    { name: 'pattern_key', type: INT },
    { name: 'suffix_key', type: INT },
  ],
}

type Row = readonly [
  name: string,
  parameters: readonly ValueType[],
  result: ValueType,
  summary: string,
]

const rows: readonly Row[] = [
  ['tg_log_2', [DOUBLE], DOUBLE, 'logarithm to base 2'],
  ['tg_rand_int', [INT, INT], INT, 'random integer between two bounds, both included'],
  ['rand_int', [INT, INT], INT, 'random integer between two bounds, both included'],
  ['tg_random', [], FLOAT, 'random number in [0, 1)'],
  ['tg_random_range', [INT, INT], INT, 'random integer between two bounds, both included'],
  ['tg_str_to_float', [STRING], FLOAT, 'number that a text begins with'],
  ['str_to_float', [STRING], FLOAT, 'number that a text begins with'],
  ['tg_getdistance', [FLOAT, FLOAT, FLOAT, FLOAT], FLOAT, 'distance of two places, in 1,000 km'],
  ['tg_hash_label', [list(STRING)], STRING, 'fingerprint of a list of labels in any order'],
  [
    'tg_cosine_similarity',
    [list(DOUBLE), map(INT, list(DOUBLE)), INT],
    map(INT, DOUBLE),
    'cosine of a vector with each of several',
  ],
  [
    'tg_pairwise_cosine_similarity',
    [list(DOUBLE), list(DOUBLE), INT],
    DOUBLE,
    'cosine of two vectors',
  ],
  [
    'tg_similarity_accum',
    [list(DOUBLE), list(DOUBLE), STRING],
    DOUBLE,
    'likeness of two lists: COSINE, EUCLIDEAN, JACCARD, OVERLAP or PEARSON',
  ],
  ['tg_extract_list', [STRING], list(FLOAT), 'numbers of a text separated by commas'],
  ['tg_concat', [list(INT), INT], list(INT), 'list with one element more'],
  [
    'tg_is_subset',
    [list(INT), INT, list(INT)],
    BOOL,
    'whether a sequence and an end follow in a list',
  ],
  ['split', [STRING, STRING], list(STRING), 'parts of a text between separators'],
  ['tg_get_hash', [INT], INT, 'hash of a sequence of one element'],
  ['tg_get_pattern_key', [keyPair], INT, 'first of a pair of keys'],
  ['tg_get_suffix_key', [keyPair], INT, 'second of a pair of keys'],
  ['tg_initiate_hash_const', [INT], list(INT), 'powers of the base of sequence hashes'],
  [
    'tg_get_hash_without_first_element',
    [INT, INT, INT, list(INT)],
    INT,
    'hash of a sequence without its first element, one place further',
  ],
  [
    'tg_get_hash_without_last_element',
    [INT, INT],
    INT,
    'hash of a sequence without its last element',
  ],
  ['tg_get_hash_concat', [INT, INT], INT, 'hash of a sequence with one element more'],
  ['tg_to_vertex_list', [list(INT)], list(ANY_VERTEX), 'vertices of internal numbers'],
  ['ms_to_string', [INT], STRING, 'milliseconds since 1970 as a time, in UTC'],
  ['randn', [], DOUBLE, 'random number of the standard normal distribution'],
  ['bigint_to_string', [INT], STRING, 'integer as text'],
  ['current_roles', [], set(STRING), 'names of the roles that the caller has on the graph'],
  ['is_granted_to_current_roles', [STRING], BOOL, 'whether the caller has a role on the graph'],
  ['unit_list', [INT], list(DOUBLE), 'so many ones'],
  ['dotproduct_list_list', [list(DOUBLE), list(DOUBLE)], DOUBLE, 'sum of the products'],
  ['product_list_const', [list(DOUBLE), DOUBLE], list(DOUBLE), 'each element times a number'],
]

/** By lower-case name. */
export const userFunctions: ReadonlyMap<string, UserFunctionInfo> = new Map(
  rows.map(([name, parameters, result, summary]) => [name, { name, parameters, result, summary }]),
)
