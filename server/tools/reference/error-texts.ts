/** What each error code means and what to do about it, for docs/reference/errors.md. */
import type { ErrorCode } from '#kernel/errors.ts'
import type { DiagnosticCode } from '#query/ir/diagnostic-codes.ts'

export type ErrorText = readonly [meaning: string, action: string]

export const engineErrors: Readonly<Record<ErrorCode, ErrorText>> = {
  ENDPOINT_NOT_FOUND: [
    'No endpoint has this method and path.',
    'Compare both with [the list of endpoints](rest.md). `GET /restpp/endpoints` lists those of installed queries.',
  ],
  GRAPH_NOT_FOUND: [
    'There is no graph of this name.',
    'Names are case-sensitive. `SHOW GRAPH` lists the graphs.',
  ],
  VERTEX_TYPE_NOT_FOUND: [
    'The graph has no vertex type of this name.',
    'Compare the name with the schema of the graph (`SHOW VERTEX`). A type that was renamed is named in the message.',
  ],
  EDGE_TYPE_NOT_FOUND: [
    'The graph has no edge type of this name.',
    'Compare the name with the schema of the graph (`SHOW EDGE`). A type that was renamed is named in the message.',
  ],
  ATTRIBUTE_NOT_FOUND: [
    'The type has no attribute of this name.',
    'Compare the name with the schema of the type.',
  ],
  VERTEX_NOT_FOUND: [
    'There is no vertex with this id. The HTTP status is 200, as in TigerGraph: clients read the code.',
    'Check the id and its type. An id in an address has to be percent-encoded.',
  ],
  INDEX_NOT_FOUND: [
    'There is no index of this name.',
    'The Indexes page of the console and `GET /quiver/v1/indexes/usage` list the indexes.',
  ],
  QUERY_NOT_FOUND: [
    'The graph has no query of this name, or it is not installed.',
    'Create and install the query. `SHOW QUERY` lists queries with their state.',
  ],
  TUPLE_NOT_FOUND: [
    'There is no tuple type, or no accumulator type, of this name.',
    'Define it with `TYPEDEF TUPLE` first.',
  ],
  REQUEST_NOT_FOUND: [
    'There is no run, job or request of this name or id, or it belongs to somebody else, or its record has expired.',
    'Use the id from the answer that started it.',
  ],
  INVALID_JSON: [
    'The body is not valid JSON.',
    'The message names the place. Send UTF-8, with double quotes and without a comma at the end of a list.',
  ],
  INVALID_PARAMETER: [
    'A parameter in the address or in the body is missing, unknown, or has a value that its type does not allow.',
    'The message names the parameter; [the reference](rest.md) has its type.',
  ],
  INVALID_PAYLOAD: [
    'The body is JSON, but does not have the form that the endpoint takes.',
    'The message names the field. Compare with the body in [the reference](rest.md).',
  ],
  INVALID_STATISTICS_PARAMETER: [
    'A parameter of a request for statistics is missing or out of its range.',
    'The message names the parameter.',
  ],
  BODY_TOO_LARGE: [
    'The body is larger than the endpoint takes, or holds more values or changes than one request may.',
    'Send it in parts. [Limits](../api/README.md#limits) lists what each kind of endpoint takes.',
  ],
  RESPONSE_TOO_LARGE: [
    'The answer is larger than the limit of the request, or than the server stores for a detached run.',
    'Ask for less (`LIMIT`, fewer attributes), or raise the limit with the header `RESPONSE-LIMIT`, up to `--response-max`.',
  ],
  EDGE_ENDPOINT_MISSING: [
    'An atomic upsert was refused: a vertex that has to exist does not, one that has to be new exists, or one was deleted permanently. Nothing was written.',
    'The message lists the vertices. Write the missing ones first, or send without the parameters that demand it.',
  ],
  DOCUMENT_CONFLICT: [
    'A document of the console was changed by somebody else since it was read.',
    'Read it again, repeat your change, and save.',
  ],
  FEATURE_ABSENT: [
    'TigerGraph has this endpoint; this server does not. The message says why, or what to use instead.',
    'Do not retry.',
  ],
  NAME_TAKEN: [
    'The name is in use. Vertex types, edge types and reverse edges of one scope share their names.',
    'Choose another name, or drop what has it.',
  ],
  INVALID_NAME: [
    'The name is not an identifier, is a reserved word, or is too long.',
    'Use letters, digits and `_`, with a letter or `_` first.',
  ],
  SCHEMA_RULE: [
    'The change would make a schema that is not allowed, or one that existing data does not fit.',
    'The message names the rule and the place. A schema change can be tried first: the Schema page, or a dry run.',
  ],
  QUERY_INVALID: [
    'The text of a query or script does not compile.',
    'The message begins with a code of the [compiler](#codes-of-the-compiler), the line and the column.',
  ],
  QUERY_RUNTIME: [
    'An installed query, or a block without one, failed while it ran. Nothing of it was written. The HTTP status is 200.',
    'The code of the answer says what failed: [codes of queries](#codes-of-queries).',
  ],
  QUERY_TIMEOUT: [
    'The query or the read took longer than its time limit, and was ended. Nothing of it was written.',
    'Start from fewer vertices, or ask for more time with the header `GSQL-TIMEOUT` (milliseconds), up to `--query-timeout-max`.',
  ],
  QUERY_ABORTED: [
    'The query or loading job was aborted by a request, or the server stopped.',
    'Run it again if that was not meant.',
  ],
  QUERY_MEMORY_LIMIT: [
    'The query needed more memory than a query may take. Nothing of it was written.',
    'Keep less in accumulators, filter earlier, or start the server with a larger `--memory`.',
  ],
  WRITE_CONFLICT: [
    'What the query read was changed by others each time before its own changes could be applied. Nothing was written.',
    'Send the request again, after `Retry-After` if the answer has it.',
  ],
  UNAUTHENTICATED: [
    'The request has no credentials, or they are wrong, expired or revoked.',
    'Send a password (`Basic`), or a token (`Bearer`) from `POST /gsql/v1/tokens`.',
  ],
  FORBIDDEN: [
    'The user is known, but may not do this; or the host name, or the site that the request came from, is not one that the server answers to.',
    'The message names the missing privilege ([users and roles](../operations/hardening.md#users-and-roles)), or the name ([host names](../operations/hardening.md#host-names)).',
  ],
  TOO_MANY_REQUESTS: [
    'Too many failed logins of this user or address, or too many logins at once.',
    'Wait as long as `Retry-After` says.',
  ],
  WRITE_GUARDED: [
    'The console guards against writes to this server, and the request would write.',
    'The padlock in the bar of the console says what is refused, and lifts it if you may.',
  ],
  MEMORY_LIMIT: [
    'The server holds as much as `--memory` allows, or too many large bodies are in flight. Reads and deletes go on.',
    'Retry after `Retry-After`. If it stays so: delete data, rebuild (`GET /restpp/rebuildnow`), or raise `--memory`.',
  ],
  STORE_READ_ONLY: [
    'The store takes no writes; reads go on.',
    'The message has the reason; see [the data directory](../operations/hardening.md#the-data-directory).',
  ],
  STORE_FAILED: [
    'Reading or writing the data directory failed.',
    'Check the disk and the log of the server. Nothing that was acknowledged is lost by a restart.',
  ],
  STORE_LOCKED: [
    'Another process uses the data directory, or runs under the name of this server over a shared store.',
    'Stop it, or give this server a directory (`--data`) or a name (`--name`) of its own.',
  ],
  DISK_FULL: [
    'There is no space left on the file system of the data directory, or of the exports.',
    'Free space, then retry.',
  ],
  UNAVAILABLE: [
    'The server stops, or reads the graph again, and cannot answer this request now.',
    'Retry after a moment; `GET /quiver/v1/ready` says when the server is ready.',
  ],
  NOT_WRITER: [
    'Another server writes to the shared store, and the request did not reach it. Nothing was written.',
    'Retry after a moment.',
  ],
  NO_WRITER: [
    'No server writes to the shared store at present. Nothing was written.',
    'Retry after a moment: another server takes over.',
  ],
  BEHIND: [
    'This server has not yet applied what the request asked for, or has not heard from the shared store for too long.',
    'Retry as `Retry-After` says.',
  ],
  OUTCOME_UNKNOWN: [
    'The connection to the shared store or to the server that writes was lost, and nobody can tell whether the write counts.',
    'Read what it would have written, or repeat it with the same `Idempotency-Key` if it had one.',
  ],
  CORRUPT_LOG: [
    'The commit log is damaged. The server does not skip what it cannot read.',
    'Restore a backup, or keep what is valid: [repair](../operations/backup.md#repair).',
  ],
  CORRUPT_SEGMENT: [
    'A segment of the data directory, or a file of an export, is damaged.',
    '[Restore a backup](../operations/backup.md#back-up-and-restore), or export again.',
  ],
  UNSUPPORTED_FORMAT: [
    'Data or an export was written by another release, in a format that this one does not read.',
    'The message names the release to use.',
  ],
}

