/**
 * Messages between the main thread and the threads of a store: one each way per request. A
 * `Uint8Array` named `bytes` at the top of a message is handed over, not copied, unless it is shared
 * memory, which never is.
 */
import type { ErrorCode } from '#kernel/errors.ts'

export interface Exchange<Input, Output> {
  readonly input: Input
  readonly output: Output
}

/** Names of requests with what goes in and comes out. */
export type Protocol<P> = { readonly [K in keyof P]: Exchange<unknown, unknown> }

export type Handlers<P extends Protocol<P>> = {
  readonly [K in keyof P]: (input: P[K]['input']) => P[K]['output'] | Promise<P[K]['output']>
}

export interface Request {
  readonly id: number
  readonly kind: string
  readonly input: unknown
}

export type Reply =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly failure: Failure }
  /** A failure after an answer, or of a request that could not be read. */
  | { readonly id: null; readonly isRequestLost: boolean; readonly failure: Failure }

/** An error as it crosses threads; without a code it is an assertion. */
export interface Failure {
  readonly code: ErrorCode | null
  readonly message: string
  readonly details: Readonly<Record<string, unknown>>
}

/** What of a message is handed over instead of copied. */
export function transferables(message: unknown): ArrayBuffer[] {
  if (typeof message !== 'object' || message === null || !('bytes' in message)) return []
  const { bytes } = message
  if (!(bytes instanceof Uint8Array) || !(bytes.buffer instanceof ArrayBuffer)) return []
  return bytes.byteLength === bytes.buffer.byteLength ? [bytes.buffer] : []
}
