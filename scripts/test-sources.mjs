/**
 * Bundles the sources of the server for the tests of whole servers: one file in place of some 900 that each test file
 * would find, read and link anew, since each has a process of its own (docs/decisions/0159). It exports `modules`, the
 * namespace of each source that tests and tools import, by its path; `server/test/built-sources.ts` serves them.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'

const importPattern = /(?:\bfrom|\bimport)\s*\(?\s*'([.#][^']*\.ts)'/g
/** What runs as it is loaded: threads, child processes and the program itself. */
const isProgram = /(-worker|\/main)\.ts$/
const importers = ['server/test', 'server/tools', 'server/bench']

/** @param {string} root @param {string} outfile */
export async function bundleSources(root, outfile) {
  const targets = targetsOf(root)
  const imported = importers.flatMap((folder) => importsBelow(root, folder, targets))
  // One test imports each file of this folder by its address.
  const contract = readdirSync(join(root, 'server/contract'))
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => join('server/contract', name))
  const paths = [...new Set([...imported, ...contract])]
  const lines = paths.map(
    (path, at) => `import * as m${at} from ${JSON.stringify(join(root, path))}`,
  )
  const entries = paths.map((path, at) => `${JSON.stringify(path)}: m${at}`)
  const entry = `${lines.join('\n')}\nexport const modules = { ${entries.join(',\n')} }\n`
  await build({
    stdin: {
      contents: entry,
      resolveDir: join(root, 'server'),
      sourcefile: 'sources.ts',
      loader: 'ts',
    },
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node22.15',
    packages: 'external',
    plugins: [ownAddresses],
    logLevel: 'warning',
  })
}

/** Threads and child processes are found beside the source that starts them. */
const ownAddresses = {
  name: 'own addresses',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]server[\\/](src|contract)[\\/].*\.ts$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8')
      const address = JSON.stringify(pathToFileURL(path).href)
      return { contents: text.replaceAll('import.meta.url', address), loader: 'ts' }
    })
  },
}

/** What `#graph/…` and the like stand for: the folder, from the root. */
function targetsOf(root) {
  const { imports } = JSON.parse(readFileSync(join(root, 'server/package.json'), 'utf8'))
  return Object.entries(imports).map(([from, to]) => [
    from.slice(0, -1),
    join('server', to.slice(0, -1), '/'),
  ])
}

/** The sources of the server that files of a folder import, from the root. */
function importsBelow(root, folder, targets) {
  const files = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(root, folder, name))
  return files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(importPattern)]
      .map(([, specifier]) => pathOf(root, file, specifier, targets))
      .filter((path) => /^server\/(src|contract)\//.test(path) && !isProgram.test(path)),
  )
}

function pathOf(root, file, specifier, targets) {
  if (specifier.startsWith('.')) return relative(root, resolve(dirname(file), specifier))
  const [from, to] = targets.find(([name]) => specifier.startsWith(name)) ?? ['', '']
  return join(to, specifier.slice(from.length))
}
