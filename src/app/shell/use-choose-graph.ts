import { useCallback } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { withGraph } from '#lib/paths.ts'
import { preferences } from '#lib/storage/preferences.ts'

/** Changes the graph and stays on the page; pages without a graph in their address follow, too. */
export function useChooseGraph(): (graph: string) => void {
  const navigate = useNavigate()
  const { pathname } = useLocation()
  return useCallback(
    (graph) => {
      preferences.set({ lastGraph: graph })
      const address = withGraph(pathname, graph)
      if (address !== undefined) void navigate(address)
    },
    [navigate, pathname],
  )
}