/** Codes of answers that no entry of `error-status.ts` has. */
export const answerErrors: Readonly<Record<string, ErrorText>> = {
  'REST-3000': [
    'The time limit that the request asked for with `GSQL-TIMEOUT` has passed.',
    'As for [QUERY_TIMEOUT](#query_timeout).',
  ],
  'REST-3001': [
    'The time limit in the parameter `timeout` has passed.',
    'As for [QUERY_TIMEOUT](#query_timeout).',
  ],
  'REST-5000': ['There is no license: this server needs none.', 'Nothing.'],
  'REST-10019': ['The token has expired.', 'Get a new one from `POST /gsql/v1/tokens`.'],
  'REST-14000': [
    'The header `Workload-Queue` names a queue (status 422). This server has no queues.',
    'Leave the header out.',
  ],
  'REST-30001': [
    'A parameter or a header has a value that is not allowed.',
    'The message names it; [the reference](rest.md) has its type.',
  ],
}

export const runErrors: Readonly<Record<string, ErrorText>> = {
  'GSQL-1001': ['A vertex parameter that was not given is needed.', 'Give it in the call.'],
  'GSQL-1002': [
    'An argument of a function, `LIMIT` or `OFFSET` is not valid, such as a negative one.',
    'Check the value before the call.',
  ],
  'GSQL-2010': [
    'A text is not JSON, or is nested too deeply.',
    'Check the text; the message says what was wanted.',
  ],
  'GSQL-2011': [
    'A member of a JSON value is absent or of another type.',
    'Check with `containsKey` first.',
  ],
  'GSQL-2500': ['Division by zero.', 'Guard the division with a condition.'],
  'GSQL-2501': [
    'A text is not a valid DATETIME.',
    '[Types and expressions](gsql/expressions.md) has the forms that are read.',
  ],
  'GSQL-2601': [
    'A text is not an integer, or an attribute that was named at run time has another type than is needed.',
    'The message names the text or the attribute.',
  ],
  'GSQL-2620': ['A position is outside of an array.', 'Compare it with the size of the array.'],
  'GSQL-2621': ['Arrays of different shapes cannot be added.', 'Give both the same lengths.'],
  'GSQL-3000': [
    'A name that was given at run time is no attribute there.',
    'Give the name of an attribute of the type.',
  ],
  'GSQL-4500': [
    'A name that was given at run time is no vertex type of the graph.',
    'Give the name of a vertex type.',
  ],
  'GSQL-4501': [
    'A name that was given at run time is no edge type of the graph.',
    'Give the name of an edge type.',
  ],
  'GSQL-4502': [
    'A vertex id is empty, does not exist, or is not valid for the type.',
    'Check the id and its type.',
  ],
  'GSQL-4523': [
    'An end of an edge to insert is unknown, or its type is needed.',
    'Name the type of the vertex with its id.',
  ],
  'GSQL-4525': [
    'No edge of this type goes between these vertex types.',
    'Compare the ends with the definition of the edge type.',
  ],
  'GSQL-5101': [
    'A file of a query cannot be written.',
    'Check the space and the owner of the directory for files of queries (`--query-files`).',
  ],
  'GSQL-5105': [
    'Access to a file is denied.',
    'Queries of a graph read and write inside its folder of `--query-files`; the user needs READ_FILE or WRITE_FILE.',
  ],
  'GSQL-5111': [
    'A file cannot be read.',
    'Check that it exists in the folder of the graph in `--query-files`.',
  ],
  'GSQL-6001': [
    'An attribute that is part of a key cannot be changed.',
    'Insert a vertex or edge with the new key, and delete the old one.',
  ],
  'GSQL-7004': [
    'A built-in function of an endpoint does not fit the type, or the type does not exist.',
    'The message names the function and the type.',
  ],
  'GSQL-8001': [
    'The query stopped for a reason that has no code of its own, such as a function that is not available.',
    'The message has the reason. If it names none, report it with the request id.',
  ],
  'GSQL-8002': [
    'Queries call each other too deeply.',
    'Replace the recursion by `WHILE`, or give it an end.',
  ],
  'GSQL-90000': [
    'Vectors of different lengths, or another failure of a function of vectors.',
    'The message has the lengths.',
  ],
}

