/**
 * What is shown of a log: nothing that somebody could sign in with. Nobody logs credentials on
 * purpose; texts of requests and errors may hold some.
 */
const HIDDEN = '****'
const nameOfCredential = /pass(word|wd)?$|secret|token|authorization|cookie|credential|api.?key/i

const patterns: readonly (readonly [RegExp, string])[] = [
  [/\b(bearer|basic|gsql-secret)\s+[\w.~+/=-]+/gi, `$1 ${HIDDEN}`],
  // JSON Web Tokens, wherever they stand.
  [/\beyJ[\w-]{5,}\.[\w-]+(\.[\w-]*)?/g, HIDDEN],
  // `password=x`, `"secret": "x"`, `PASSWORD 'x'`
  [
    /\b(password|passwd|secret|token|cookie)(\\?["']?\s*[:=]\s*|\s+(?=["']))(\\?"(?:[^"\\]|\\[^"])*\\?"|'[^']*'|[^\s,;&})\]]+)/gi,
    `$1$2${HIDDEN}`,
  ],
  // User and password in an address.
  [/(\b[a-z][\w+.-]*:\/\/)[^\s/@:]+:[^\s/@]+@/gi, `$1${HIDDEN}@`],
]

/** A value of JSON with each text in it cleaned, and each field of a telling name emptied. */
export function withoutCredentials(value: unknown): unknown {
  if (typeof value === 'string') {
    return patterns.reduce((text, [pattern, shown]) => text.replaceAll(pattern, shown), value)
  }
  if (Array.isArray(value)) return value.map(withoutCredentials)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, entry]) => [
      name,
      nameOfCredential.test(name) && entry !== null ? HIDDEN : withoutCredentials(entry),
    ]),
  )
}
