/** For the tests of this folder: a directory that goes away, damage to order, short ways in. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Clock } from '#kernel/clock.ts'
import type { Store } from '../store.ts'

export const testClock: Clock = { nowMs: () => 1_700_000_000_000, monotonicMs: () => 0 }

export interface TestDirectory extends Disposable {
  readonly path: string
}

export function testDirectory(): TestDirectory {
  const path = mkdtempSync(join(tmpdir(), 'quiver-test-'))
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) }
}

/** Runs SQL on a closed file, as a bug or a bad disk might. */
export function tamper(path: string, sql: string, ...values: (string | number)[]): void {
  const database = new DatabaseSync(path)
  database.prepare(sql).run(...values)
  database.close()
}

/** Flips a bit inside a blob of a closed file. */
export function flipBit(
  path: string,
  { table, where, offset }: { table: string; where: string; offset: number },
): void {
  const database = new DatabaseSync(path)
  const row = database.prepare(`SELECT rowid, bytes FROM ${table} WHERE ${where}`).get()
  const bytes = Uint8Array.from(row!['bytes'] as Uint8Array)
  bytes[offset]! ^= 1
  database.prepare(`UPDATE ${table} SET bytes = ? WHERE ${where}`).run(bytes)
  database.close()
}

export function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}

export async function appendEach(store: Store, texts: readonly string[]): Promise<void> {
  for (const text of texts) await store.append(bytesOf(text))
}

export async function logTexts(store: Store, after = 0): Promise<string[]> {
  const texts: string[] = []
  for await (const { payload } of store.readLog(after))
    texts.push(new TextDecoder().decode(payload))
  return texts
}

export async function publishBlob(store: Store, text: string, folded: number): Promise<void> {
  const writer = store.beginSegments()
  await writer.writeBlob('blob', bytesOf(text))
  await writer.publish('', folded)
}
