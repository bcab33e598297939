/** A storage thread's end: requests in, answers out. The first request makes what answers them. */
import type { MessagePort } from 'node:worker_threads'
import { assert } from '#kernel/assert.ts'
import { DbError, isDbError } from '#kernel/errors.ts'
import { packViews, unpackViews } from '#kernel/shared-views.ts'
import { type Failure, type Reply, type Request, transferables } from './messages.ts'

export interface Service {
  readonly handlers: Readonly<Record<string, (input: never) => unknown>>
  /** Runs when an answer is out. */
  readonly afterReply?: () => void
}

export function serveRequests(port: MessagePort, create: () => Service): void {
  let service: Service | null = null

  port.on('message', (request: Request) => {
    const value = answer(request)
    if (value instanceof Promise) {
      value.then(reply, (error) => reply({ id: request.id, failure: describe(error) }))
      return
    }
    reply(value)
    runAfterReply()
  })
  port.on('messageerror', (error) => {
    const failure = describe(error)
    const message = `a request to a storage thread could not be read: ${failure.message}`
    reply({ id: null, isRequestLost: true, failure: { ...failure, message } })
  })

  function answer(request: Request): Reply | Promise<Reply> {
    const { id } = request
    try {
      const { kind, input } = unpackViews(request)
      service ??= create()
      const handler = service.handlers[kind]
      assert(handler !== undefined, `a storage thread knows the request ${kind}`)
      const value = handler(input as never)
      return value instanceof Promise
        ? value.then((result) => ({ id, value: result }))
        : { id, value }
    } catch (error) {
      return { id, failure: describe(error) }
    }
  }

  /** An answer that cannot be sent, for want of memory, is answered by that. */
  function reply(message: Reply): void {
    try {
      port.postMessage(packViews(message), 'value' in message ? transferables(message.value) : [])
    } catch (error) {
      if (!('value' in message)) throw error
      const failure = describe(new DbError('STORE_FAILED', `an answer could not be sent: ${error}`))
      port.postMessage({ id: message.id, failure })
    }
  }

  function runAfterReply(): void {
    try {
      service?.afterReply?.()
    } catch (error) {
      reply({ id: null, isRequestLost: false, failure: describe(error) })
    }
  }
}

function describe(error: unknown): Failure {
  if (isDbError(error)) {
    return { code: error.code, message: error.message, details: error.details }
  }
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return { code: null, message, details: {} }
}
