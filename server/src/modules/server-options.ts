/** What a server is made of: `main.ts` gives it the machine, tests give it what they hold. */
import type { Logger } from 'pino'
import type { EngineOptions } from '#graph/engine-options.ts'
import type { HttpLimits } from '#http/app.ts'
import type { AuditSink } from '#services/auth/audit-log.ts'
import type { QueryLimits } from '#services/queries/query-limits.ts'
import type { ConsoleSettings } from '#services/system/console-settings.ts'
import type { LogTail } from '#services/system/log-tail.ts'
import type { MachineSample } from '#services/system/machine.ts'
import type { BuildInfo } from '#services/system/versions.ts'
import type { SharedLog } from '#storage/shared-store.ts'

type EngineParts = Pick<
  EngineOptions,
  | 'store'
  | 'clock'
  | 'scheduler'
  | 'memoryLimitBytes'
  | 'residentBytes'
  | 'collectGarbage'
  | 'onStartAgain'
>

export interface ServerOptions extends EngineParts {
  readonly logger: Logger
  /** Of new password hashes (N of scrypt); absent: what the day demands. */
  readonly passwordCost?: number
  /** Of the first user, as long as he has the initial one; null or absent: that one stays. */
  readonly firstPassword?: string | null
  readonly build: BuildInfo
  /** Where files named by requests may lie; null: nowhere, such requests are refused. */
  readonly dataDirectory: string | null
  /** The directory whose files loading jobs may read; null: none. */
  readonly filesDirectory: string | null
  /** Where queries read and write files, one folder for each graph; null: nowhere. */
  readonly queryFilesDirectory: string | null
  /** Where exports are written and imports are read; null: nowhere. */
  readonly exportsDirectory: string | null
  /** The built console; null: no console. */
  readonly consoleDirectory: string | null
  /** The built manual; absent or null: no manual. */
  readonly manualDirectory?: string | null
  /** Where the logger writes beside its output; absent: the log is not told. */
  readonly logTail?: LogTail
  /** What the console presets and locks; absent: nothing. */
  readonly consoleSettings?: ConsoleSettings
  /** Host names besides the loopback ones that this server answers to. */
  readonly hosts: readonly string[]
  /** Where rebuild summaries go when a request names no folder; null: nowhere. */
  readonly reportDirectory: string | null
  /** The log that other servers share; null or absent: the store is of this server alone. */
  readonly shared?: SharedLog | null
  /** How long a change waits until a writer is known; absent: the usual time. */
  readonly writeWaitMs?: number
  /** Reads older than this are refused; null: never; absent: the usual bound. */
  readonly maxStalenessMs?: number | null
  machine(dataDirectory: string | null): MachineSample
  /** Where the audit log goes beside memory; null or absent: nowhere. */
  readonly audit?: AuditSink | null
  readonly timers: Timers
  /** Limits of the HTTP layer that differ from the defaults. */
  readonly http?: HttpLimits
  /** PEM texts: HTTPS instead of HTTP; null or absent: HTTP. */
  readonly tls?: { readonly cert: string; readonly key: string } | null
  /** Threads that run queries. */
  readonly queryWorkerCount: number
  /** What requests may ask for; absent: the usual limits. */
  readonly queryLimits?: QueryLimits
  /** Numbers of a vector attribute from which on it has an index; absent: the usual limit. */
  readonly vectorIndexFromNumbers?: number
}

/** Each returns the function that cancels. */
export interface Timers {
  after(ms: number, call: () => void): () => void
  every(ms: number, call: () => void): () => void
}
