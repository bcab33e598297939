/** Lists of which every instance has a part: what runs, and what of it was aborted. */
import type { FastifyRequest } from 'fastify'
import { type InstanceState, othersAlive, type Sharing } from '#services/instances/sharing.ts'
import { forwardTo } from './forward.ts'
import { parseJson } from './json.ts'
import { Reply, reply } from './reply.ts'

/** Who takes longer is named instead. */
const ANSWER_MS_MAX = 2_000
const ANSWER_BYTES_MAX = 16 * 2 ** 20

interface ListAnswer {
  readonly error?: boolean
  readonly results?: readonly unknown[]
  readonly unknown_requestid?: readonly string[]
}

interface Asked {
  readonly instance: InstanceState
  /** Null: it did not answer. */
  readonly answer: ListAnswer | null
}

/** The list of this instance with those of the others behind it. */
export async function gather(
  sharing: Sharing,
  request: FastifyRequest,
  own: unknown,
): Promise<unknown> {
  const asked = Promise.all(
    othersAlive(sharing.log).map(async (instance) => ({
      instance,
      answer: await ask(sharing, request, instance),
    })),
  )
  const answer = await own
  const list = answer instanceof Reply ? answer : reply(answer)
  return merged(list, await asked)
}

async function ask(
  sharing: Sharing,
  request: FastifyRequest,
  instance: InstanceState,
): Promise<ListAnswer | null> {
  const late = Promise.withResolvers<null>()
  const timer = setTimeout(() => late.resolve(null), ANSWER_MS_MAX)
  try {
    return await Promise.race([read(sharing, request, instance), late.promise])
  } catch {
    return null
  } finally {
    clearTimeout(timer)
  }
}

async function read(
  sharing: Sharing,
  request: FastifyRequest,
  instance: InstanceState,
): Promise<ListAnswer | null> {
  const { message } = await forwardTo(sharing, request, instance, { 'accept-encoding': 'identity' })
  const pieces: Buffer[] = []
  let size = 0
  for await (const piece of message as AsyncIterable<Buffer>) {
    size += piece.length
    if (size > ANSWER_BYTES_MAX) return null
    pieces.push(piece)
  }
  if (message.statusCode !== 200) return null
  return parseJson(Buffer.concat(pieces)) as ListAnswer
}

interface Aborted {
  readonly aborted_queries: readonly unknown[]
}

function merged(own: Reply<unknown>, asked: readonly Asked[]): Reply<unknown> {
  const { results, extras } = own
  const answers = asked.flatMap(({ answer }) => (answer === null ? [] : [answer]))
  const all = [
    ...(results as readonly unknown[]),
    ...answers.flatMap((answer) => answer.results ?? []),
  ]
  const silent = asked.filter(({ answer }) => answer === null)
  const names = silent.map(({ instance }) => instance.name).join(', ')
  const unknown = extras.fields?.['unknown_requestid'] as readonly string[] | undefined
  const nowhere = unknown?.filter((id) =>
    answers.every((answer) => answer.unknown_requestid?.includes(id) === true),
  )
  const { unknown_requestid: _, ...fields } = extras.fields ?? {}
  return reply(isAborted(all) ? [joined(all)] : all, {
    ...extras,
    ...(silent.length > 0 && {
      message: `No answer from ${names}: what runs there is not listed.`,
    }),
    fields: {
      ...fields,
      ...(nowhere !== undefined && nowhere.length > 0 && { unknown_requestid: nowhere }),
    },
  })
}

function isAborted(all: readonly unknown[]): all is readonly Aborted[] {
  return all.length > 0 && Array.isArray((all[0] as Partial<Aborted>).aborted_queries)
}

function joined(all: readonly Aborted[]): Aborted {
  return { aborted_queries: all.flatMap((one) => one.aborted_queries) }
}