export const compilerErrors: Readonly<
  Record<Exclude<DiagnosticCode, keyof typeof runErrors>, ErrorText>
> = {
  SYNTAX: [
    'The text cannot be read: it does not follow the grammar.',
    'The message names what was found and what was expected there.',
  ],
  'SEM-45': [
    'Unknown function or tuple type.',
    '[Functions](gsql/functions.md) lists those that are built in.',
  ],
  'SEM-50': [
    'Another alias than the selected one, or one that `PER` does not list.',
    'Select the alias, or name it in `PER`.',
  ],
  'SEM-9001': [
    'A name is not declared.',
    'Declare it before its first use; accumulators begin with `@` or `@@`.',
  ],
  'SEM-9002': ['A name is declared twice.', 'Rename one of them.'],
  'SEM-9003': [
    'The graph has no vertex type of this name.',
    'Compare with [the schema](gsql/schema.md).',
  ],
  'SEM-9004': [
    'The graph has no edge type of this name.',
    'Compare with [the schema](gsql/schema.md).',
  ],
  'SEM-9005': [
    'This part of the language is not available here.',
    'The message names what to use instead, where there is something.',
  ],
  'SEM-9006': [
    'A name, a clause or a value is used where it is not allowed.',
    'The message says what is allowed there; see [statements](gsql/statements.md).',
  ],
  'SEM-9007': [
    'A call has too few or too many arguments.',
    'Compare with the entry of [the function](gsql/functions.md).',
  ],
  'SEM-9008': ['Two aliases in one `POST-ACCUM`.', 'Write one `POST-ACCUM` for each alias.'],
  'SEM-9009': ['There is no graph of this name.', '`SHOW GRAPH *` lists the graphs.'],
  'SEM-9010': [
    '`OFFSET` needs `ORDER BY`.',
    'Add `ORDER BY`: without an order, pages would overlap.',
  ],
  'SEM-9011': ['A parameter cannot be assigned.', 'Copy it into a variable.'],
  'TYP-158': [
    'A type has no attribute of this name.',
    'Compare with the schema. With several types, each needs the attribute.',
  ],
  'TYP-5401': [
    'A query without `RETURNS` in an expression.',
    'Add `RETURNS` to its definition, or call it as a statement.',
  ],
  'TYP-8029': [
    'The pattern wants an undirected edge, and the type is directed.',
    'Write the direction: `-(Type>)-` or `-(<Type)-`.',
  ],
  'TYP-9001': [
    'A value has another type than is needed there.',
    'Convert it; see [types and expressions](gsql/expressions.md).',
  ],
  'TYP-9002': ['Two values of these types cannot be compared.', 'Convert one of them.'],
  'TYP-9003': [
    'The type has no such method.',
    'See [accumulators](gsql/accumulators.md) and [functions](gsql/functions.md).',
  ],
  'TYP-9004': [
    'A literal is not valid in its place.',
    'See [types and expressions](gsql/expressions.md).',
  ],
  'WARN-2': ['A pattern can never match.', 'Check the types and directions of its edges.'],
  'WARN-5': ['Real numbers are compared exactly.', 'Compare with a tolerance.'],
  'WARN-9001': ['openCypher: values of these types are never equal.', 'Convert one side.'],
  'WARN-9002': [
    'openCypher: two relationships of a `MATCH` may be one edge here, but not on other servers.',
    'See [openCypher](gsql/opencypher.md).',
  ],
  'WARN-9003': [
    "openCypher: a relationship's name is bound anew here, but not on other servers.",
    'See [openCypher](gsql/opencypher.md).',
  ],
  'WARN-9004': [
    'openCypher: a repeated relationship matches the shortest walks here, and all without a repeated edge on other servers.',
    'Count and collect distinct ends, or write a relationship for each hop; see [openCypher](gsql/opencypher.md).',
  ],
  'WARN-9005': [
    'openCypher: a clause reads what a clause before it has changed, as it was when the query began; on other servers it sees the change.',
    'Return the value that was written, or read it by a second query; see [openCypher](gsql/opencypher.md).',
  ],
}
