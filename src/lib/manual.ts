/** Addresses in the manual that the server serves at /docs, beside the console. */
const NOT_OF_THE_SERVER = new Set(['UNREACHABLE', 'INVALID_ANSWER'])

export const manual = {
  language: '/docs/reference/gsql.html',
  /** What is found for a word of the language: the name of a function. */
  topic: (word: string): string =>
    `/docs/reference/gsql/functions.html?q=${encodeURIComponent(word)}`,
  /** The entry of an error's code; null: the code is of the console itself, or none. */
  error: (code: string): string | null =>
    /^([A-Z]+[A-Z0-9_]*(-\d+)?|\d{3})$/.test(code) && !NOT_OF_THE_SERVER.has(code)
      ? `/docs/reference/errors.html#${code.toLowerCase()}`
      : null,
}
