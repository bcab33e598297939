/** Where a request is answered if several instances share the store (docs/decisions/0128). */
import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyRequest } from 'fastify'
import type { Endpoint } from '#contract/endpoint.ts'
import { DbError, isDbError } from '#kernel/errors.ts'
import type { InstanceState, Sharing } from '#services/instances/sharing.ts'
import { forwardTo, forwardToWriter, outcomeUnknown, type Relayed } from './forward.ts'
import { REFUSED_HEADER } from './forwarded.ts'
import { gather } from './gather.ts'
import { checkStaleness, reachPosition, shownBy } from './positions.ts'

export interface SharedCall {
  readonly endpoint: Endpoint
  readonly request: FastifyRequest
  /** Reads the body and calls the handler, on this instance. */
  here(): unknown
}

const RETRY_MS = 20
const REPLICA_HEADER = 'gsql-replica'

/**
 * A read that waits for nothing is answered without a promise.
 * @throws DbError what `here` throws, NO_WRITER, BEHIND, OUTCOME_UNKNOWN
 */
export function answerShared(sharing: Sharing, call: SharedCall): unknown {
  const { endpoint, request } = call
  if (endpoint.at === 'writer') return atWriter(sharing, call)
  const target = targetOf(sharing, endpoint, request)
  if (target === 'writer') return atWriter(sharing, call)
  if (target !== 'here') return atInstance(sharing, call, target)
  const wait = endpoint.ofInstance === true ? null : reachPosition(sharing, request)
  if (wait !== null) return wait.then(() => answerHere(sharing, call))
  return answerHere(sharing, call)
}

function answerHere(sharing: Sharing, call: SharedCall): unknown {
  const { endpoint, request } = call
  if (endpoint.ofInstance !== true) checkStaleness(sharing)
  // A query on the writer may change the graph: its answer names the position behind the change.
  if (endpoint.at !== 'query' || sharing.log.role === 'follower') {
    request.state.noteShown = () => {
      request.state.shown = shownBy(sharing)
    }
    request.state.noteShown()
  }
  if (endpoint.at === 'query') return queryHere(sharing, call)
  if (endpoint.gathers !== true || request.state.forwarded !== null) return call.here()
  return gather(sharing, request, call.here())
}

/** What changes something says so before it is begun. */
async function queryHere(sharing: Sharing, call: SharedCall): Promise<unknown> {
  try {
    return await call.here()
  } catch (error) {
    if (!isDbError(error, 'NOT_WRITER') || call.request.state.forwarded !== null) throw error
    call.request.state.shown = null
    return await atWriter(sharing, call)
  }
}

async function atInstance(
  sharing: Sharing,
  call: SharedCall,
  instance: InstanceState,
): Promise<unknown> {
  const answer = await answerOf(sharing, call, instance)
  if (answer === null) return await atWriter(sharing, call)
  if (answer.message.headers[REFUSED_HEADER] === undefined) return answer
  answer.message.resume()
  return await atWriter(sharing, call)
}

/** @returns null: the instance is gone, and others know as much. @throws DbError UNAVAILABLE */
async function answerOf(
  sharing: Sharing,
  { endpoint, request }: SharedCall,
  instance: InstanceState,
): Promise<Relayed | null> {
  try {
    return await forwardTo(sharing, request, instance)
  } catch (error) {
    if (endpoint.isStored === true && isDbError(error, 'UNAVAILABLE')) return null
    throw error
  }
}

async function atWriter(sharing: Sharing, call: SharedCall): Promise<unknown> {
  const { request, endpoint } = call
  for (;;) {
    if (sharing.log.role !== 'writer') {
      if (request.state.forwarded !== null) throw notWriter()
      const answer = await forwardToWriter(sharing, request, endpoint.keyed === true)
      if (answer !== null) return answer
    }
    try {
      return await call.here()
    } catch (error) {
      checkRepeatable(call, error)
    }
    // It learns in a moment who writes.
    await pause(RETRY_MS)
  }
}

/** @throws what another attempt would not mend */
function checkRepeatable({ endpoint, request }: SharedCall, error: unknown): void {
  if (!isDbError(error, 'NOT_WRITER')) throw error
  // It may have made several changes, and lost the right to make more of them in between.
  if (endpoint.keyed !== true) throw outcomeUnknown(error)
  if (request.state.forwarded !== null) throw error
}

function notWriter(): DbError {
  return new DbError('NOT_WRITER', 'This instance does not write: nothing was done.')
}

type Target = 'here' | 'writer' | InstanceState

function targetOf(sharing: Sharing, endpoint: Endpoint, request: FastifyRequest): Target {
  const { log } = sharing
  if (request.state.forwarded !== null) {
    // It was found here by its number.
    delete request.headers[REPLICA_HEADER]
    return 'here'
  }
  if (endpoint.at === 'query') return replicaOf(sharing, request)
  if (endpoint.at !== 'named') return 'here'
  const ids = idsOf(request)
  const ordinals = new Set(ids.map(ordinalIn))
  if (endpoint.gathers === true && (ids.length === 0 || ordinals.size > 1)) return 'here'
  const [ordinal = null] = ordinals
  if (ordinal === null) return endpoint.gathers === true ? 'here' : 'writer'
  if (ordinal === log.self.ordinal) return 'here'
  // The handler knows nothing of it, either, and says so.
  return log.instances.find((one) => one.ordinal === ordinal) ?? 'here'
}

/** @throws DbError INVALID_PARAMETER for a number that no instance has */
function replicaOf({ log }: Sharing, request: FastifyRequest): Target {
  const text = request.headers[REPLICA_HEADER]
  if (text === undefined || text === '') return 'here'
  const found = log.instances.find(({ ordinal }) => ordinal === Number(text))
  if (found === undefined) {
    const numbers = log.instances.map(({ ordinal }) => ordinal).toSorted((a, b) => a - b)
    const message = `The header ${REPLICA_HEADER} must be the number of an instance (${numbers.join(', ')}), not '${text}'.`
    const details = { contractCode: 'REST-30001' }
    throw new DbError('INVALID_PARAMETER', message, { details })
  }
  delete request.headers[REPLICA_HEADER]
  if (found.isSelf) return 'here'
  return found
}

const idKeys = ['request_id', 'requestid', 'id', 'jobId', 'jobIds']

function idsOf({ params, query }: FastifyRequest): readonly string[] {
  return [params, query].flatMap((values) =>
    idKeys.flatMap((key) => {
      const value = (values as Readonly<Record<string, string | readonly string[] | undefined>>)[
        key
      ]
      return value === undefined ? [] : value
    }),
  )
}

/** `{n}.RESTPP_1_{ordinal}.{epoch ms}.N`, and what is made of it. */
function ordinalIn(id: string): number | null {
  const found = /RESTPP_1_(\d+)\./.exec(id)
  return found === null ? null : Number(found[1])
}
