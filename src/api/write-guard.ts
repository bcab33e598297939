/**
 * The write guard: requests carry the wish to be refused whatever they would change, and the
 * server, which alone knows, refuses. On `confirm` a refused one is asked about and sent again
 * as confirmed; what follows within a minute is not asked about.
 */
import { preferences } from '#lib/storage/preferences.ts'
import type { HttpRequest } from './http-request.ts'

export const CONFIRMED_FOR_MS = 60_000

interface Question {
  readonly request: HttpRequest
  readonly answer: (isAllowed: boolean) => void
}

const listeners = new Set<() => void>()
let question: Question | null = null
/** The same question for all that wait: a load sends several requests at once. */
let asked: Promise<boolean> | null = null
let confirmedUntil = 0

// Another guard was chosen, here or in another tab: what was confirmed before holds no longer.
preferences.subscribe(() => {
  if (preferences.get().writeGuard !== 'confirm') confirmedUntil = 0
})

export const writeQuestions = {
  subscribe(listener: () => void): () => void {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
  current: (): Question | null => question,
}

function show(next: Question | null): void {
  question = next
  for (const listener of listeners) listener()
}

function ask(request: HttpRequest): Promise<boolean> {
  if (Date.now() < confirmedUntil) return Promise.resolve(true)
  asked ??= new Promise<boolean>((resolve) => show({ request, answer: resolve })).then(
    (isAllowed) => {
      if (isAllowed) confirmedUntil = Date.now() + CONFIRMED_FOR_MS
      asked = null
      show(null)
      return isAllowed
    },
  )
  return asked
}

interface Answered {
  readonly ok: boolean
  readonly status: number
  readonly text: string
}

/** @param isScript its answer is text, which does not say that a command was refused */
export async function guardedSend<A extends Answered>(
  request: HttpRequest,
  isScript: boolean,
  send: (request: HttpRequest) => Promise<A>,
): Promise<A> {
  const { writeGuard } = preferences.get()
  if (writeGuard === 'off') return await send(request)
  const guarded = withGuard(request, 'read-only')
  const confirmed = withGuard(request, 'confirmed')
  const isAsking = writeGuard === 'confirm'
  if (isAsking && Date.now() < confirmedUntil) return await send(confirmed)
  if (isAsking && isScript && request.method !== 'GET') {
    return await send((await ask(request)) ? confirmed : guarded)
  }
  const answer = await send(guarded)
  if (!isAsking || !isGuarded(answer)) return answer
  return (await ask(request)) ? await send(confirmed) : answer
}

/** A server that locks the guard to `confirm` takes nothing from a console that was not confirmed. */
const withGuard = (request: HttpRequest, guard: 'read-only' | 'confirmed'): HttpRequest => ({
  ...request,
  headers: { ...request.headers, 'x-write-guard': guard },
})

const isGuarded = ({ status, text }: Answered): boolean =>
  status === 403 && text.includes('"WRITE_GUARDED"')
