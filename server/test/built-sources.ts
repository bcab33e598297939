/**
 * Sources of the server come out of one bundle wherever QUIVER_TEST_SOURCES names it, as `npm test` does: each file of
 * tests has a process of its own, and some 900 sources take that process longer to load than most files take to run
 * (docs/decisions/0159). A module that a test imports is a view of the bundle, so that all of them share one copy.
 */
import { registerHooks } from 'node:module'
import process from 'node:process'
import { pathToFileURL } from 'node:url'

type Exports = Readonly<Record<string, unknown>>

const bundle = process.env['QUIVER_TEST_SOURCES']
const shared = Symbol.for('quiver.test.sources')
const holder = globalThis as unknown as Record<symbol, ReadonlyMap<string, Exports> | undefined>
const root = new URL('../../', import.meta.url)

if (bundle !== undefined && holder[shared] === undefined) {
  const { modules } = (await import(pathToFileURL(bundle).href)) as {
    modules: Readonly<Record<string, Exports>>
  }
  const views = new Map(
    Object.entries(modules).map(([path, exports]) => [new URL(path, root).href, exports]),
  )
  holder[shared] = views
  serve(views)
}

function serve(views: ReadonlyMap<string, Exports>): void {
  registerHooks({
    resolve(specifier, context, next) {
      const address = addressOf(specifier, context.parentURL)
      const isView = address !== null && views.has(address)
      return isView
        ? { url: address, format: 'module', shortCircuit: true }
        : next(specifier, context)
    },
    load(url, context, next) {
      const exports = views.get(url)
      if (exports === undefined) return next(url, context)
      return { format: 'module', source: viewOf(url, exports), shortCircuit: true }
    },
  })
}

/** What `#graph/…` and the like stand for (server/package.json). */
function addressOf(specifier: string, parent: string | undefined): string | null {
  if (specifier.startsWith('.'))
    return parent === undefined ? null : new URL(specifier, parent).href
  if (specifier.startsWith('file:')) return specifier
  if (!specifier.startsWith('#')) return null
  const path = specifier.slice(1)
  return new URL(path.startsWith('contract/') ? `server/${path}` : `server/src/${path}`, root).href
}

function viewOf(url: string, exports: Exports): string {
  const names = Object.keys(exports)
  const source = `globalThis[Symbol.for('quiver.test.sources')].get(${JSON.stringify(url)})`
  const values = names.map((name) => `const ${localOf(name)} = all[${JSON.stringify(name)}]`)
  const lines = names.map((name) => `${localOf(name)} as ${name}`)
  return `const all = ${source}\n${values.join('\n')}\nexport { ${lines.join(', ')} }\n`
}

const localOf = (name: string) => `value_${name}`
