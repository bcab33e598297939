/** Patterns of URLs, by which running queries are aborted. */

/** `/query/acme/q1.*` as a test of prefixes and parts; no regular expression is built from it. */
export function urlPattern(pattern: string): (url: string) => boolean {
  const [head = '', ...others] = pattern.split('.*')
  const tail = others.pop()
  if (tail === undefined) return (url) => url === pattern
  return (url) => {
    const end = url.length - tail.length
    let at = head.length
    if (end < at || !url.startsWith(head) || !url.endsWith(tail)) return false
    for (const part of others) {
      const found = url.indexOf(part, at)
      if (found < 0) return false
      at = found + part.length
    }
    return at <= end
  }
}
