/** Lists of which every instance has a part: what runs or ran long, what was aborted, maintenance. */
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
  readonly results?: readonly unknown[] | RunLog
  readonly unknown_requestid?: readonly string[]
}

interface Run {
  readonly startMs: number
  readonly elapsedMs: number
}

/** What ran long, newest first. */
interface RunLog {
  readonly runs: readonly Run[]
  readonly forgottenUntilMs: number | null
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
  const { limit } = request.query as { readonly limit?: string }
  return merged(list, await asked, limit)
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

function merged(
  own: Reply<unknown>,
  asked: readonly Asked[],
  limit: string | undefined,
): Reply<unknown> {
  const { results, extras } = own
  const answers = asked.flatMap(({ answer }) => (answer === null ? [] : [answer]))
  const lists = [results as NonNullable<ListAnswer['results']>, ...answers.map(resultsOf)]
  const silent = asked.filter(({ answer }) => answer === null)
  const names = silent.map(({ instance }) => instance.name).join(', ')
  const unknown = extras.fields?.['unknown_requestid'] as readonly string[] | undefined
  const nowhere = unknown?.filter((id) =>
    answers.every((answer) => answer.unknown_requestid?.includes(id) === true),
  )
  const { unknown_requestid: _, ...fields } = extras.fields ?? {}
  return reply(joinedLists(lists, limit), {
    ...extras,
    ...(silent.length > 0 && { message: `No answer from ${names}: its runs are not listed.` }),
    fields: {
      ...fields,
      ...(nowhere !== undefined && nowhere.length > 0 && { unknown_requestid: nowhere }),
    },
  })
}

function resultsOf({ results = [] }: ListAnswer) {
  return results
}

function joinedLists(lists: readonly (readonly unknown[] | RunLog)[], limit: string | undefined) {
  const logs = lists.filter((list) => 'runs' in list)
  const [own] = logs
  if (own !== undefined) return joinedLogs(own, logs, limit === undefined ? Infinity : +limit)
  const all = lists.flatMap((list) => list as readonly unknown[])
  if (isAborted(all)) return [joined(all)]
  if (!isDated(all)) return all
  return all.toSorted((one: Dated, other: Dated) => other.startedAt - one.startedAt)
}

interface Dated {
  readonly startedAt: number
}

function isDated(all: readonly unknown[]): all is readonly Dated[] {
  return all.length > 0 && typeof (all[0] as Partial<Dated>).startedAt === 'number'
}

/** Newest first, by the clocks of their instances. */
function joinedLogs(own: RunLog, logs: readonly RunLog[], limit: number): RunLog {
  const endOf = ({ startMs, elapsedMs }: Run) => startMs + elapsedMs
  const forgotten = logs.flatMap(({ forgottenUntilMs }) => forgottenUntilMs ?? [])
  return {
    ...own,
    forgottenUntilMs: forgotten.length === 0 ? null : Math.max(...forgotten),
    runs: logs
      .flatMap(({ runs }) => runs)
      .toSorted((one, other) => endOf(other) - endOf(one))
      .slice(0, limit),
  }
}

function isAborted(all: readonly unknown[]): all is readonly Aborted[] {
  return all.length > 0 && Array.isArray((all[0] as Partial<Aborted>).aborted_queries)
}

function joined(all: readonly Aborted[]): Aborted {
  return { aborted_queries: all.flatMap((one) => one.aborted_queries) }
}
