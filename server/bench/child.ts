/** One contender in a process of its own, asked over IPC: `node child.ts NAME SETTINGS-JSON`. */
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Contender, ContenderContext, RowResult } from './contender.ts'
import { type ContenderName, contenderKinds } from './registry.ts'
import { type RowName, rowKinds } from './rows.ts'

export type Question =
  | { readonly kind: 'load' }
  | { readonly kind: 'row'; readonly row: RowName; readonly round: number }
  | { readonly kind: 'close' }

export interface ChildSettings extends Omit<ContenderContext, 'load'> {
  readonly peersDirectory: string
}

const [name, json] = process.argv.slice(2) as [ContenderName, string]
const { peersDirectory, ...settings } = JSON.parse(json) as ChildSettings
const contender: Contender = await contenderKinds[name].open({
  ...settings,
  load: createRequire(join(peersDirectory, 'x.cjs')),
})
process.send?.({ kind: 'ready' })
// A bench that was ended leaves no server or peer behind.
process.once('disconnect', () => void contender.close().finally(() => process.exit(1)))
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
      return await rowOf(question.row, question.round)
    case 'close':
      await contender.close()
      setImmediate(() => process.exit(0))
      return null
  }
}

async function rowOf(row: RowName, round: number): Promise<RowResult | null> {
  const measure = contender.rows[row]
  if (measure === undefined) return null
  const count = contender.triesItself === true ? 1 : (rowKinds[row].trials ?? 1)
  const trials: RowResult[] = []
  for (let trial = 0; trial < count; trial++) trials.push(await measure(round))
  return { ...trials[0]!, seconds: Math.min(...trials.map(({ seconds }) => seconds)) }
}
