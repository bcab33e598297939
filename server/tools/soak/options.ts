/** The options of `npm run soak`. */
import { parseArgs } from 'node:util'
import { exclusiveKinds } from './exclusive.ts'
import { kinds } from './kinds.ts'

export const soakHelp = `Usage: npm run soak -- [options]

Starts a server of its own, works on it with many clients that know what they wrote, kills it,
starts it again, and reports wrong answers, errors, memory and latencies. It ends with 1 when a
promise is broken.

Options
  --minutes <n>    how long the clients work; fractions are allowed (30)
  --clients <n>    clients at the same time (64)
  --items <n>      vertices that each client may have: the key space is bounded (150)
  --pause <ms>     mean pause of a client between two requests (200)
  --kills <n>      how often the server is killed; the last time is at the end (1)
  --seed <n>       seed of the random numbers (from the clock; it is printed)
  --mix <list>     only these kinds, with weights: point-read=10,upsert=1 (all kinds)
  --memory <size>  memory for graphs, passed to the server (the server's default)
  --options <text> further options for the server, separated by spaces
  --program <file> the server to run, such as dist/server/main.js (the sources)
  --data <dir>     directory for the data and the samples; it stays (a temporary one, deleted)
  --heap <seconds> write heap snapshots at this second and at the end; needs --data
  --help           this text`

export interface SoakOptions {
  readonly durationMs: number
  readonly clientCount: number
  readonly itemCount: number
  readonly pauseMs: number
  readonly killCount: number
  readonly seed: number
  /** Null: all kinds with their own weights. */
  readonly mix: ReadonlyMap<string, number> | null
  readonly serverOptions: readonly string[]
  readonly program: string | null
  /** Null: a temporary directory. */
  readonly directory: string | null
  readonly heapAtSecond: number | null
}

/** @returns null when the help is asked for */
export function parseSoakOptions(args: readonly string[]): SoakOptions | null {
  const { values } = parseArgs({
    args: [...args],
    options: {
      minutes: { type: 'string', default: '30' },
      clients: { type: 'string', default: '64' },
      items: { type: 'string', default: '150' },
      pause: { type: 'string', default: '200' },
      kills: { type: 'string', default: '1' },
      seed: { type: 'string' },
      mix: { type: 'string' },
      memory: { type: 'string' },
      options: { type: 'string' },
      program: { type: 'string' },
      data: { type: 'string' },
      heap: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return null
  return {
    durationMs: number('minutes', values.minutes, 0) * 60_000,
    clientCount: wholeNumber('clients', values.clients, 1),
    itemCount: wholeNumber('items', values.items, 10),
    pauseMs: number('pause', values.pause, 0),
    killCount: wholeNumber('kills', values.kills, 0),
    seed: wholeNumber('seed', values.seed ?? String(Date.now() % 2 ** 32), 0),
    mix: values.mix === undefined ? null : parseMix(values.mix),
    serverOptions: [
      ...(values.memory === undefined ? [] : ['--memory', values.memory]),
      ...(values.options?.split(' ').filter((word) => word !== '') ?? []),
    ],
    program: values.program ?? null,
    directory: values.data ?? null,
    heapAtSecond: values.heap === undefined ? null : wholeNumber('heap', values.heap, 1),
  }
}

const kindNames = [...kinds.map(({ name }) => name), ...exclusiveKinds]

function parseMix(text: string): ReadonlyMap<string, number> {
  return new Map(
    text.split(',').map((part) => {
      const [name, weight = '1'] = part.split('=')
      if (!kindNames.includes(name!)) {
        throw new RangeError(`--mix has no kind "${name}"; the kinds are ${kindNames.join(', ')}`)
      }
      return [name!, number(`mix ${name}`, weight, 0)]
    }),
  )
}

function number(name: string, text: string, least: number): number {
  const value = Number(text)
  if (text.trim() === '' || !Number.isFinite(value) || value < least) {
    throw new RangeError(`--${name} must be a number of at least ${least}, not "${text}"`)
  }
  return value
}

function wholeNumber(name: string, text: string, least: number): number {
  const value = number(name, text, least)
  if (!Number.isInteger(value)) throw new RangeError(`--${name} must be a whole number`)
  return value
}
