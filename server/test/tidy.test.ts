/**
 * What a linter cannot see: import directions, file sizes, names that the documents promise.
 * Every failure says how to mend it.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, posix, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { errorCodes } from '#kernel/errors.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const FILE_LINES_MAX = 600

/**
 * The rooms of `query`, in the order in which a query passes through them: a room imports from its
 * own line and from those above. `editor` stands beside this order: it reads what `bind` finds.
 */
const queryRooms: readonly (readonly string[])[] = [
  ['syntax', 'ir', 'functions'],
  ['bind'],
  ['plan'],
  ['runtime'],
  ['generate'],
  ['workers'],
  ['explain'],
]

interface Source {
  readonly path: string
  readonly text: string
  readonly imports: readonly string[]
}

interface ImportRule {
  readonly name: string
  readonly applies: (path: string) => boolean
  /** `target` is a repository path for our own files, a package name otherwise. */
  readonly allows: (target: string, from: string) => boolean
}

const sources: readonly Source[] = [
  'src',
  'server/src',
  'server/contract',
  'server/test',
  'server/tools',
  'server/bench',
  'e2e',
  'scripts',
].flatMap(readSources)

describe('import directions', () => {
  for (const rule of [...layerRules(), ...queryRules(), ...serverRules(), ...consoleRules()]) {
    it(rule.name, () => {
      const broken = sources
        .filter((source) => rule.applies(source.path) && !isTest(source.path))
        .flatMap(({ path, imports }) =>
          imports
            .filter((target) => !rule.allows(target, path))
            .map((target) => `${path} imports ${target}`),
        )
      expect(broken, `${rule.name}: move the code to the layer that owns it`).toEqual([])
    })
  }
})

