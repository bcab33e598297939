/**
 * `npm run bench -- [options]`, see `usage`.
 *
 * Loads one graph into every contender, asks all of them the same rows in interleaved rounds, and
 * prints medians and ratios; then the micro benchmarks that were asked for. Writes `results.md`.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { MachineSpeed } from './machine-speed.ts'
import { Participant } from './participant.ts'
import { type ContenderName, contenderKinds, contenderNames } from './registry.ts'
import { disagreement, report } from './report.ts'
import { type RowName, rowKinds, rowNames, WARM_UP_ROUNDS } from './rows.ts'

const usage = `npm run bench -- [options]
  --scale N,M        2^N vertices, about 16 edges each; several: one table each (18)
  --rounds N         interleaved rounds (5)
  --heavy-rounds N   rounds of the rows that load and restart (3)
  --only A,B         contenders: ${contenderNames.join(', ')} (all)
  --gap FOLDER       where GAP's programs are built; without it GAP is left out
  --igraph PYTHON    a Python that has igraph; without it igraph is left out
  --parts A,B        rows: the table; storage, kernels, http, parse: micro benchmarks; shared:
                     several servers over PostgreSQL beside SQLite
                     (rows,storage,kernels)
  --work FOLDER      databases, generated files and installed peers (.bench)
  --output FILE      (server/bench/results.md)`

const { values } = parseArgs({
  options: {
    scale: { type: 'string', default: '18' },
    rounds: { type: 'string', default: '5' },
    'heavy-rounds': { type: 'string', default: '3' },
    only: { type: 'string', default: contenderNames.join(',') },
    gap: { type: 'string' },
    igraph: { type: 'string' },
    parts: { type: 'string', default: 'rows,storage,kernels' },
    work: { type: 'string', default: '.bench' },
    output: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})

/** Scripts of their own, whose printed figures are taken over as they are. */
const microBenchmarks: Readonly<Record<string, readonly string[]>> = {
  storage: ['storage.ts', '1'],
  kernels: ['query-kernels.ts', '16'],
  http: ['http.ts'],
  parse: ['upsert-parse.ts'],
  shared: ['shared.ts'],
}

const root = fileURLToPath(new URL('../..', import.meta.url))
const work = resolve(root, values.work)
const peersDirectory = join(work, 'peers')

if (values.help) process.stdout.write(`${usage}\n`)
else await main()

async function main(): Promise<void> {
  mkdirSync(work, { recursive: true })
  execFileSync(process.execPath, [join(root, 'scripts/build.mjs'), '--if-stale'], {
    stdio: 'inherit',
  })
  const parts = values.parts.split(',')
  const scales = parts.includes('rows') ? values.scale.split(',') : []
  const output = values.output ?? join(root, 'server/bench/results.md')
  let text = '# Bench results\n'
  // Written after every section: a run takes the better part of an hour, and may be broken off.
  const add = (section: string) => {
    text += `\n${section}`
    writeFileSync(output, text)
  }
  for (const scale of scales) add(await measureRows(Number(scale)))
  for (const part of parts) if (part !== 'rows') add(microBenchmark(part))
  process.stdout.write(text)
}

async function measureRows(scale: number): Promise<string> {
  const leftOut = new Map<ContenderName, string>()
  const participants: Participant[] = []
  for (const name of chosen()) {
    try {
      participants.push(await takePart(name, scale))
    } catch (error) {
      leftOut.set(name, String(error))
      process.stderr.write(`bench: ${name} LEFT OUT: ${String(error)}\n`)
    }
  }
  const rounds = { light: Number(values.rounds), heavy: Number(values['heavy-rounds']) }
  const speed = new MachineSpeed()
  const measureAll = (rows: readonly RowName[], count: number) =>
    measureRounds(participants, rows, { count, speed })
  await warmUp(participants)
  await measureAll(
    rowNames.filter((row) => !isHeavy(row)),
    rounds.light,
  )
  await measureAll(rowNames.filter(isHeavy), rounds.heavy)
  for (const participant of participants) await participant.close()
  const measured = participants.map((participant) => participant.measured)
  const machine = `${cpus().length} × ${cpus()[0]?.model}, ${Math.round(totalmem() / 1024 ** 3)} GiB, Node ${process.version}`
  const different = rowNames.filter((row) => disagreement(measured, row).length > 0)
  if (different.length > 0) {
    process.stderr.write(`bench: ANSWERS DIFFER in ${different.join(', ')}\n`)
    process.exitCode = 1
  }
  return report(measured, { scale, rounds, machine, speed: speed.text(), leftOut })
}

function chosen(): readonly ContenderName[] {
  const names = values.only.split(',')
  const unknown = names.filter((name) => !(contenderNames as string[]).includes(name))
  if (unknown.length > 0) throw new Error(`unknown contenders ${unknown}; see --help`)
  return names as ContenderName[]
}

async function takePart(name: ContenderName, scale: number): Promise<Participant> {
  const { option, package: packageName } = contenderKinds[name]
  if (option !== undefined && values[option] === undefined) {
    throw new Error(`no option --${option}`)
  }
  if (packageName !== undefined) installPeer(packageName)
  return await Participant.start(name, {
    scale,
    directory: join(work, name),
    dataDirectory: join(work, 'data'),
    peersDirectory,
    paths: {
      ...(values.gap !== undefined && { gap: resolve(values.gap) }),
      ...(values.igraph !== undefined && { igraph: values.igraph }),
    },
  })
}

function installPeer(packageName: string): void {
  const name = packageName.slice(0, packageName.lastIndexOf('@'))
  if (existsSync(join(peersDirectory, 'node_modules', name))) return
  mkdirSync(peersDirectory, { recursive: true })
  const manifest = join(peersDirectory, 'package.json')
  const allowScripts = Object.fromEntries(['kuzu', '@ladybugdb/core'].map((peer) => [peer, true]))
  if (!existsSync(manifest))
    writeFileSync(manifest, JSON.stringify({ private: true, allowScripts }))
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', packageName], {
    cwd: peersDirectory,
    stdio: 'inherit',
  })
}

function isHeavy(row: RowName): boolean {
  return rowKinds[row].isHeavy === true
}

/** V8 goes on compiling for some ten runs of a query, on each of its threads. */
async function warmUp(participants: readonly Participant[]): Promise<void> {
  const rows = rowNames.filter((row) => rowKinds[row].trials !== undefined)
  const compiled = participants.filter(({ measured }) => contenderKinds[measured.name].warmsUp)
  for (let round = 0; round < WARM_UP_ROUNDS; round++) {
    for (const row of rows) for (const participant of compiled) await participant.warmUp(row)
  }
}

async function measureRounds(
  participants: readonly Participant[],
  rows: readonly RowName[],
  { count, speed }: { readonly count: number; readonly speed: MachineSpeed },
): Promise<void> {
  for (let round = 0; round < count; round++) {
    speed.sample()
    for (const row of rows) {
      for (const participant of participants) await participant.measure(row, round)
    }
  }
}

function microBenchmark(part: string): string {
  const script = microBenchmarks[part]
  if (script === undefined) throw new Error(`unknown part ${part}; see --help`)
  const [file, ...rest] = script
  const path = join(root, 'server/bench', file as string)
  process.stderr.write(`bench: ${path}\n`)
  const text = execFileSync(process.execPath, [path, ...rest], { encoding: 'utf8' })
  return `## ${['node', `server/bench/${file}`, ...rest].join(' ')}\n\n\`\`\`\n${text.trimEnd()}\n\`\`\`\n`
}
