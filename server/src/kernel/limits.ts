/**
 * Every queue, batch, recursion, row count and request size has its limit here, with its unit at
 * the end of its name. Each has a test at the limit and one past it.
 */

/** Longest external id, in UTF-8 bytes. */
export const ID_SIZE_BYTES_MAX = 2_560
/** Longest graph, type, attribute, index or query name, in UTF-8 bytes. */
export const NAME_SIZE_BYTES_MAX = 256
/** Most numbers of a vector attribute. */
/** Of a type or an attribute: what people say of it. */
export const DESCRIPTION_SIZE_CHARS_MAX = 2_000
export const VECTOR_DIMENSION_MAX = 32_768
/** Numbers of a vector attribute, over all vertices, from which on it gets an HNSW index. */
export const VECTOR_INDEX_FROM_NUMBERS = 4_000_000
/** Candidates that a search of an HNSW index holds at most. */
export const VECTOR_SEARCH_WIDTH_MAX = 16_384
/** Largest request body, in bytes. */
export const BODY_SIZE_BYTES_MAX = 200 * 1024 * 1024
/** Body with the text of statements or of queries to create. */
export const SCRIPT_SIZE_BYTES_MAX = 4 * 1024 * 1024
/** Body with the parameters of a query, or a list of ids. */
export const PARAMETERS_SIZE_BYTES_MAX = 32 * 1024 * 1024
/** JSON bodies up to this size are parsed at once, in a few milliseconds. */
export const JSON_SLICE_BODY_BYTES = 256 * 1024
/** Any other JSON body of a known caller. */
export const BODY_SIZE_BYTES_DEFAULT = 4 * 1024 * 1024
/** Body of a route that anybody may call, or that takes none. */
export const SMALL_BODY_SIZE_BYTES_MAX = 64 * 1024
/** All bodies in flight together, at the least: one of the largest size. */
export const BODIES_SIZE_BYTES_MIN = BODY_SIZE_BYTES_MAX
/** All bodies in flight of known callers that are no larger than SMALL_BODY_SIZE_BYTES_MAX. */
export const SMALL_BODIES_SIZE_BYTES_MAX = 64 * 1024 * 1024
/** What JSON bodies reserve for each of their values, which take more memory than their text. */
export const JSON_VALUE_SIZE_BYTES = 40
/**
 * Values of a JSON body that is read at once by the shape of its route: every comma, colon and opening
 * bracket counts as one. Reading 100,000 takes some 20 ms.
 */
