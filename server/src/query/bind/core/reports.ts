/**
 * What binding one query finds wrong. A failure in an expression is thrown as `BindFailure` and
 * reported where a statement, a clause or an operand ends (`attempt`, `each`), so that one mistake
 * gives one diagnostic and the next one is still seen.
 */

import type { Place } from '#query/ir/bound.ts'
import { type DiagnosticCode, diagnosticCodes } from '#query/ir/diagnostic-codes.ts'
import type { Diagnostic, LineTable, Severity, SourceRange } from '#query/syntax/source.ts'

export class BindFailure extends Error {
  readonly code: DiagnosticCode
  readonly range: SourceRange
  /** Follows from a problem that has been reported: said once is enough. */
  isSilent = false

  constructor(code: DiagnosticCode, range: SourceRange, message: string) {
    super(message)
    this.name = 'BindFailure'
    this.code = code
    this.range = range
  }
}

/** Of what has been reported. */
export function silentFailure(): BindFailure {
  const nowhere = { start: 0, end: 0 }
  const failure = new BindFailure(diagnosticCodes.undeclared, nowhere, 'declared with errors')
  failure.isSilent = true
  return failure
}

/** Diagnostics of one query; more would help nobody and cost time. */
export const DIAGNOSTICS_MAX = 100

/** Ends the binding of a query whose diagnostics are full. */
export class TooManyDiagnostics extends Error {}

export class Reports {
  readonly diagnostics: Diagnostic[] = []
  readonly #lines: LineTable
  readonly #queryName: string
  #quiet = false

  /** Names that the innermost `withUnknown` has met and no type has; null: there is none. */
  #unknown: BindFailure[] | null = null

  constructor(lines: LineTable, queryName: string) {
    this.#lines = lines
    this.#queryName = queryName
  }

  place(range: SourceRange): Place {
    return this.#lines.placeOf(range.start)
  }

  /**
   * Bound for a run, with values for the parameters that name types. The text has been checked
   * before: what is wrong now, the arguments cause, and the run fails where it is reached.
   */
  get isResolved(): boolean {
    return false
  }

  fail(code: DiagnosticCode, range: SourceRange, message: string): never {
    throw new BindFailure(code, range, message)
  }

  notSupported(range: SourceRange, what: string): never {
    this.fail(diagnosticCodes.notSupported, range, `not supported yet: ${what}`)
  }

  report(
    code: DiagnosticCode,
    range: SourceRange,
    message: string,
    severity: Severity = 'error',
  ): void {
    if (this.#quiet && severity === 'warning') return
    if (this.#isKnown(code, range, message)) return
    this.diagnostics.push(this.diagnosticOf({ code, severity, message, range }))
    if (this.diagnostics.length >= DIAGNOSTICS_MAX) throw new TooManyDiagnostics()
  }

  diagnosticOf(
    said: Pick<Diagnostic, 'code' | 'message' | 'range'> & { readonly severity?: Severity },
  ): Diagnostic {
    const { code, severity = 'error', message, range } = said
    const place = this.place(range)
    const endPlace = this.#lines.placeOf(range.end)
    return { code, severity, message, range, place, endPlace, query: this.#queryName }
  }

  /** What is bound more than once, an argument and its test for null, is wrong once. */
  #isKnown(code: DiagnosticCode, { start, end }: SourceRange, message: string): boolean {
    return this.diagnostics.some(
      (said) =>
        said.range.start === start &&
        said.range.end === end &&
        said.code === code &&
        said.message === message,
    )
  }

  warn(code: DiagnosticCode, range: SourceRange, message: string): void {
    this.report(code, range, message, 'warning')
  }

  /** Runs `bind`; a failure is reported and answered by null. */
  attempt<T>(bind: () => T): T | null {
    try {
      return bind()
    } catch (failure) {
      if (!(failure instanceof BindFailure)) throw failure
      if (!failure.isSilent) this.report(failure.code, failure.range, failure.message)
      return null
    }
  }

  /** Runs `bind` without reports of its own: its first mistake is thrown, its warnings are lost. */
  quietly<T>(bind: () => T): T {
    const outer = this.#quiet
    this.#quiet = true
    try {
      return bind()
    } finally {
      this.#quiet = outer
    }
  }

  /**
   * Runs each of `binds`, so that the mistakes of all are reported; when there is one, what they
   * are parts of fails, without another word. Bound for a run, the first mistake is thrown.
   */
  each<T>(binds: readonly (() => T)[]): T[] {
    if (this.#quiet || this.isResolved) return binds.map((bind) => bind())
    const bound = binds.map((bind) => this.attempt(() => [bind()]))
    const complete = bound.flatMap((value) => value ?? [])
    if (complete.length < bound.length) throw silentFailure()
    return complete
  }

  /** Runs `bind`, which goes on without the names that no type has; `unknown` is the first. */
  withUnknown<T>(bind: () => T): { readonly value: T; readonly unknown: BindFailure | null } {
    const outer = this.#unknown
    const own: BindFailure[] = []
    this.#unknown = own
    try {
      const value = bind()
      return { value, unknown: own[0] ?? null }
    } finally {
      this.#unknown = outer
    }
  }

  /** An argument names no type. @throws BindFailure outside of `withUnknown` */
  unknownName(code: DiagnosticCode, range: SourceRange, message: string): void {
    const failure = new BindFailure(code, range, message)
    if (this.#unknown === null) throw failure
    this.#unknown.push(failure)
  }

  both<L, R>(left: () => L, right: () => R): readonly [L, R] {
    const [first, second] = this.each<L | R>([left, right])
    return [first as L, second as R]
  }
}
