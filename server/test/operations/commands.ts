/** The commands of docs/operations/cluster.md, run as they stand there, as a user other than root. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { delimiter } from 'node:path'
import process from 'node:process'
import { postgresFolder } from '../../../scripts/postgres.mjs'

const page = readFileSync(new URL('../../../docs/operations/cluster.md', import.meta.url), 'utf8')
/** `nobody`, to whom the directories of `makePostgresDirectory` belong. */
const UNPRIVILEGED = 65_534
const user = process.getuid?.() === 0 ? { uid: UNPRIVILEGED, gid: UNPRIVILEGED } : {}

/** A block of commands by its name: the second word behind its fence. */
export function commandsNamed(name: string): string {
  const match = new RegExp(`^( *)\`\`\`sh ${name}\\n([\\s\\S]*?)^\\1\`\`\`$`, 'm').exec(page)
  if (match === null) throw new Error(`no commands named ${name} in docs/operations/cluster.md`)
  const [, indent = '', text = ''] = match
  return text.replaceAll(new RegExp(`^${indent}`, 'gm'), '')
}

/**
 * Runs lines of a shell up to the first that fails. @returns what they wrote
 * @throws Error with it when one failed
 */
export async function run(
  commands: string,
  variables: Readonly<Record<string, string>>,
): Promise<string> {
  const path = `${postgresFolder()}${delimiter}${process.env['PATH']}`
  const child = spawn('/bin/sh', ['-e', '-c', commands], {
    ...user,
    cwd: '/',
    // What a server that is started keeps open would hold a pipe open.
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: path, LC_ALL: 'C', TZ: 'UTC', ...variables },
  })
  let output = ''
  child.stdout.on('data', (data: unknown) => (output += String(data)))
  child.stderr.on('data', (data: unknown) => (output += String(data)))
  const [status] = (await once(child, 'exit')) as [number | null]
  if (status !== 0) throw new Error(`ended with ${status}: ${output}\n${commands}`)
  return output
}
