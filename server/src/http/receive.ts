/**
 * Receives request bodies: only for routes that exist, from callers that may use them, within the
 * limits of the route and the budget of the server.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { DOCUMENT_BYTES_MAX } from '#contract/documents.ts'
import type { BodyFormat, BodySize, Endpoint } from '#contract/endpoint.ts'
import { DbError } from '#kernel/errors.ts'
import {
  BODY_SIZE_BYTES_DEFAULT,
  BODY_SIZE_BYTES_MAX,
  JSON_ID_VALUES_MAX,
  JSON_SLICE_BODY_BYTES,
  JSON_VALUES_MAX,
  PARAMETERS_SIZE_BYTES_MAX,
  SCRIPT_SIZE_BYTES_MAX,
  SMALL_BODY_SIZE_BYTES_MAX,
} from '#kernel/limits.ts'
import type { Principal } from '#services/auth/access.ts'
import { addressGroup } from '#services/auth/login-limit.ts'
import type { BodyBudget } from './body-budget.ts'
import { contentOf } from './body-content.ts'
import { BodyReader, bodyTooLarge, DEFAULT_PROGRESS_MS } from './body-reader.ts'
import { clientAddress } from './client-address.ts'
import { bodyCodingOf } from './content-coding.ts'
import type { ErrorAnswer } from './envelope.ts'
import { memoryEstimateOf, parseJsonInSlices } from './json-slices.ts'
import { readPacked } from './packed-body.ts'

/** What stands before the body of a mounted endpoint. */
export interface BodyGate {
  readonly limitBytes: number
  /** Values that JSON may hold. */
  readonly valuesMax: number
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

interface SizeLimits {
  readonly bytes: number
  /** Of JSON; those of other routes are limited by the budget alone. */
  readonly values?: number
}

const limits: Readonly<Record<BodySize, SizeLimits>> = {
  data: { bytes: BODY_SIZE_BYTES_MAX },
  parameters: { bytes: PARAMETERS_SIZE_BYTES_MAX },
  ids: { bytes: PARAMETERS_SIZE_BYTES_MAX, values: JSON_ID_VALUES_MAX },
  script: { bytes: SCRIPT_SIZE_BYTES_MAX, values: JSON_VALUES_MAX },
  document: { bytes: DOCUMENT_BYTES_MAX },
  default: { bytes: BODY_SIZE_BYTES_DEFAULT, values: JSON_VALUES_MAX },
}

export function bodyLimitBytes({ body, bodySize = 'default', privilege }: Endpoint): number {
  if (body === undefined || privilege === 'PUBLIC') return SMALL_BODY_SIZE_BYTES_MAX
  return limits[bodySize].bytes
}

export function valuesMax({ bodySize = 'default' }: Endpoint): number {
  return limits[bodySize].values ?? Number.POSITIVE_INFINITY
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
  const { limitBytes } = gate
  const { budget, progressMs = DEFAULT_PROGRESS_MS } = options
  const coding = bodyCodingOf(request.headers['content-encoding']) ?? null
  const sentBytes = declaredBytes(request)
  if (sentBytes !== null && sentBytes > limitBytes) throw bodyTooLarge(limitBytes)
  // How long a packed body is shows when it is unpacked.
  const declared = coding === null ? sentBytes : null
  const owner = {
    user: principal?.name ?? null,
    address: addressGroup(clientAddress(request)),
    isSmall: declared !== null && declared <= SMALL_BODY_SIZE_BYTES_MAX,
  }
  const reader = new BodyReader({ budget, owner, limitBytes, declaredBytes: declared, progressMs })
  request.state.releaseBody = () => reader.release()
  invitations.get(request.raw)?.()
  const body =
    coding === null
      ? await reader.read(request.raw)
      : await readPacked(request.raw, reader, { coding, limitBytes, isKnown: principal !== null })
  if (gate.format === null || contentOf(gate.format, body) !== 'json') return body
  await reserveForValues(body, reader, gate.valuesMax)
  if (body.length > JSON_SLICE_BODY_BYTES) {
    request.state.json = { value: await parseJsonInSlices(body) }
  }
  return body
}

/**
 * Parsed values take more memory than their text: a list of empty objects twenty times as much. Every
 * body that may be parsed is measured, whatever precedes its first bracket.
 */
async function reserveForValues(
  body: Buffer,
  reader: BodyReader,
  valuesMost: number,
): Promise<void> {
  try {
    const { values, sizeBytes } = await memoryEstimateOf(body)
    if (values > valuesMost) {
      const text = `The request body holds more than ${valuesMost} values.`
      throw new DbError('BODY_TOO_LARGE', text)
    }
    reader.reserveMore(sizeBytes)
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
