/** One contender in a process of its own: `node child.ts NAME SCALE DIRECTORY PEERS`, asked over IPC. */
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Contender, ContenderContext, RowName } from './contender.ts'

export type Question =
  | { readonly kind: 'load' }
  | { readonly kind: 'row'; readonly row: RowName; readonly round: number }
  | { readonly kind: 'close' }

const [name, scale, directory, peers] = process.argv.slice(2) as [string, string, string, string]
const contender = await openContender(name, {
  scale: Number(scale),
  directory,
  load: createRequire(join(peers, 'x.cjs')),
})
process.send?.({ kind: 'ready', rows: Object.keys(contender.rows) })
process.on('message', (question: Question) => {
  answer(question).then(
    (value) => process.send?.({ kind: 'answer', value }),
    (error: unknown) => process.send?.({ kind: 'failed', reason: String(error).slice(0, 300) }),
  )
})

async function answer(question: Question): Promise<unknown> {
  switch (question.kind) {
    case 'load':
      return await contender.load()
    case 'row':
      return (await contender.rows[question.row]?.(question.round)) ?? null
    case 'close':
      await contender.close()
      setImmediate(() => process.exit(0))
      return null
  }
}

async function openContender(kind: string, context: ContenderContext): Promise<Contender> {
  switch (kind) {
    case 'kuzu':
    case 'ladybug':
      return await (await import('./contenders/kuzu.ts')).open(context, kind)
    case 'duckdb':
      return await (await import('./contenders/duckdb.ts')).open(context)
    case 'sqlite':
      return await (await import('./contenders/sqlite.ts')).open(context)
    case 'graphology':
      return await (await import('./contenders/graphology.ts')).open(context)
    case 'loop':
      return await (await import('./contenders/loop.ts')).open(context)
    case 'quiver':
      return await (await import('./contenders/quiver.ts')).open(context)
    default:
      throw new Error(`unknown contender ${kind}`)
  }
}
