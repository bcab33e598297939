import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useParams } from 'react-router'
import { preferences, usePreferences } from '#lib/storage/preferences.ts'
import { graphsQuery } from './graphs.ts'

/** The graph of the address; elsewhere the one looked at last, else the first; '' without any. */
export function useCurrentGraph(): string {
  const graphs = useQuery(graphsQuery)
  const { lastGraph } = usePreferences()
  const inAddress = useParams()['graph']
  const names = graphs.data
  useEffect(() => {
    if (inAddress === undefined || inAddress === preferences.get().lastGraph) return
    if (names?.some(({ name }) => name === inAddress)) preferences.set({ lastGraph: inAddress })
  }, [inAddress, names])
  if (inAddress !== undefined) return inAddress
  return names?.some(({ name }) => name === lastGraph) ? lastGraph : (names?.[0]?.name ?? '')
}
