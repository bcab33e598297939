/** The built server as a process of its own: started on a data directory, ended by its pid. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const START_TIMEOUT_MS = 60_000
const END_TIMEOUT_MS = 30_000
export const program = fileURLToPath(new URL('../dist/server/main.js', import.meta.url))
/** Several servers start in a run of all tests: their code is compiled by the first of them. */
export const compiled = fileURLToPath(new URL('../node_modules/.cache/quiver-e2e', import.meta.url))

export async function launch(
  directory: string,
  port: number,
  more: readonly string[] = [],
): Promise<{ child: ChildProcess; url: string }> {
  const options = ['--port', String(port), '--data', directory, '--log-level', 'warn', ...more]
  const child = spawn(process.execPath, [program, ...options], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE_COMPILE_CACHE: compiled },
  })
  const url = await announcedUrl(child)
  return { child, url }
}

/** The server prints its address when it listens. */
function announcedUrl(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    const timer = setTimeout(() => {
      child.kill('SIGKILL')
      reject(new Error(`no address in: ${text}`))
    }, START_TIMEOUT_MS)
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}: ${text}`)))
    child.stdout?.on('data', (chunk: Buffer) => {
      text += chunk.toString()
      const address = /http:\/\/127\.0\.0\.1:\d+/.exec(text)
      if (address === null) return
      clearTimeout(timer)
      resolve(address[0])
    })
  })
}

export async function end(child: ChildProcess, signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill(signal)
  const late = setTimeout(() => child.kill('SIGKILL'), END_TIMEOUT_MS)
  await gone
  clearTimeout(late)
}

export async function loadSample(url: string): Promise<string> {
  const answer = await fetch(`${url}/quiver/v1/sample`, { method: 'POST' })
  if (!answer.ok) throw new Error(`sample: ${answer.status} ${await answer.text()}`)
  return ((await answer.json()) as { results: { graph: string } }).results.graph
}
