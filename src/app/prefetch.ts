/** What is fetched of a page when a hand goes towards it, so that a click finds it here. */
import type { QueryClient } from '@tanstack/react-query'
import type { GlobalPage, PageOfGraph } from './routes.tsx'

/** Never rejects: what cannot be had is asked for again by the page, which tells. */
export async function prefetch(
  page: GlobalPage | PageOfGraph,
  client: QueryClient,
  graph: string,
): Promise<void> {
  try {
    const Content = await page.load()
    await Content.prepare?.(client, graph)
  } catch {
    // See above.
  }
}
