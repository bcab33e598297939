/** What a script run knows and changes, and what its commands share. */
import type { Privilege } from '#contract/privileges.ts'
import { DbError } from '#kernel/errors.ts'
import type { Principal } from '../auth/access.ts'
import type { AuditEvent } from '../auth/audit-log.ts'
import type { RunCall } from '../queries/run-service.ts'

export interface ScriptCall extends Omit<RunCall, 'source'> {
  readonly principal: Principal
  /** @throws DbError FORBIDDEN */
  require(privilege: Privilege, graph: string | null): void
  /** Told of commands that change what the server is, and of those refused. */
  audit?(event: Pick<AuditEvent, 'action' | 'graph' | 'target' | 'outcome'>): void
  /** Aborted when the client goes away, and by a cancel. */
  readonly signal: AbortSignal
}

export class Session {
  readonly call: ScriptCall
  /** The working graph; null: the global scope. */
  graph: string | null
  exitOnError = true
  readonly settings = new Map<string, string>()
  readonly #lines: string[] = []

  /** The only graph there is, where no working graph was chosen. */
  readonly #onlyGraph: () => string | null

  constructor(call: ScriptCall, graph: string | null, onlyGraph: () => string | null) {
    this.call = call
    this.graph = graph
    this.#onlyGraph = onlyGraph
  }

  print(...lines: readonly string[]): void {
    this.#lines.push(...lines)
  }

  get text(): string {
    return this.#lines.length === 0 ? '' : `${this.#lines.join('\n')}\n`
  }

  get onlyGraph(): string | null {
    return this.#onlyGraph()
  }

  /** @throws DbError INVALID_PARAMETER without a working graph, unless there is only one */
  requireGraph(): string {
    const graph = this.graph ?? this.#onlyGraph()
    if (graph !== null) return graph
    throw new DbError('INVALID_PARAMETER', 'Semantic Check Fails: no graph is in use: USE GRAPH g.')
  }
}
