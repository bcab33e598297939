/** One soak from an empty directory to the report. */
import { appendFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { createRandom } from '#kernel/prng.ts'
import { login, needsLogin, runOwnQuery, TOKEN_SECONDS } from './accounts.ts'
import { basic } from './caller.ts'
import { Exclusives } from './exclusive.ts'
import { type Kind, kinds } from './kinds.ts'
import { Ledger } from './ledger.ts'
import type { MemorySample } from './memory-windows.ts'
import type { SoakOptions } from './options.ts'
import { type ProbeFigures, Prober } from './prober.ts'
import { valueAt } from './read-state.ts'
import { everything } from './schema.ts'
import type { ServerSample } from './server-probe.ts'
import { ServerProcess } from './server-process.ts'
import { setUp } from './set-up.ts'
import { isNoAnswer, pause, SoakClient } from './soak-client.ts'
import { sumsOf } from './sums.ts'
import { largeUpsert } from './writes.ts'

const CHECK_EVERY_MS = 120_000
const CHECKED_AT_ONCE = 4
const ENGINE_EVERY_SAMPLES = 5
const LAST_SIZE_BYTES_MIN = 4_000_000
const ADMIN = { user: 'tigergraph', password: 'soak-password-1' }
/** Shorter soaks do exclusive work more often, so that every kind occurs. */
const FULL_LENGTH_MS = 120_000

export interface SoakResult {
  readonly ledger: Ledger
  readonly probes: readonly ProbeFigures[]
  readonly samples: readonly SoakSample[]
  readonly killCount: number
  readonly quietChecks: number
  /** How long each start took, the first one on an empty directory. */
  readonly startMs: readonly number[]
  readonly crashes: readonly string[]
  readonly stopCodes: readonly (number | null)[]
}

export async function runSoak(
  options: SoakOptions,
  directory: string,
  say: (line: string) => void,
): Promise<SoakResult> {
  const soak = new Soak(options, directory, say)
  return soak.run()
}

class Soak {
  readonly #options: SoakOptions
  readonly #directory: string
  readonly #say: (line: string) => void
  readonly #ledger = new Ledger()
  readonly #admin: SoakClient
  readonly #clients: readonly SoakClient[]
  readonly #exclusives: Exclusives
  readonly #kinds: readonly Kind[]
  readonly #startedMs = performance.now()
  readonly #samples: SoakSample[] = []
  readonly #probes: ProbeFigures[] = []
  readonly #startMs: number[] = []
  readonly #crashes: string[] = []
  readonly #stopCodes: (number | null)[] = []
  #server: ServerProcess | null = null
  #prober: Prober | null = null
  #killCount = 0
  #quietChecks = 0
  /** Clients wait behind it while everything is checked. */
  #gate: Promise<void> = Promise.resolve()
  #isOver = false
  #exclusiveDueMs = new Map<string, number>()
  #isExclusiveBusy = false
  #engineBytes = 0

  constructor(options: SoakOptions, directory: string, say: (line: string) => void) {
    this.#options = options
    this.#directory = directory
    this.#say = say
    const files = join(directory, 'data', 'files')
    mkdirSync(files, { recursive: true })
    this.#admin = this.#makeClient(0, ADMIN)
    this.#clients = Array.from({ length: options.clientCount }, (_, index) =>
      this.#makeClient(index + 1, { user: `soak${index + 1}`, password: `soak-password-${index}` }),
    )
    this.#exclusives = new Exclusives(this.#admin, this.#ledger, files)
    this.#kinds = chosenKinds(options.mix)
  }

  #makeClient(client: number, identity: { user: string; password: string }): SoakClient {
    const place = {
      client,
      itemCount: this.#options.itemCount,
      itemId: (index: number) => `c${client}-${index}`,
    }
    const authorization = basic(identity.user, identity.password)
    const random = createRandom(this.#options.seed + client * 7_919)
    return new SoakClient({ ...identity, authorization }, place, { random, ledger: this.#ledger })
  }

  async run(): Promise<SoakResult> {
    try {
      await this.#start()
      await setUp(this.#admin, this.#clients, ADMIN)
      await this.#writeLast()
      await this.#restartAfter('stop')
      const { killCount, durationMs } = this.#options
      const periods = Math.max(1, killCount)
      for (let period = 0; period < periods && this.#crashes.length === 0; period++) {
        await this.#workFor(durationMs / periods)
        if (killCount > 0) await this.#killAndCheck()
      }
      await this.#restartAfter('stop')
      await this.#checkEverything('after a clean stop')
    } finally {
      await this.#finish()
    }
    return {
      ledger: this.#ledger,
      probes: this.#probes,
      samples: this.#samples,
      killCount: this.#killCount,
      quietChecks: this.#quietChecks,
      startMs: this.#startMs,
      crashes: this.#crashes,
      stopCodes: this.#stopCodes,
    }
  }

  async #finish(): Promise<void> {
    for (const { caller } of [this.#admin, ...this.#clients]) caller.close()
    const code = await this.#server?.stop()
    if (code !== undefined) this.#stopCodes.push(code)
  }

  async #start(): Promise<void> {
    const server = await ServerProcess.start({
      program: this.#options.program,
      directory: join(this.#directory, 'data'),
      options: ['--log-level', 'error', ...this.#options.serverOptions],
      onSample: (sample) => this.#takeSample(sample),
    })
    this.#startMs.push(server.startMs)
    this.#server = server
    for (const { caller } of [this.#admin, ...this.#clients]) caller.connectTo(server.port)
  }

  /** Every third client works with tokens; the others send their password. */
  async #logIn(): Promise<void> {
    for (const [index, client] of this.#clients.entries()) {
      if (index % 3 !== 0) continue
      client.tokenUntilMs = Date.now() + TOKEN_SECONDS
      await login(client, this.#ledger)
    }
  }

  async #workFor(durationMs: number): Promise<void> {
    this.#isOver = false
    await this.#logIn()
    this.#prober = new Prober({
      port: this.#server!.port,
      authorization: this.#admin.caller.authorization,
    })
    const untilMs = performance.now() + durationMs
    const clients = this.#clients.map((client) => this.#work(client, untilMs))
    const checks = this.#checkAtTimes(untilMs)
    await Promise.race([Promise.all(clients), this.#waitForEnd(untilMs)])
    this.#isOver = true
    this.#probes.push(await this.#prober.figures())
    if (this.#server!.hasCrashed) this.#crashes.push(this.#server!.ending)
    // Each second kill finds a server at rest, the others requests under way.
    const isBusyKill = this.#options.killCount > 0 && this.#killCount % 2 === 0
    if (isBusyKill) await this.#server!.kill()
    await Promise.all([...clients, checks])
    if (!isBusyKill) await this.#writeLast()
  }

  /** What stands last in the log when the server ends, of the size of its blocks or larger. */
  async #writeLast(): Promise<void> {
    const { random } = this.#admin
    const write = largeUpsert(random, this.#clients[0]!.place, LAST_SIZE_BYTES_MIN)
    await this.#clients[0]!.write('last-write', write)
  }

  async #waitForEnd(untilMs: number): Promise<void> {
    while (performance.now() < untilMs && !this.#server!.hasCrashed) await pause(100)
  }

  async #work(client: SoakClient, untilMs: number): Promise<void> {
    await pause(client.random.below(this.#options.pauseMs + 1))
    try {
      while (!this.#isOver && performance.now() < untilMs + 1_000) {
        await this.#gate
        await this.#oneTask(client)
        const { pauseMs } = this.#options
        if (pauseMs > 0) await pause(client.random.next() * 2 * pauseMs)
      }
    } catch (error) {
      if (!isNoAnswer(error)) throw error
      if (!this.#isOver) this.#ledger.failed('connection', 0, `${error.message} ${error.cause}`)
    }
  }

  async #oneTask(client: SoakClient): Promise<void> {
    if (needsLogin(client)) return login(client, this.#ledger)
    if (await this.#exclusiveWork()) return
    await chooseKind(this.#kinds, client.random.next()).run(client, this.#ledger)
  }

  /** @returns true when this client did a piece of exclusive work */
  async #exclusiveWork(): Promise<boolean> {
    if (this.#isExclusiveBusy) return false
    const nowMs = performance.now()
    const due = this.#exclusives.all.find((work) => this.#isDue(work, nowMs))
    if (due === undefined) return false
    this.#isExclusiveBusy = true
    try {
      await due.run()
    } finally {
      this.#isExclusiveBusy = false
      this.#exclusiveDueMs.set(due.kind, performance.now() + this.#everyMs(due))
    }
    return true
  }

  #isDue(work: { readonly kind: string; readonly everyMs: number }, nowMs: number): boolean {
    const { mix } = this.#options
    if (mix !== null && !mix.has(work.kind)) return false
    const dueMs = this.#exclusiveDueMs.get(work.kind)
    if (dueMs === undefined) this.#exclusiveDueMs.set(work.kind, nowMs + this.#everyMs(work) / 2)
    return dueMs !== undefined && nowMs >= dueMs
  }

  #everyMs({ kind, everyMs }: { readonly kind: string; readonly everyMs: number }): number {
    const weight = this.#options.mix?.get(kind) ?? 1
    return (
      (everyMs * Math.min(1, this.#options.durationMs / FULL_LENGTH_MS)) / Math.max(weight, 0.01)
    )
  }

  async #checkAtTimes(untilMs: number): Promise<void> {
    for (;;) {
      const nextMs = performance.now() + CHECK_EVERY_MS
      while (performance.now() < nextMs) {
        if (this.#isOver || performance.now() > untilMs) return
        await pause(100)
      }
      await this.#checkQuietly().catch((error: unknown) => {
        if (!isNoAnswer(error)) throw error
      })
    }
  }

  /** All clients wait while everything is compared. */
  async #checkQuietly(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#gate = promise
    try {
      while (this.#clients.some(({ pending }) => pending !== null) || this.#isExclusiveBusy) {
        if (this.#isOver) return
        await pause(20)
      }
      await this.#checkEverything('quiet point')
      this.#quietChecks++
    } finally {
      resolve()
    }
  }

  async #checkEverything(when: string): Promise<void> {
    const waiting = [...this.#clients]
    const checkNext = async (): Promise<void> => {
      for (let client = waiting.pop(); client !== undefined; client = waiting.pop()) {
        await client.settle(when)
        await runOwnQuery(client, this.#ledger)
      }
    }
    await Promise.all(Array.from({ length: CHECKED_AT_ONCE }, checkNext))
    const call = { method: 'POST', path: '/gsql/v1/queries/interpret', body: everything } as const
    const answer = await this.#admin.send(when, call)
    if (answer === null) return
    this.#ledger.expectEqual(when, 'sums of all', [
      valueAt(answer.body, 'results.0'),
      sumsOf(this.#clients),
    ])
  }

  async #killAndCheck(): Promise<void> {
    this.#killCount++
    await this.#restartAfter('kill')
    await this.#exclusives.settle()
    await this.#checkEverything(`after kill ${this.#killCount}`)
    this.#say(
      `kill ${this.#killCount}: restarted in ${(this.#startMs.at(-1)! / 1_000).toFixed(1)} s`,
    )
  }

  async #restartAfter(ending: 'kill' | 'stop'): Promise<void> {
    if (ending === 'kill') await this.#server!.kill()
    else this.#stopCodes.push(await this.#server!.stop())
    await this.#start()
  }

  async #readEngineBytes(): Promise<void> {
    const path = '/informant/metrics'
    const answer = await this.#admin.caller.send({ method: 'GET', path }).catch(() => null)
    const [, bytes] = /^quiver_engine_memory_used_bytes (\d+)/m.exec(answer?.text ?? '') ?? []
    if (bytes !== undefined) this.#engineBytes = Number(bytes)
  }

  #takeSample(sample: ServerSample): void {
    const second = (performance.now() - this.#startedMs) / 1_000
    if (this.#samples.length % ENGINE_EVERY_SAMPLES === 0) void this.#readEngineBytes()
    const engineBytes = this.#engineBytes
    const whole: SoakSample = { second, start: this.#startMs.length, engineBytes, ...sample }
    this.#samples.push(whole)
    appendFileSync(join(this.#directory, 'samples.ndjson'), `${JSON.stringify(whole)}\n`)
    const count = this.#samples.length
    if (count === this.#options.heapAtSecond) {
      this.#server?.writeHeapSnapshot(join(this.#directory, `heap-${count}.heapsnapshot`))
    }
    if (count % 60 === 0) this.#say(progressLine(whole, this.#ledger))
  }
}

/** A sample of the server's process, and the memory that its engine counts as the graph's. */
export interface SoakSample extends ServerSample, MemorySample {
  readonly engineBytes: number
}

function progressLine(sample: SoakSample, ledger: Ledger): string {
  const megabytes = (bytes: number) => `${Math.round(bytes / 2 ** 20)} MB`
  return (
    `${Math.round(sample.second / 60)} min: resident ${megabytes(sample.residentBytes)}, ` +
    `heap ${megabytes(sample.heapBytes)}, ${ledger.acknowledgedWrites} writes, ` +
    `${ledger.wrongCount} wrong, ${ledger.errors.size} kinds of errors`
  )
}

function chosenKinds(mix: SoakOptions['mix']): readonly Kind[] {
  if (mix === null) return kinds
  return kinds
    .filter(({ name }) => mix.has(name))
    .map((kind) => ({ ...kind, weight: mix.get(kind.name)! }))
}

/** @param share in [0, 1) */
function chooseKind(among: readonly Kind[], share: number): Kind {
  const total = among.reduce((sum, { weight }) => sum + weight, 0)
  let rest = share * total
  for (const kind of among) {
    rest -= kind.weight
    if (rest < 0) return kind
  }
  return among.at(-1)!
}