export const JSON_VALUES_MAX = 100_000
/** The same where a body is a list of ids: each takes some five. */
export const JSON_ID_VALUES_MAX = 250_000
/** Members of one object of a JSON body above JSON_SLICE_BODY_BYTES: a larger table grows too slowly. */
export const JSON_OBJECT_MEMBERS_MAX = 250_000
/** All bodies in flight of callers that are not known. */
export const UNKNOWN_BODIES_SIZE_BYTES_MAX = 8 * 1024 * 1024
/** What is read and discarded of a body after its request was refused. */
export const DISCARDED_BODY_BYTES_MAX = 32 * 1024 * 1024
/** Slowest rate of a body, in bytes per second, and how often it is checked. */
export const BODY_RATE_BYTES_MIN = 16 * 1024
export const BODY_PROGRESS_MS = 10_000
/** Request line and headers of one request: sets of ids are parameters of GET, too. */
export const HEAD_SIZE_BYTES_MAX = 1024 * 1024
/** Names of parameters in one query string, and its `%` that begin no escape; elements of a set may have names of their own (`ids[7]`). */
export const QUERY_NAMES_MAX = 20_000
/** Request heads that are not whole yet, together. */
export const HEADS_SIZE_BYTES_MAX = 64 * 1024 * 1024
/** How long the request line and the headers may take, in milliseconds. */
export const HEADERS_TIMEOUT_MS = 15_000
/** Files of the audit log with the one that is written, and their size, unless options say otherwise. */
export const AUDIT_FILE_COUNT = 5
export const AUDIT_FILE_SIZE_BYTES = 10 * 1024 * 1024
/** Of each of the newest two, what is read at the start: its entries can be listed. */
export const AUDIT_READ_SIZE_BYTES_MAX = 16 * 1024 * 1024
/** A form as a body, and its fields. */
export const FORM_SIZE_BYTES_MAX = 64 * 1024
export const FORM_FIELDS_MAX = 1_000
/** Connections that are open at once, unless an option says otherwise. */
export const CONNECTION_COUNT_MAX = 2_000
/** Share of them that one address may have, unless an option says otherwise. */
export const CONNECTIONS_PER_ADDRESS_SHARE = 0.25
/** How long a client may take nothing of its answer before its connection may be closed for a new one. */
export const STALLED_ANSWER_MS = 10_000
/** How long the handshake of TLS may take, in milliseconds. */
export const HANDSHAKE_TIMEOUT_MS = 10_000
/** When a client may retry what was refused for lack of room. */
export const RETRY_AFTER_SECONDS = 1
/** Secrets of one user; beyond it the generated one that was used longest ago gives way. */
export const SECRETS_PER_USER_MAX = 10_000
/** Tokens of one user that are listed; older ones are revoked together with all others only. */
export const TOKENS_LISTED_PER_USER_MAX = 10_000
/** Tokens of one user that are refused and have not expired; beyond it none is made. */
export const TOKENS_REFUSED_PER_USER_MAX = 10_000
/** Sessions of one user; beyond it the oldest ends. */
export const SESSIONS_PER_USER_MAX = 200
/** Password hashes that wait: for callers that are known where they come from, and for others. */
export const KNOWN_HASH_QUEUE_LENGTH_MAX = 64
export const HASH_QUEUE_LENGTH_MAX = 8
/** Longest text of a whole number, leading zeros included: reading takes more than linear time. */
export const INTEGER_SIZE_CHARS_MAX = 1_000
/** Changes of one user's password that wait or run. */
export const PASSWORD_CHANGES_PER_USER_MAX = 4
/** Deepest nesting of a JSON body. */
export const JSON_DEPTH_MAX = 64
/** Deepest nesting of a JSON value of a query: what clients can read of an answer. */
export const JSON_VALUE_DEPTH_MAX = 500
/** Largest answer without a `RESPONSE-LIMIT` header, in bytes. */
export const RESPONSE_SIZE_BYTES_DEFAULT = 32 * 1024 * 1024
/** What that header may ask for, unless an option says otherwise. */
export const RESPONSE_SIZE_BYTES_MAX_DEFAULT = 256 * 1024 * 1024
/** Answers that are made and not sent yet, together, from which on large reads wait. */
export const ANSWERS_SIZE_BYTES_MAX = 256 * 1024 * 1024
/** Reads with large answers that are made at once. */
export const LARGE_READS_MAX = 8
/** Reads of one user that have begun and wait to go on. */
export const LARGE_READS_WAITING_MAX = 32
/** Answers beyond it are sent in slices of this size. */
export const ANSWER_SLICE_SIZE_BYTES = 256 * 1024
/** Answers from this size on are compressed for clients that accept it, so many at once. */
export const COMPRESSED_ANSWER_BYTES_MIN = 2 * 1024
export const ANSWERS_COMPRESSED_MAX = 4
/** What a decoder of a compressed body may remember: the largest window of Brotli. */
export const UNPACKING_WINDOW_BYTES_MAX = 16 * 1024 * 1024
/** Secrets of a user that lists of users show. */
export const SECRETS_SHOWN_MAX = 100
/** All attributes of one vertex or edge together, in bytes. */
export const ATTRIBUTES_SIZE_BYTES_MAX = 10 * 1024 * 1024
/** Longest `select`, `filter` and `sort` text, in characters. */
export const FILTER_SIZE_CHARS_MAX = 2_560
/** All texts that one query gives to `evaluate`, those inside each other too, in characters. */
export const EVALUATE_SIZE_CHARS_MAX = 100_000
/** Heap of a query worker, in bytes; between them it follows from the memory limit. */
export const QUERY_HEAP_BYTES_MIN = 256 * 1024 * 1024
export const QUERY_HEAP_BYTES_MAX = 1024 * 1024 * 1024
/** What a query writes to a file is written in chunks of this size, in bytes. */
export const QUERY_FILE_CHUNK_BYTES = 1024 * 1024
/** Files that one query writes. */
export const QUERY_FILES_COUNT_MAX = 1_000
/** All that one query writes to files, in bytes. */
export const QUERY_FILES_SIZE_BYTES_MAX = 2 * 1024 * 1024 * 1024
/** Runs that wait for a worker: of all users, and of one. */
export const QUEUED_RUNS_MAX = 10_000
export const QUEUED_RUNS_PER_USER_MAX = 1_000
/** Query time limit without a header or parameter, in milliseconds. */
export const QUERY_TIMEOUT_MS_DEFAULT = 16_000
/** What a request may ask for, unless an option says otherwise, in milliseconds. */
export const QUERY_TIMEOUT_MS_MAX_DEFAULT = 3_600_000
/** Threads for queries that an option may ask for. */
export const QUERY_WORKERS_MAX = 256
/** What a timer can wait: 24 days. Longer ones would be over at once. */
export const QUERY_TIMEOUT_MS_MAX = 2 ** 31 - 1
/** A run that takes so long, waiting included, is told by the log of slow runs, in milliseconds. */
export const SLOW_RUN_MS_MIN = 100
/** The newest are kept, of all graphs together. */
export const SLOW_RUNS_KEPT_MAX = 200
/** Plans that wait to be made for that log; further runs are listed without one. */
export const SLOW_PLANS_WAITING_MAX = 16
/** A plan is used again for runs of its text that end within so many milliseconds after it was made. */
export const SLOW_PLAN_REUSE_MS = 10_000
/** What the log keeps of a text, and of parameters, in characters. */
export const SLOW_RUN_TEXT_CHARS_MAX = 20_000
/** Answers of server-sent events that are open at once: of all, of one address, of one user. */
export const EVENT_STREAMS_MAX = 256
export const EVENT_STREAMS_PER_ADDRESS_MAX = 64
export const EVENT_STREAMS_PER_USER_MAX = 16
/** Rows whose values a histogram is made of; of more rows, each so-and-so-many-th. */
export const HISTOGRAM_ROWS_READ_MAX = 65_536
/** Of a longer text a histogram takes the beginning. */
export const HISTOGRAM_VALUE_CHARS_MAX = 100
/** What a query worker keeps of packed edges between its runs (docs/decisions/0039). */
export const PACKINGS_KEPT_BYTES_MAX = 128 * 1024 * 1024
/** Rows a page of a column holds: the unit of copy-on-write under a pinned version. */
export const PAGE_ROWS = 1_024
/** Longest time one slice of a large body may hold the event loop, in milliseconds. */
export const APPLY_SLICE_MS_MAX = 5
/** A longer value of an attribute is written in pieces of this size, in bytes. */
export const VALUE_PIECE_BYTES = 512 * 1024
/** Batches up to this size are applied at once: some milliseconds at most, and no version is held, in bytes. */
export const SINGLE_SLICE_BYTES = 128 * 1024
/** Bodies up to this size are parsed and applied in one slice, in bytes. */
export const APPLY_SLICE_BODY_BYTES = 1024 * 1024
/** A longer object of an upsert is read on another thread: an object is read in one go, in bytes. */
export const UPSERT_OBJECT_SIZE_BYTES_MAX = 128 * 1024
/** Largest single blob of a segment, in bytes: one transaction each. */
export const SEGMENT_BLOB_SIZE_BYTES_MAX = 4 * 1024 * 1024
/** Largest commit-log frame, in bytes. */
export const FRAME_SIZE_BYTES_MAX = 256 * 1024 * 1024
/** Frames that share one transaction of the commit log, in bytes; a larger frame goes alone. */
export const LOG_GROUP_SIZE_BYTES_MAX = 4 * 1024 * 1024
/** Log frames handed from the storage thread at once during replay, in bytes; a larger one alone. */
export const LOG_READ_SIZE_BYTES = 4 * 1024 * 1024
/** Folded log frames, or superseded segment bytes, deleted in one transaction. */
export const STORE_DELETE_SIZE_BYTES_MAX = 4 * 1024 * 1024
/** Free pages the commit log keeps for the commits to come, in bytes. */
export const LOG_FREE_SIZE_BYTES_MAX = 4 * 1024 * 1024
/** Log bytes that commits may add while the store gives space back, before it stops. */
export const STORE_SHRINK_COMMIT_SIZE_BYTES_MAX = 64 * 1024
/** How long the threads of a store have to end their work when it is closed, and to end themselves. */
export const STORE_CLOSE_MS_MAX = 5_000
export const STORE_TERMINATE_MS_MAX = 2_000
/** Largest stored document, in bytes. */
export const DOCUMENT_SIZE_BYTES_MAX = 64 * 1024 * 1024
/** Vertex rows of one segment, the unit of `segid` in rebuilds and checks; a power of two. */
export const SEGMENT_ROWS = 65_536
/** Share of edges in the delta from which a background rebuild is due. */
export const REBUILD_DELTA_SHARE = 0.05
/** Delta edges, or dead vertices, below which no rebuild is due by their share. */
export const REBUILD_DELTA_COUNT_MIN = 10_000
/** Edges and vertices up to which merging takes less time than starting a worker. */
export const REBUILD_INLINE_SIZE_MAX = 20_000
/** Unfolded log from which a rebuild starts by itself, in bytes; a tail of 256 MB replays in 10 s. */
export const REBUILD_LOG_BYTES_MIN = 64 * 1024 * 1024
export const REBUILD_LOG_BYTES_MAX = 192 * 1024 * 1024
/** Commits with a key whose outcomes are known, and names of vertices in all of these together. */
export const RECENT_KEYS_MAX = 65_536
export const RECENT_KEY_NAMES_MAX = 500_000
/** Commits between two checksums of the graph that several servers compare. */
export const DIGEST_INTERVAL_COMMITS = 1_024
/** Lines of one load that are kept with why they did not fit, and what is kept of each. */
export const LOAD_ERRORS_KEPT_MAX = 100
export const LOAD_ERROR_LINE_CHARS_MAX = 200
/** Longest line of a load, and longest text that a token function makes, in UTF-16 units. */
export const LOAD_TEXT_CHARS_MAX = 10 * 1024 * 1024
/** What all token functions of one line make together, in UTF-16 units. */
export const LOAD_LINE_CHARS_MADE_MAX = 4 * LOAD_TEXT_CHARS_MAX
/** Items of a list, a set or a map that one line gives, and tokens of a line. */
export const LOAD_LIST_ITEMS_MAX = 1_000_000
/** Values of a JSON array or object that a loading job reads as one column. */
export const LOAD_JSON_VALUES_MAX = 200_000
/** Heap of a thread for loading, in bytes; between them it follows from the memory limit. */
export const LOAD_HEAP_BYTES_MIN = 256 * 1024 * 1024
export const LOAD_HEAP_BYTES_MAX = 512 * 1024 * 1024
/** Longest time that one line of a load may take, in milliseconds. */
export const LOAD_LINE_MS_MAX = 20_000
/** Length of a text times that of what is looked for in it: about a second. */
export const LOAD_SEARCH_STEPS_MAX = 2 ** 30
/** Loading jobs that run at the same time: each has a thread, and holds a file open. */
export const LOAD_RUNS_UNDER_WAY_MAX = 4
/** Loading jobs that wait for one of those to end; more are refused. */
export const LOAD_RUNS_WAITING_MAX = 10_000
/** Runs of loading jobs that are listed, and how long they are, in milliseconds. */
export const LOAD_RUNS_KEPT_MAX = 1_000
export const LOAD_RUN_KEPT_MS_MAX = 30 * 24 * 60 * 60 * 1_000
/** How often an import notes how far it is, in milliseconds. */
export const IMPORT_SAVE_EVERY_MS = 2_000
/** How often the record of a run under way is written, in milliseconds. */
export const LOAD_RUN_SAVE_EVERY_MS = 1_000
/** Scripts that nobody waits for: how many are listed, how long, and how much of their text. */
export const DETACHED_SCRIPTS_KEPT_MAX = 1_000
export const DETACHED_SCRIPTS_KEPT_PER_USER_MAX = 200
export const DETACHED_SCRIPT_KEPT_MS_MAX = 7 * 24 * 60 * 60 * 1_000
export const DETACHED_SCRIPT_TEXT_CHARS_MAX = 256 * 1024
/** Of those, scripts that have not ended: of all users, and of one. */
export const DETACHED_SCRIPTS_RUNNING_MAX = 256
export const DETACHED_SCRIPTS_RUNNING_PER_USER_MAX = 32
/** How long the answer of a detached run is kept after its end, in milliseconds. */
export const DETACHED_RESULT_AGE_MS_MAX = 3_600_000
/** Finished detached runs that are kept: of all users, and of one. */
export const DETACHED_RUNS_KEPT_MAX = 10_000
export const DETACHED_RUNS_KEPT_PER_USER_MAX = 1_000
/** All answers of detached runs together, unless an option says otherwise, in bytes. */
export const DETACHED_RESULTS_SIZE_BYTES_DEFAULT = 256 * 1024 * 1024
/** Bits of a bitwise accumulator. */
export const BITWISE_LENGTH_BITS_MAX = 65_536
/** Longest GSQL text of a query, in UTF-16 units. */
export const QUERY_TEXT_SIZE_CHARS_MAX = 1024 * 1024
/** Longest GSQL script, in UTF-16 units. */
export const SCRIPT_SIZE_CHARS_MAX = 4 * 1024 * 1024
/** The same for a user who has no role: most commands would be refused anyway. */
export const SCRIPT_SIZE_CHARS_MAX_WITHOUT_ROLE = 64 * 1024
/** Longest command of a script, in UTF-16 units; texts of queries have their own limit. */
export const SCRIPT_COMMAND_SIZE_CHARS_MAX = 256 * 1024
/** Commands of one script. */
export const SCRIPT_COMMANDS_MAX = 100_000
/** Text that one script may print, in UTF-16 units; below RESPONSE_SIZE_BYTES_DEFAULT. */
export const SCRIPT_OUTPUT_SIZE_CHARS_MAX = 31 * 1024 * 1024
/** What a script has printed becomes bytes in pieces of this size. */
export const SCRIPT_OUTPUT_PIECE_SIZE_CHARS = 256 * 1024
/** Texts up to this size are bound on the event loop, in UTF-16 units; larger ones on a thread. */
export const COMPILE_INLINE_SIZE_CHARS_MAX = 4 * 1024
/** The same for texts that are only read, such as scripts. */
export const PARSE_INLINE_SIZE_CHARS_MAX = 16 * 1024
/** Longest time the compiler spends on one text, in milliseconds. */
export const COMPILE_TIME_MS_MAX = 30_000
/** Heap of the compiler's thread, in megabytes. */
export const COMPILE_HEAP_MB_MAX = 1_024
/** Texts that wait for the compiler's thread; more are refused. */
export const COMPILE_QUEUE_LENGTH_MAX = 1_000
/** The share of one user. */
export const COMPILE_QUEUE_PER_USER_MAX = 250
/** Compiled texts that stay in memory, specialisations of one text included. */
export const COMPILED_CACHE_TEXTS_MAX = 2_000
/** Their size with their plans, in bytes. */
export const COMPILED_CACHE_SIZE_BYTES_MAX = 256 * 1024 * 1024
/** Longest definition of an accumulator type (TYPEDEF), in UTF-16 units. */
export const ACCUM_TYPEDEF_SIZE_CHARS_MAX = 4 * 1024

/**
 * How long requests in flight may take once the server closes; then their connections are cut, which
 * leaves time for the rest of a stop.
 */
export const CLOSE_GRACE_MS = 3_000

/**
 * A stop takes at most so long, whatever hangs. The system then takes some seconds for the memory of a
 * large process.
 */
export const STOP_MS_MAX = 6_000
/** How long a writer that stops may take to hand over, as the first step. */
export const HAND_OVER_MS_MAX = 2_000
/** How long what waits for a shared store may take behind that; then the store is given up. */
export const STOP_STORE_MS_MAX = 2_000
/** How much later a thread ends the process whose main thread does not keep to that. */
export const STOP_WATCH_MS = 1_500

/**
 * Young objects of a thread, in MiB. Without a limit the space of young objects grows with the load
 * and is not given back: up to 70 MiB for a thread that needs 10 (docs/operations/soak.md).
 */
export const QUERY_YOUNG_HEAP_MB_MAX = 32
/** As above, of threads that compile, load and transfer. */
export const YOUNG_HEAP_MB_MAX = 16
