/** What the server tells of one's own run while it goes on, and the clock beside it. */
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { z } from 'zod'
import type { runningQuery as runningShape } from '#contract/queries.ts'
import { runningQuery } from './api/queries.ts'

const CLOCK_MS = 100

export type Running = z.output<typeof runningShape>

/** The newest run under an address; undefined: none is told of (yet). */
export function useLiveRun(address: string): Running | undefined {
  const running = useQuery(runningQuery)
  return running.data
    ?.filter(({ url }) => url === address || url.startsWith(`${address}?`))
    .sort((one, other) => one.elapsedTime - other.elapsedTime)[0]
}

/** Milliseconds since a moment, ten times a second. */
export function useElapsedSince(startedAt: number): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), CLOCK_MS)
    return () => clearInterval(timer)
  }, [])
  return Math.floor(Math.max(0, now - startedAt) / CLOCK_MS) * CLOCK_MS
}
