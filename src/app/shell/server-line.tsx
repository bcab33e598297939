/** Whether the server answers: one small request every five seconds. */
import { Button, Tooltip } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { askAgain, pingQuery } from '#api/ping.ts'
import { versionsQuery } from '#api/versions.ts'
import { formatDuration } from '#lib/format.ts'
import chip from './chip.module.css'
import classes from './server-line.module.css'

/** Without an answer for so long the line is amber, then red. */
const SILENT_MS = 2_000
const LOST_MS = 10_000

interface Answering {
  readonly text: string
  readonly state: 'online' | 'silent' | 'lost'
  /** Of the last round trip. */
  readonly tookMs: number | undefined
  readonly retry: () => void
}

/** Once the server answers again, requests of the page that failed are repeated. */
export function useReconnect(): void {
  const { isError } = useQuery(pingQuery)
  const client = useQueryClient()
  useEffect(() => {
    if (!isError) void askAgain(client)
  }, [isError, client])
}

function useAnswering(): Answering {
  const ping = useQuery(pingQuery)
  const { isError, isFetching, data, dataUpdatedAt, refetch } = ping
  const silentMs = useSilence(isError || isFetching, dataUpdatedAt)
  const state = silentMs >= LOST_MS ? 'lost' : silentMs >= SILENT_MS ? 'silent' : 'online'
  const text = state === 'online' ? 'Online' : `No answer for ${formatDuration(silentMs)}`
  return { text, state, tookMs: data, retry: () => void refetch() }
}

/** @returns milliseconds, in whole seconds, since the server was first found not to answer */
function useSilence(isWaiting: boolean, answeredAt: number): number {
  const [since, setSince] = useState<number | null>(null)
  const [now, setNow] = useState(0)
  // Each answer resets the time, also while the next request is under way.
  // biome-ignore lint/correctness/useExhaustiveDependencies: it runs when an answer arrives
  useEffect(() => setSince(null), [answeredAt])
  useEffect(() => {
    if (!isWaiting) return
    setSince((before) => before ?? Date.now())
    setNow(Date.now())
    const timer = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [isWaiting])
  return since === null || !isWaiting ? 0 : Math.max(0, Math.floor((now - since) / 1_000) * 1_000)
}

export function ServerLine({ isFolded }: { readonly isFolded: boolean }) {
  const { text, state, tookMs, retry } = useAnswering()
  const versions = useQuery(versionsQuery)
  const version = releaseOf(versions.data?.[0]?.version)
  const tip = tookMs === undefined ? text : `${text}, last answer in ${formatDuration(tookMs)}`
  return (
    <div className={classes.server} data-folded={isFolded} data-state={state}>
      <Tooltip position="right" label={tip}>
        <span className={classes.line} role="status">
          <span className={classes.dot} aria-hidden="true" />
          <span className={classes.text}>{text}</span>
        </span>
      </Tooltip>
      {state === 'lost' ? (
        <Button size="compact-xs" variant="default" onClick={retry}>
          Retry
        </Button>
      ) : (
        <span className={classes.version}>{version}</span>
      )}
    </div>
  )
}

/** On a phone, where the sidebar has no room for the line: only when there is something to say. */
export function ServerChip() {
  const { text, state, retry } = useAnswering()
  if (state === 'online') return null
  return (
    <div className={classes.onPhone} data-state={state}>
      <button
        type="button"
        className={chip.chip}
        data-status={state === 'lost' ? 'danger' : 'warning'}
        onClick={retry}
      >
        <span className={classes.dot} aria-hidden="true" />
        {text}
      </button>
    </div>
  )
}

/** `4.2.0` of `release_4.2.0_11-29-2026`. */
const releaseOf = (version: string | undefined): string =>
  /\d+\.\d+\.\d+/.exec(version ?? '')?.[0] ?? ''
