/** What a script run knows and changes, and what its commands share. */
import type { Privilege } from '#contract/privileges.ts'
import { DbError } from '#kernel/errors.ts'
import { SCRIPT_OUTPUT_PIECE_SIZE_CHARS, SCRIPT_OUTPUT_SIZE_CHARS_MAX } from '#kernel/limits.ts'
import type { Principal } from '../auth/access.ts'
import type { AuditEvent } from '../auth/audit-log.ts'
import type { RunCall } from '../queries/run-call.ts'

export interface ScriptCall extends Omit<RunCall, 'source'> {
  readonly principal: Principal
  /** What queries are called under: `http://127.0.0.1:14240`. */
  readonly origin: string
  /** @throws DbError FORBIDDEN */
  require(privilege: Privilege, graph: string | null): void
  /** Told of commands that change what the server is, and of those refused. */
  audit?(event: Pick<AuditEvent, 'action' | 'graph' | 'target' | 'outcome'>): void
  /** For a run that goes on behind the script. */
  newRequestId(): string
  /** Aborted when the client goes away, and by a cancel. */
  readonly signal: AbortSignal
}

export class Session {
  readonly call: ScriptCall
  /** The working graph; null: the global scope. */
  graph: string | null
  exitOnError = true
  readonly settings = new Map<string, string>()
  /** Whole lines: no text of all that was printed is ever made. */
  readonly #pieces: Uint8Array[] = []
  #lines: string[] = []
  #sizeChars = 0
  #packedChars = 0
  #hasEnded = false

  /** The only graph there is, where no working graph was chosen. */
  readonly #onlyGraph: () => string | null

  constructor(call: ScriptCall, graph: string | null, onlyGraph: () => string | null) {
    this.call = call
    this.graph = graph
    this.#onlyGraph = onlyGraph
  }

  /** What no longer fits is dropped; `isFull` says so. */
  print(...lines: readonly string[]): void {
    for (const line of lines) {
      this.#sizeChars += line.length + 1
      if (this.isFull) return
      this.#lines.push(line)
    }
    if (this.#sizeChars - this.#packedChars >= SCRIPT_OUTPUT_PIECE_SIZE_CHARS) this.#pack()
  }

  #pack(): void {
    if (this.#lines.length > 0) this.#pieces.push(Buffer.from(`${this.#lines.join('\n')}\n`))
    this.#lines = []
    this.#packedChars = this.#sizeChars
  }

  /** How much was printed. */
  get sizeChars(): number {
    return this.#sizeChars
  }

  /** It has printed more than a script may. */
  get isFull(): boolean {
    return this.#sizeChars > SCRIPT_OUTPUT_SIZE_CHARS_MAX
  }

  /** The last line of a script that has printed too much. */
  end(line: string): void {
    if (this.#hasEnded) return
    this.#hasEnded = true
    this.#lines.push(line)
  }

  /** What was printed, as UTF-8; the pieces follow each other. */
  get output(): readonly Uint8Array[] {
    this.#pack()
    return this.#pieces
  }

  get onlyGraph(): string | null {
    return this.#onlyGraph()
  }

  /** How its queries are called: `SET query_timeout` counts in milliseconds, 0 for none of its own. */
  get queryCall(): RunCall {
    const timeoutMs = Number(this.settings.get('query_timeout') ?? 0) || this.call.timeoutMs
    return { ...this.call, timeoutMs, source: { url: {}, body: null } }
  }

  /** @throws DbError INVALID_PARAMETER for a value that the parameter cannot have */
  set(name: string, value: string): void {
    const known = name.toLowerCase()
    if (known === 'query_timeout' && !/^\d{1,12}$/.test(value)) {
      const text = `Semantic Check Fails: query_timeout is a number of milliseconds, not '${value}'.`
      throw new DbError('INVALID_PARAMETER', text)
    }
    this.settings.set(known, value)
    if (known === 'exit_on_error') this.exitOnError = value.toLowerCase() !== 'false'
  }

  /** @throws DbError INVALID_PARAMETER without a working graph, unless there is only one */
  requireGraph(): string {
    const graph = this.graph ?? this.#onlyGraph()
    if (graph !== null) return graph
    throw new DbError('INVALID_PARAMETER', 'Semantic Check Fails: no graph is in use: USE GRAPH g.')
  }
}
