/** A contender's process as the bench drives it, and everything it has measured so far. */
import { type ChildProcess, fork } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { ChildSettings, Question } from './child.ts'
import type { LoadResult, RowResult } from './contender.ts'
import type { ContenderName } from './registry.ts'
import type { RowName } from './rows.ts'

export interface Measured {
  readonly name: ContenderName
  readonly load: LoadResult
  readonly rows: Map<RowName, RowResult[]>
}

export class Participant {
  readonly measured: Measured
  readonly #child: ChildProcess

  private constructor(child: ChildProcess, measured: Measured) {
    this.#child = child
    this.measured = measured
  }

  /** Starts the process in an empty folder and loads the graph. */
  static async start(name: ContenderName, settings: ChildSettings): Promise<Participant> {
    rmSync(settings.directory, { recursive: true, force: true })
    mkdirSync(settings.directory, { recursive: true })
    const script = fileURLToPath(new URL('child.ts', import.meta.url))
    const child = fork(script, [name, JSON.stringify(settings)], {
      execArgv: ['--max-old-space-size=8192'],
    })
    try {
      await reply(child)
      process.stderr.write(`bench: ${name} loads\n`)
      const load = (await ask(child, { kind: 'load' })) as LoadResult
      return new Participant(child, { name, load, rows: new Map() })
    } catch (error) {
      child.kill()
      throw error
    }
  }

  /** Asks without keeping the answer. */
  async warmUp(row: RowName): Promise<void> {
    try {
      await ask(this.#child, { kind: 'row', row, round: 0 })
    } catch {
      // Told when it is measured.
    }
  }

  async measure(row: RowName, round: number): Promise<void> {
    const { name, rows } = this.measured
    try {
      const result = (await ask(this.#child, { kind: 'row', row, round })) as RowResult | null
      if (result !== null) rows.set(row, [...(rows.get(row) ?? []), result])
    } catch (error) {
      process.stderr.write(`bench: ${name} ${row} FAILED: ${String(error)}\n`)
    }
  }

  async close(): Promise<void> {
    try {
      await ask(this.#child, { kind: 'close' })
    } catch (error) {
      process.stderr.write(`bench: ${this.measured.name} close FAILED: ${String(error)}\n`)
      this.#child.kill()
    }
  }
}

async function ask(child: ChildProcess, question: Question): Promise<unknown> {
  if (!child.connected) throw new Error('it has ended')
  child.send(question)
  return await reply(child)
}

function reply(child: ChildProcess): Promise<unknown> {
  return new Promise((settle, fail) => {
    const onExit = (code: number | null, signal: string | null) =>
      fail(new Error(`it ended with ${code ?? signal}`))
    child.once('exit', onExit)
    child.once('message', (message: { kind: string; value?: unknown; reason?: string }) => {
      child.off('exit', onExit)
      if (message.kind === 'failed') fail(new Error(message.reason))
      else settle(message.value)
    })
  })
}
