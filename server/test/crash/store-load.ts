/**
 * A fixed load over a store, and the check that nothing of it was lost: what was folded stands as
 * lines in one blob, the rest in the log; together they are the lines `1, 2, 3, …`, each once.
 */
import { expect } from 'vitest'
import type { Store } from '#storage/store.ts'

export interface LoadResult {
  /** Highest line whose append was acknowledged. */
  acknowledgedLine: number
  /** Lines that were handed to the store. */
  sentLines: number
  /** Values of the document `counter`: acknowledged, and last sent. */
  acknowledgedDocument: number
  sentDocument: number
  failures: unknown[]
}

export async function runLoad(store: Store): Promise<LoadResult> {
  const result: LoadResult = {
    acknowledgedLine: 0,
    sentLines: 0,
    acknowledgedDocument: 0,
    sentDocument: 0,
    failures: [],
  }
  for (let round = 0; round < 3; round++) {
    await attempt(result, () => appendSome(store, result))
    await attempt(result, () => putDocument(store, result))
    await attempt(result, () => checkpoint(store, result))
    await attempt(result, () => appendSome(store, result))
  }
  return result
}

/** Reopened after the load: every acknowledged line and document is there, nothing twice. */
export async function checkLoad(store: Store, result: LoadResult): Promise<void> {
  const manifest = await store.readManifest()
  const folded = manifest === null ? [] : lines(await store.readBlob('lines'))
  expect(folded.length).toBe(manifest?.foldedSequence ?? 0)
  const replayed: number[] = []
  for await (const { payload } of store.readLog(folded.length)) replayed.push(...lines(payload))
  const all = [...folded, ...replayed]
  expect(all).toEqual(all.map((_, index) => index + 1))
  expect(all.length).toBeGreaterThanOrEqual(result.acknowledgedLine)
  expect(all.length).toBeLessThanOrEqual(result.sentLines)
  const document = await store.getDocument('load', 'counter')
  const value = document === null ? 0 : lines(document)[0]!
  expect(value).toBeGreaterThanOrEqual(result.acknowledgedDocument)
  expect(value).toBeLessThanOrEqual(result.sentDocument)
}

async function attempt(result: LoadResult, step: () => Promise<void>): Promise<void> {
  try {
    await step()
  } catch (error) {
    result.failures.push(error)
  }
}

async function appendSome(store: Store, result: LoadResult): Promise<void> {
  const appends = Array.from({ length: 4 }, async () => {
    const line = ++result.sentLines
    await store.append(encode([line]))
    result.acknowledgedLine = Math.max(result.acknowledgedLine, line)
  })
  const outcomes = await Promise.allSettled(appends)
  const refused = outcomes.filter((outcome) => outcome.status === 'rejected')
  for (const { reason } of refused) result.failures.push(reason)
}

async function putDocument(store: Store, result: LoadResult): Promise<void> {
  const value = ++result.sentDocument
  await store.putDocument('load', 'counter', encode([value]))
  result.acknowledgedDocument = value
}

async function checkpoint(store: Store, result: LoadResult): Promise<void> {
  const writer = store.beginSegments()
  const folded = result.acknowledgedLine
  await writer.writeBlob('lines', encode(Array.from({ length: folded }, (_, index) => index + 1)))
  await writer.writeBlob('more', new Uint8Array(100))
  await writer.publish('lines', folded)
}

function encode(numbers: readonly number[]): Uint8Array {
  return new TextEncoder().encode(numbers.map((number) => `${number}\n`).join(''))
}

function lines(bytes: Uint8Array): number[] {
  const text = new TextDecoder().decode(bytes.slice())
  return text.split('\n').filter(Boolean).map(Number)
}
