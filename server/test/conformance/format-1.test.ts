/** Files as format version 1 wrote them are read for ever; the fixture is never made again. */
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { openSqliteStore } from '#storage/sqlite/sqlite-store.ts'

const FIXTURE = fileURLToPath(new URL('../fixtures/format-1', import.meta.url))
const clock = { nowMs: () => 0, monotonicMs: () => 0 }

it('reads log, segments and documents of format 1, and writes on', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'quiver-format-'))
  cpSync(FIXTURE, directory, { recursive: true })
  const store = await openSqliteStore({ directory, clock })
  expect(await store.readManifest()).toMatchObject({
    foldedSequence: 3,
    description: '{"made":"by format 1"}',
  })
  expect(text(await store.readBlob('ids'))).toBe('ids of format 1')
  expect(text(await store.readBlob('empty'))).toBe('')
  const entries: string[] = []
  for await (const { sequence, payload } of store.readLog(3)) {
    entries.push(`${sequence} ${text(payload)}`)
  }
  expect(entries).toEqual(['4 four', '5 five'])
  expect(text((await store.getDocument('users', 'ada'))!)).toBe('{"name":"Ada"}')
  expect(await store.append(new TextEncoder().encode('six'))).toBe(6)
  await store.close()
  rmSync(directory, { recursive: true })
})

function text(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes.slice())
}
