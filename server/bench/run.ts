/**
 * `npm run bench -- [--scale 18] [--rounds 5] [--only quiver,loop,duckdb] [--work .bench]`
 *
 * Loads one graph into every contender, asks all of them the same rows in interleaved rounds, and
 * prints medians and ratios; writes `server/bench/results.md`. Peers are installed on demand into
 * the work folder and are no dependency of the product.
 */
import { type ChildProcess, execFileSync, fork } from 'node:child_process'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import type { Question } from './child.ts'
import type { LoadResult, RowName, RowResult } from './contender.ts'
import { report } from './report.ts'

const PEERS = {
  kuzu: 'kuzu@0.11.3',
  ladybug: '@ladybugdb/core@0.19.1',
  duckdb: '@duckdb/node-api@latest',
  graphology: 'graphology@0.26.0',
} as const

const { values } = parseArgs({
  options: {
    scale: { type: 'string', default: '18' },
    rounds: { type: 'string', default: '5' },
    only: { type: 'string', default: 'quiver,loop,kuzu,ladybug,duckdb,sqlite,graphology' },
    work: { type: 'string', default: '.bench' },
    output: { type: 'string' },
  },
})

export interface Measured {
  readonly name: string
  readonly load: LoadResult
  readonly rows: Map<RowName, RowResult[]>
}

const rowNames: readonly RowName[] = [
  'lookup',
  'hop1',
  'hop2count',
  'hop3count',
  'filteredSum',
  'pagerank10',
  'insertEdge',
]

const root = fileURLToPath(new URL('../..', import.meta.url))
const work = resolve(root, values.work)
const peers = join(work, 'peers')
mkdirSync(work, { recursive: true })
installPeers(values.only.split(','))
execFileSync(process.execPath, [join(root, 'scripts/build.mjs'), '--if-stale'], {
  stdio: 'inherit',
})

const children: { child: ChildProcess; measured: Measured }[] = []
for (const name of values.only.split(',')) {
  const started = await start(name)
  if (started !== null) children.push(started)
}
for (let round = 0; round < Number(values.rounds); round++) {
  for (const row of rowNames) await measureRow(row, round)
}
for (const { child } of children) await ask(child, { kind: 'close' })
const text = report(
  children.map(({ measured }) => measured),
  {
    scale: Number(values.scale),
    rounds: Number(values.rounds),
    machine: `${cpus().length} × ${cpus()[0]?.model}, ${Math.round(totalmem() / 1024 ** 3)} GiB, Node ${process.version}`,
  },
)
process.stdout.write(text)
writeFileSync(values.output ?? join(root, 'server/bench/results.md'), text)

function installPeers(names: readonly string[]): void {
  const wanted = names.filter((name): name is keyof typeof PEERS => name in PEERS)
  const missing = wanted.filter((name) => !existsSync(join(peers, name)))
  if (missing.length === 0) return
  mkdirSync(peers, { recursive: true })
  const allowScripts = Object.fromEntries(['kuzu', '@ladybugdb/core'].map((name) => [name, true]))
  writeFileSync(join(peers, 'package.json'), JSON.stringify({ private: true, allowScripts }))
  const packages = wanted.map((name) => PEERS[name])
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', ...packages], {
    cwd: peers,
    stdio: 'inherit',
  })
  for (const name of wanted) mkdirSync(join(peers, name), { recursive: true })
}

async function start(name: string): Promise<{ child: ChildProcess; measured: Measured } | null> {
  const directory = join(work, name)
  rmSync(directory, { recursive: true, force: true })
  mkdirSync(directory, { recursive: true })
  const script = join(root, 'server/bench/child.ts')
  const child = fork(script, [name, values.scale, directory, peers], {
    execArgv: ['--max-old-space-size=8192'],
  })
  try {
    await reply(child)
    process.stderr.write(`bench: ${name} loads\n`)
    const load = (await ask(child, { kind: 'load' })) as LoadResult
    return { child, measured: { name, load, rows: new Map() } }
  } catch (error) {
    process.stderr.write(`bench: ${name} LEFT OUT: ${String(error)}\n`)
    child.kill()
    return null
  }
}

async function measureRow(row: RowName, round: number): Promise<void> {
  for (const { child, measured } of children) {
    try {
      const result = (await ask(child, { kind: 'row', row, round })) as RowResult | null
      if (result !== null) {
        measured.rows.set(row, [...(measured.rows.get(row) ?? []), result])
      }
    } catch (error) {
      process.stderr.write(`bench: ${measured.name} ${row}: ${String(error)}\n`)
    }
  }
}

async function ask(child: ChildProcess, question: Question): Promise<unknown> {
  child.send(question)
  return await reply(child)
}

function reply(child: ChildProcess): Promise<unknown> {
  return new Promise((settle, fail) => {
    const onExit = (code: number | null) => fail(new Error(`ended with ${code}`))
    child.once('exit', onExit)
    child.once('message', (message: { kind: string; value?: unknown; reason?: string }) => {
      child.off('exit', onExit)
      if (message.kind === 'failed') fail(new Error(message.reason))
      else settle(message.value)
    })
  })
}
