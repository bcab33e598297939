/**
 * Receives request bodies: only for routes that exist, from callers that may use them, within the
 * limits of the route and the budget of the server.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { DOCUMENT_BYTES_MAX } from '#contract/documents.ts'
import type { BodyFormat, BodySize, Endpoint } from '#contract/endpoint.ts'
import {
  BODY_SIZE_BYTES_DEFAULT,
  BODY_SIZE_BYTES_MAX,
  JSON_SLICE_BODY_BYTES,
  PARAMETERS_SIZE_BYTES_MAX,
  SCRIPT_SIZE_BYTES_MAX,
  SMALL_BODY_SIZE_BYTES_MAX,
} from '#kernel/limits.ts'
import type { Principal } from '#services/auth/access.ts'
import { addressGroup } from '#services/auth/login-limit.ts'
import type { BodyBudget } from './body-budget.ts'
import { contentOf } from './body-content.ts'
import { BodyReader, DEFAULT_PROGRESS_MS } from './body-reader.ts'
import { clientAddress } from './client-address.ts'
import type { ErrorAnswer } from './envelope.ts'
import { parseJsonInSlices, valuesSizeBytes } from './json-slices.ts'

/** What stands before the body of a mounted endpoint. */
export interface BodyGate {
  readonly limitBytes: number
  /** Null: the route takes no body. */
  readonly format: BodyFormat | null
  /** @throws DbError where the caller may not use the route with these parameters */
  enter(request: FastifyRequest): Principal | null | Promise<Principal | null>
  /** The answer to a body that was refused. */
  failure(request: FastifyRequest, error: unknown): ErrorAnswer
}

declare module 'fastify' {
  interface FastifyContextConfig {
    body?: BodyGate
  }
}

const sizes: Readonly<Record<BodySize, number>> = {
  data: BODY_SIZE_BYTES_MAX,
  parameters: PARAMETERS_SIZE_BYTES_MAX,
  script: SCRIPT_SIZE_BYTES_MAX,
  document: DOCUMENT_BYTES_MAX,
  default: BODY_SIZE_BYTES_DEFAULT,
}

export function bodyLimitBytes({ body, bodySize = 'default', privilege }: Endpoint): number {
  if (body === undefined || privilege === 'PUBLIC') return SMALL_BODY_SIZE_BYTES_MAX
  return sizes[bodySize]
}

export interface ReceiveOptions {
  readonly budget: BodyBudget
  readonly progressMs?: number | undefined
}

export function receiveBodies(app: FastifyInstance, options: ReceiveOptions): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (request: FastifyRequest) => receive(request, options))
  // Without a listener Node invites every body before anybody has looked at its request.
  app.server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    invitations.set(request, () => response.writeContinue())
    app.server.emit('request', request, response)
  })
}

const nothing = () => undefined

/** Takes the release of a body from the state of its request: it waits for whoever holds the body. */
export function releaserOf(state: FastifyRequest['state']): () => void {
  const { releaseBody } = state
  state.releaseBody = null
  if (releaseBody === null) return nothing
  return () => {
    if (state.bodyUse === null) releaseBody()
    else state.bodyUse.then(releaseBody, releaseBody)
  }
}

/** Of clients that wait for `100 Continue`. */
const invitations = new WeakMap<IncomingMessage, () => void>()

async function receive(request: FastifyRequest, options: ReceiveOptions): Promise<unknown> {
  const gate = request.routeOptions.config.body
  // Files of the console take no body: Node discards one when the answer is sent.
  if (gate === undefined) return undefined
  const principal = await gate.enter(request)
  const declared = declaredBytes(request)
  const reader = new BodyReader({
    budget: options.budget,
    owner: {
      user: principal?.name ?? null,
      address: addressGroup(clientAddress(request)),
      isSmall: declared !== null && declared <= SMALL_BODY_SIZE_BYTES_MAX,
    },
    limitBytes: gate.limitBytes,
    declaredBytes: declared,
    progressMs: options.progressMs ?? DEFAULT_PROGRESS_MS,
  })
  request.state.releaseBody = () => reader.release()
  invitations.get(request.raw)?.()
  const body = await reader.read(request.raw)
  if (gate.format === null || contentOf(gate.format, body) !== 'json') return body
  await weigh(body, reader)
  if (body.length > JSON_SLICE_BODY_BYTES) {
    request.state.json = { value: await parseJsonInSlices(body) }
  }
  return body
}

/**
 * Parsed values take more memory than their text: a list of empty objects twenty times as much. Every
 * body that may be parsed is weighed, whatever it begins with.
 */
async function weigh(body: Buffer, reader: BodyReader): Promise<void> {
  try {
    reader.reserveMore(await valuesSizeBytes(body))
  } catch (error) {
    reader.release()
    throw error
  }
}

/** Node has checked its form. */
function declaredBytes({ headers }: FastifyRequest): number | null {
  const length = headers['content-length']
  return length === undefined || headers['transfer-encoding'] !== undefined ? null : Number(length)
}