describe('files', () => {
  it('of query lie in a room that has a place in the order', () => {
    const rooms = ['editor', ...queryRooms.flat()].map((room) => `server/src/query/${room}/`)
    const outside = sources
      .map(({ path }) => path)
      .filter((path) => path.startsWith('server/src/query/'))
      .filter((path) => !rooms.some((room) => path.startsWith(room)))
    expect(outside, 'move them, or give the room a place in `queryRooms`').toEqual([])
  })

  it(`have at most ${FILE_LINES_MAX} lines`, () => {
    const long = sources
      .map(({ path, text }) => ({ path, lines: text.split('\n').length - 1 }))
      .filter(({ lines }) => lines > FILE_LINES_MAX)
      .map(({ path, lines }) => `${path}: ${lines}`)
    expect(long, 'split by purpose, or write a decision record').toEqual([])
  })

  it('leave no focused test behind', () => {
    const focused = sources.filter(({ text }) => /\b(describe|it|test)\.only\(/.test(text))
    expect(
      focused.map(({ path }) => path).filter((path) => !path.endsWith('tidy.test.ts')),
    ).toEqual([])
  })

  it('of the console take types from zod, and no schemas', () => {
    const withSchemas = sources
      .filter(({ path, text }) => path.startsWith('src/') && /^import (?!type).*'zod'/m.test(text))
      .map(({ path }) => path)
      .filter((path) => path !== 'src/api/zod-config.ts' && !isTest(path))
    expect(withSchemas, 'take the schema from the contract').toEqual([])
  })

  it('carry no leftover marks', () => {
    const mark = new RegExp(
      `\\b(${['TO', 'FIX', 'HA'].map((head, i) => head + ['DO', 'ME', 'CK'][i]).join('|')})\\b`,
    )
    const marked = sources.filter(({ text }) => mark.test(text)).map(({ path }) => path)
    expect(marked, 'do it now, or open an issue').toEqual([])
  })
})

describe('documents', () => {
  const architecture = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8')

  it('name every folder of the server, of query and of services, and every feature of the console', () => {
    const folders = [
      ...['server/src', 'server/src/query', 'server/src/services'],
      ...['src', 'src/features'],
    ].flatMap(foldersOf)
    const unnamed = folders.filter((folder) => !architecture.includes(`\`${folder}/\``))
    expect(unnamed, 'add a line to ARCHITECTURE.md').toEqual([])
  })

  it('name no folder that is gone', () => {
    const named = [...architecture.matchAll(/`((?:server|src|e2e|docs|scripts)[a-z0-9/-]*)\/`/g)]
    const missing = named.map((match) => match[1] as string).filter((path) => !isFolder(path))
    expect(missing, 'mend ARCHITECTURE.md').toEqual([])
  })

  it('have every error code named in some test', () => {
    const tests = sources
      .filter(({ path }) => isTest(path) && !path.endsWith('tidy.test.ts'))
      .map(({ text }) => text)
      .join('\n')
    const untested = errorCodes.filter((code) => !tests.includes(code))
    expect(untested, 'write a test that provokes it, or delete the code').toEqual([])
  })
})

function layerRules(): readonly ImportRule[] {
  const layers = ['kernel', 'catalog', 'storage', 'graph', 'query', 'services', 'http', 'modules']
  return layers.map((layer, rank) => ({
    name: `${layer} imports no layer above it`,
    applies: inFolder(`server/src/${layer}`),
    allows: not(
      ...layers.slice(rank + 1).map((upper) => `server/src/${upper}/`),
      'server/src/main',
    ),
  }))
}

function queryRules(): readonly ImportRule[] {
  const folder = 'server/src/query'
  const later = (rank: number) => queryRooms.slice(rank + 1).flat()
  const foldersOfRooms = (rooms: readonly string[]) => rooms.map((room) => `${folder}/${room}/`)
  const order = queryRooms.flatMap((rooms, rank) =>
    rooms.map((room) => ({
      name: `query/${room} imports no room after it`,
      applies: inFolder(`${folder}/${room}`),
      allows: not(...foldersOfRooms([...later(rank), 'editor'])),
    })),
  )
  return [
    ...order,
    {
      name: 'query/syntax imports only kernel',
      applies: inFolder(`${folder}/syntax`),
      allows: (target) => /^server\/src\/(kernel|query\/syntax)\//.test(target),
    },
    {
      name: 'query/ir imports only kernel and catalog',
      applies: inFolder(`${folder}/ir`),
      allows: (target) => /^server\/src\/(kernel|catalog|query\/ir)\//.test(target),
    },
    {
      name: 'query/functions imports only kernel, ir and digests',
      applies: inFolder(`${folder}/functions`),
      allows: (target) =>
        /^(node:crypto$|server\/src\/(kernel|query\/(functions|ir))\/)/.test(target),
    },
    {
      name: 'what plans and runs a query knows neither its text nor its names',
      applies: (path) => foldersOfRooms(later(1)).some((room) => path.startsWith(room)),
      allows: not(...foldersOfRooms(['syntax', 'bind'])),
    },
    {
      name: 'query/editor imports only the front end',
      applies: inFolder(`${folder}/editor`),
      allows: (target) =>
        /^server\/src\/(kernel|catalog|query\/(editor|bind|ir|syntax|functions))\//.test(target),
    },
  ]
}

function serverRules(): readonly ImportRule[] {
  return [
    {
      name: 'kernel imports nothing but itself',
      applies: inFolder('server/src/kernel'),
      allows: (target) => target.startsWith('server/src/kernel/'),
    },
    {
      name: 'storage knows no catalogue',
      applies: inFolder('server/src/storage'),
      allows: not('server/src/catalog/', 'server/contract/'),
    },
    {
      name: 'only storage/sqlite opens SQLite',
      applies: (path) =>
        path.startsWith('server/src/') && !path.startsWith('server/src/storage/sqlite/'),
      allows: not('node:sqlite'),
    },
    {
      name: 'only the process of the vector indexes loads native code',
      applies: (path) => path !== 'server/src/graph/vectors/hnsw/hnsw-graph.ts',
      allows: not('usearch'),
    },
    {
      name: 'and the server loads none of it',
      applies: (path) =>
        path !== 'server/src/graph/vectors/hnsw/hnsw-worker.ts' &&
        !path.startsWith('server/bench/'),
      allows: not('server/src/graph/vectors/hnsw/hnsw-graph'),
    },
    {
      name: 'graph and query know no API version',
      applies: (path) => /^server\/src\/(graph|query)\//.test(path),
      allows: not('server/contract/'),
    },
    {
      name: 'services import no web framework',
      applies: inFolder('server/src/services'),
      allows: not('fastify', '@fastify/'),
    },
    {
      name: 'http imports no engine',
      applies: inFolder('server/src/http'),
      allows: not('server/src/graph/', 'server/src/storage/', 'server/src/query/'),
    },
    {
      name: 'the contract imports zod and the kernel only',
      applies: inFolder('server/contract'),
      allows: (target) => /^(zod|server\/contract\/|server\/src\/kernel\/)/.test(target),
    },
  ]
}

function consoleRules(): readonly ImportRule[] {
  const worker = 'src/compiler/compiler.worker.ts'
  const scanner = 'server/src/kernel/delimited/'
  const forWorker = /^server\/src\/(kernel|catalog|query\/(syntax|ir|bind|editor))\//
  return [
    {
      name: 'the console sees the contract and the scanner of text, its compiler worker the front end',
      applies: (path) => path.startsWith('src/') && !path.startsWith('src/testing/'),
      allows: (target, from) =>
        !target.startsWith('server/') ||
        target.startsWith(scanner) ||
        target.startsWith('server/contract/') ||
        (from === worker && forWorker.test(target)),
    },
    {
      name: 'features do not import each other',
      applies: inFolder('src/features'),
      allows: (target, from) => {
        const feature = from.split('/').slice(0, 3).join('/')
        return !target.startsWith('src/features/') || target.startsWith(`${feature}/`)
      },
    },
    {
      name: 'ui and lib know no feature and do not fetch',
      applies: (path) => /^src\/(ui|lib)\//.test(path),
      allows: (target, from) =>
        target.startsWith(scanner) ||
        not('src/features/', 'src/app/', 'src/api/', 'server/')(target, from),
    },
    {
      name: 'only ui/graph-canvas draws with cytoscape',
      applies: (path) => path.startsWith('src/') && !path.startsWith('src/ui/graph-canvas'),
      allows: not('cytoscape'),
    },
    {
      name: 'only ui/chart draws with recharts',
      applies: (path) => path.startsWith('src/') && !path.startsWith('src/ui/chart'),
      allows: not('recharts'),
    },
  ]
}

function isTest(path: string): boolean {
  return /\.(test|spec)\.tsx?$/.test(path) || path.startsWith('server/test/')
}

function inFolder(folder: string): (path: string) => boolean {
  return (path) => path.startsWith(`${folder}/`)
}

function not(...prefixes: readonly string[]): (target: string, from?: string) => boolean {
  return (target) => !prefixes.some((prefix) => target.startsWith(prefix))
}

function readSources(folder: string): Source[] {
  if (!isFolder(folder)) return []
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(ts|tsx|mjs)$/.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .filter((path) => !path.includes('node_modules'))
    .sort()
    .map((path) => {
      const text = readFileSync(join(root, path), 'utf8')
      return { path, text, imports: importsOf(path, text) }
    })
}

function importsOf(path: string, text: string): string[] {
  const pattern =
    /(?:^|\n)(?:import|export)\b(?:[^'"`;]*?\bfrom)?\s*['"]([^'"\n]+)['"]|\bimport\(\s*['"]([^'"]+)['"]\s*\)/g
  return [...text.matchAll(pattern)].map((match) => resolve(path, (match[1] ?? match[2]) as string))
}

function resolve(from: string, specifier: string): string {
  if (specifier.startsWith('.')) return posix.normalize(posix.join(posix.dirname(from), specifier))
  const alias = /^#([a-z]+)\/(.*)$/.exec(specifier)
  if (alias === null) return specifier
  const name = alias[1] as string
  if (name === 'contract') return `server/contract/${alias[2]}`
  if (['ui', 'lib', 'api', 'compiler'].includes(name)) return `src/${name}/${alias[2]}`
  return `server/src/${name}/${alias[2]}`
}

function foldersOf(folder: string): string[] {
  if (!isFolder(folder)) return []
  return readdirSync(join(root, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => `${folder}/${entry.name}`)
}

function isFolder(path: string): boolean {
  return statSync(join(root, path), { throwIfNoEntry: false })?.isDirectory() ?? false
}
