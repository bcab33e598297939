/** The running list from look to look: what runs, and what left it within the last minute. */
const KEPT_MS = 60_000
/** After a longer pause nobody knows when, or how, a run ended. */
const GAP_MS_MAX = 15_000

interface Run {
  readonly requestid: string
  readonly elapsedTime: number
  /** UTC, without a zone. */
  readonly startTime: string
  readonly expirationTime: string
  readonly graph?: string | undefined
  readonly user?: string | undefined
}

/** A young run may end at any moment; one that goes on for long moves slowly. */
const YOUNG_MS = 5_000
export const LOOK_MS = { none: 1_000, young: 500, old: 2_000 } as const

/** How soon the list is looked at again. */
export function lookAgainMs(running: readonly Pick<Run, 'elapsedTime'>[] = []): number {
  if (running.length === 0) return LOOK_MS.none
  return running.some(({ elapsedTime }) => elapsedTime < YOUNG_MS) ? LOOK_MS.young : LOOK_MS.old
}

export type Ending = 'done' | 'failed' | 'aborted' | 'timed out' | 'ended'

export interface EndedRun<R> {
  readonly run: R
  /** Epoch milliseconds of the first look that did not show it. */
  readonly endedAt: number
  /** `ended`: nobody said how. */
  readonly ending: Ending
  /** As the server tells it; null: as it was seen here. */
  readonly told: ToldRun | null
}

/** What the server's log of runs says of one. */
export interface ToldRun {
  readonly requestId: string
  readonly outcome: 'done' | 'timeout' | 'aborted' | 'failed'
  /** Of what ended it early. */
  readonly message: string
  readonly elapsedMs: number
  readonly peakMemoryBytes: number | null
}

export interface WatchedRuns<R> {
  readonly running: readonly R[]
  /** Newest first. */
  readonly ended: readonly EndedRun<R>[]
  /** Request ids that this page asked to abort. */
  readonly aborting: readonly string[]
  /** Epoch milliseconds of the look. */
  readonly at: number
}

export function watchRuns<R extends Run>(
  before: WatchedRuns<R> | undefined,
  running: readonly R[],
  now: number,
): WatchedRuns<R> {
  if (before === undefined) return { running, ended: [], aborting: [], at: now }
  const here = new Set(running.map(({ requestid }) => requestid))
  const gone =
    now - before.at > GAP_MS_MAX ? [] : before.running.filter((run) => !here.has(run.requestid))
  const ended = gone.map((run) => ({
    run,
    endedAt: now,
    ending: endingOf(run, before, now),
    told: null,
  }))
  return {
    running,
    ended: [...ended, ...before.ended.filter(({ endedAt }) => now - endedAt < KEPT_MS)],
    aborting: before.aborting.filter((id) => here.has(id)),
    at: now,
  }
}

function endingOf(run: Run, before: WatchedRuns<Run>, now: number): Ending {
  if (before.aborting.includes(run.requestid)) return 'aborted'
  const limitMs = timeLimitMs(run)
  return limitMs > 0 && run.elapsedTime + (now - before.at) >= limitMs ? 'timed out' : 'ended'
}

/** A run that changes the graph is told of once that is durable: so long it is asked again. */
const TELLING_MS = 1_200

export function needsTelling({ ended, at }: WatchedRuns<unknown>): boolean {
  return ended.some(({ told, endedAt }) => told === null && at - endedAt < TELLING_MS)
}

export function withOutcomes<R extends Run>(
  watched: WatchedRuns<R>,
  log: readonly ToldRun[],
): WatchedRuns<R> {
  const byId = new Map(log.map((entry) => [entry.requestId, entry]))
  const ended = watched.ended.map((entry): EndedRun<R> => {
    const told = entry.told ?? byId.get(entry.run.requestid)
    return told === undefined ? entry : { ...entry, told, ending: endings[told.outcome] }
  })
  return { ...watched, ended }
}

const endings: Readonly<Record<ToldRun['outcome'], Ending>> = {
  done: 'done',
  failed: 'failed',
  aborted: 'aborted',
  timeout: 'timed out',
}

/** Notes that a run is being aborted, or that it had ended by itself before. */
export function noteAborting<R extends Run>(
  watched: WatchedRuns<R>,
  ids: readonly string[],
  isAborting: boolean,
): WatchedRuns<R> {
  const others = watched.aborting.filter((id) => !ids.includes(id))
  return {
    ...watched,
    aborting: isAborting ? [...others, ...ids] : others,
    ended: watched.ended.map((entry) => {
      if (!ids.includes(entry.run.requestid) || entry.told !== null) return entry
      return { ...entry, ending: isAborting ? 'aborted' : 'ended' }
    }),
  }
}

/** Times are told without a zone: they are UTC. */
export const startMsOf = ({ startTime }: Pick<Run, 'startTime'>): number => epochMs(startTime)

/** 0: no limit. */
export function timeLimitMs({ startTime, expirationTime }: Run): number {
  const limit = epochMs(expirationTime) - epochMs(startTime)
  return limit > 0 ? limit : 0
}

const epochMs = (text: string): number => Date.parse(`${text.replace(' ', 'T')}Z`)

export interface RunFilter {
  /** Absent: of all graphs. */
  readonly graph?: string | undefined
  /** Absent: of everybody. */
  readonly user?: string | undefined
  readonly leastMs: number
}

export function fitsFilter(run: Run, { graph, user, leastMs }: RunFilter): boolean {
  return (
    (graph === undefined || run.graph === graph) &&
    (user === undefined || run.user === user) &&
    run.elapsedTime >= leastMs
  )
}
