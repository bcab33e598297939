/** Whether this page is of the release that the server runs: a page may be older than its server. */

/**
 * @param version as the server tells it, `0.1.0 (…)`
 * @returns null where both are of one release
 */
export function releaseNote(version: unknown, own = ownRelease()): string | null {
  const [told = ''] = /^\d+\.\d+\.\d+/.exec(String(version)) ?? []
  if (told === own) return null
  if (told === '') return `The server tells no version that this page of release ${own} knows.`
  return (
    `The server is of release ${told}, this page of ${own}. ` +
    'Reload it; if that does not help, a proxy or cache still hands out the old page.'
  )
}

const ownRelease = (): string => import.meta.env['QUIVER_RELEASE'] as string
