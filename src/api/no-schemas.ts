/**
 * What the built console has in place of zod where the contract describes shapes: the server
 * checks requests, TypeScript checks the console, and 50 KiB of schemas stay out of the browser.
 *
 * Everything may be said about a schema, and nothing may be checked with one.
 * `vite.config.ts` puts it in; tests and the development server run the real contract.
 */
const refused = new Set<PropertyKey>(['parse', 'safeParse', 'parseAsync', 'safeParseAsync'])

export const z: unknown = new Proxy(function schema() {}, {
  get(_target, key) {
    if (typeof key === 'symbol') return undefined
    if (refused.has(key)) throw new Error(`The console has no schemas: ${key} runs on the server.`)
    return z
  },
  apply: () => z,
})
