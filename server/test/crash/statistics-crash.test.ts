/** Kills the real server a few seconds after requests: their statistics are there when it is back. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { startServer } from './running-server.ts'

const REQUESTS = 25
/** A tenth of this is what it takes; a minute is what it took. */
const SAVED_WITHIN_MS = 40_000

it('statistics survive a kill but for the last seconds', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'quiver-kill-'))
  let server = await startServer(directory)
  try {
    const from = Math.floor(Date.now() / 1000) - 60
    await server.request('POST', '/gsql/v1/schema/graphs?graphName=crash', { VertexTypes: [] })
    for (let count = 0; count < REQUESTS; count++) await server.request('GET', '/restpp/echo')
    await untilSaved(join(directory, 'log.db'), 'GET /echo', REQUESTS)
    await server.kill()
    server = await startServer(directory)
    const to = Math.floor(Date.now() / 1000) + 1
    const path = `/quiver/v1/statistics/crash/history?from=${from}&to=${to}`
    const { body } = await server.request('GET', path)
    const found = body.results.endpoints.find(
      (one: { endpoint: string }) => one.endpoint === 'GET /echo',
    )
    expect(found?.summary.completed).toBe(REQUESTS)
  } finally {
    await server.kill()
    rmSync(directory, { recursive: true })
  }
}, 120_000)

async function untilSaved(path: string, key: string, count: number): Promise<void> {
  for (let waitedMs = 0; waitedMs < SAVED_WITHIN_MS; waitedMs += 200) {
    if (savedCount(path, key) === count) return
    await pause(200)
  }
  throw new Error(`the statistics were not saved within ${SAVED_WITHIN_MS} ms`)
}

/** What the slices on disk hold of one endpoint. */
function savedCount(path: string, endpoint: string): number {
  if (!existsSync(path)) return 0
  const database = new DatabaseSync(path, { readOnly: true, timeout: 5_000 })
  try {
    const slices = database
      .prepare("SELECT bytes FROM documents WHERE collection = 'statistics-recent'")
      .all()
      .map((row) => JSON.parse(Buffer.from(row['bytes'] as Uint8Array).toString()))
    return slices
      .flatMap(({ intervals }) => intervals)
      .flatMap(({ cells }) => cells)
      .filter(([key]) => key === endpoint)
      .reduce((sum, [, , , [completed]]) => sum + completed, 0)
  } finally {
    database.close()
  }
}
