/** What the server tells of one's own run while it goes on, and the clock beside it. */
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { sessionQuery } from '#api/session.ts'
import { type Running, runningQuery } from './api/queries.ts'
import { newestOwn } from './model/own-run.ts'

const CLOCK_MS = 100

/** One's newest run on a graph under an address; undefined: none is told of (yet). */
export function useLiveRun(graph: string, address: string): Running | undefined {
  const running = useQuery(runningQuery)
  const user = useQuery(sessionQuery).data?.user
  return newestOwn(running.data?.running ?? [], { graph, address, user })
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
