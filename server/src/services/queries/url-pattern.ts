/** Patterns of URLs, by which running queries are aborted (contract 2.13). */

/** `/query/acme/q1.*` as a test of prefixes and parts; no regular expression is built from it. */
export function urlPattern(pattern: string): (url: string) => boolean {
  const parts = pattern.split('.*')
  return (url) => {
    let at = 0
    for (const [index, part] of parts.entries()) {
      const found = url.indexOf(part, at)
      if (found < 0 || (index === 0 && found !== 0)) return false
      at = found + part.length
    }
    return pattern.endsWith('.*') || at === url.length
  }
}
