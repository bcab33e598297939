/** What the main thread and the compiler's thread send each other. */
import { MessageChannel, type MessagePort, receiveMessageOnPort } from 'node:worker_threads'
import type { Catalog } from '#catalog/types.ts'
import { DbError, type ErrorCode, isDbError } from '#kernel/errors.ts'
import type { CompilerAnswers, CompilerRequest } from './compile-text.ts'

export interface ToCompiler {
  readonly request: CompilerRequest
  /** Null: that of the request before. */
  readonly catalog: Catalog | null
}

export type FromCompiler =
  | { readonly kind: 'done'; readonly answer: CompilerAnswers[keyof CompilerAnswers] }
  | { readonly kind: 'failed'; readonly error: CompilerError }
  | TextRequest

/** The text of a stored query is needed; the thread waits for it. */
export interface TextRequest {
  readonly kind: 'text'
  readonly name: string
  readonly graph: string
  /** One word: 0 until the text is at the other end of `port`. */
  readonly signal: SharedArrayBuffer
  readonly port: MessagePort
}

export interface CompilerError {
  /** Null: a fault of this program. */
  readonly code: ErrorCode | null
  readonly message: string
  readonly details: Readonly<Record<string, unknown>>
}

export function plainError(error: unknown): CompilerError {
  if (isDbError(error)) return { code: error.code, message: error.message, details: error.details }
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return { code: null, message, details: {} }
}

export function errorOf({ code, message, details }: CompilerError): Error {
  return code === null ? new Error(message) : new DbError(code, message, { details })
}

/** On the compiler's thread: waits until the main thread has sent the text. */
export function requestText(
  post: (request: TextRequest) => void,
  name: string,
  graph: string,
): string | null {
  const { port1: own, port2: port } = new MessageChannel()
  const signal = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  post({ kind: 'text', name, graph, signal: signal.buffer, port })
  try {
    Atomics.wait(signal, 0, 0)
    const received = receiveMessageOnPort(own)
    return (received?.message as string | null | undefined) ?? null
  } finally {
    own.close()
  }
}

/** On the main thread. */
export function answerText({ signal, port }: TextRequest, text: string | null): void {
  port.postMessage(text)
  const words = new Int32Array(signal)
  Atomics.store(words, 0, 1)
  Atomics.notify(words, 0)
}
