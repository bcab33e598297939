/**
 * What binding one query finds wrong. A failure in an expression is thrown as `BindFailure` and
 * reported where a statement, a clause or an operand ends (`attempt`, `each`), so that one mistake
 * gives one diagnostic and the next one is still seen.
 */
import type { Diagnostic, LineTable, Severity, SourceRange } from '#query/syntax/source.ts'
import type { Place } from './bound.ts'
import { type DiagnosticCode, diagnosticCodes } from './diagnostic-codes.ts'

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

  constructor(lines: LineTable, queryName: string) {
    this.#lines = lines
    this.#queryName = queryName
  }

  place(range: SourceRange): Place {
    return this.#lines.placeOf(range.start)
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
    const place = this.place(range)
    const endPlace = this.#lines.placeOf(range.end)
    const query = this.#queryName
    this.diagnostics.push({ code, severity, message, range, place, endPlace, query })
    if (this.diagnostics.length >= DIAGNOSTICS_MAX) throw new TooManyDiagnostics()
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
   * are parts of fails, without another word.
   */
  each<T>(binds: readonly (() => T)[]): T[] {
    if (this.#quiet) return binds.map((bind) => bind())
    const bound = binds.map((bind) => this.attempt(() => [bind()]))
    const complete = bound.flatMap((value) => value ?? [])
    if (complete.length < bound.length) throw silentFailure()
    return complete
  }

  both<L, R>(left: () => L, right: () => R): readonly [L, R] {
    const [first, second] = this.each<L | R>([left, right])
    return [first as L, second as R]
  }
}
