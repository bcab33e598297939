/** Files as chunks of items, read piece by piece so that size does not matter. */
import Papa from 'papaparse'
import type { LoadChunk, LoadItem, RejectedItem } from './loader.ts'
import type { Mapping } from './mapping.ts'
import { rowFragment } from './row-payload.ts'

const READ_SIZE_BYTES = 512 * 1024

export interface CsvReading {
  readonly delimiter: string
  readonly hasHeader: boolean
  readonly mapping: Mapping
}

/** CSV records as fragments of the mapping's payload. */
export async function* csvChunks(file: File, reading: CsvReading): AsyncGenerator<LoadChunk> {
  let row = 0
  for await (const { rows, bytesRead } of csvRecords(file, reading.delimiter)) {
    const items: LoadItem[] = []
    const rejected: RejectedItem[] = []
    for (const record of rows) {
      row++
      if (row === 1 && reading.hasHeader) continue
      const result = rowFragment(reading.mapping, record)
      if (result.ok) items.push({ row, fragment: result.fragment })
      else rejected.push({ row, reason: result.problem })
    }
    yield { items, rejected, bytesRead }
  }
}

interface CsvPiece {
  readonly rows: readonly (readonly string[])[]
  readonly bytesRead: number
}

/** Papa pushes; a generator pulls: one piece is held while the parser waits. */
async function* csvRecords(file: File, delimiter: string): AsyncGenerator<CsvPiece> {
  const pieces: CsvPiece[] = []
  let parser: Papa.Parser | null = null
  let ended = false
  let failure: unknown = null
  let wake = () => {}
  Papa.parse<string[]>(file, {
    delimiter,
    skipEmptyLines: 'greedy',
    chunkSize: READ_SIZE_BYTES,
    chunk: (results, source) => {
      parser = source
      source.pause()
      pieces.push({ rows: results.data, bytesRead: results.meta.cursor })
      wake()
    },
    complete: () => {
      ended = true
      wake()
    },
    error: (error) => {
      failure = error
      ended = true
      wake()
    },
  })
  const arrival = () =>
    new Promise<void>((resolve) => {
      wake = resolve
      if (pieces.length > 0 || ended) resolve()
    })
  try {
    for (;;) {
      await arrival()
      const piece = pieces.shift()
      if (piece !== undefined) {
        yield piece
        ;(parser as Papa.Parser | null)?.resume()
      } else if (ended) break
    }
  } finally {
    ;(parser as Papa.Parser | null)?.abort()
  }
  if (failure !== null) throw failure
}

/** Lines of NDJSON, each a whole upsert payload; lines that are no JSON object are rejected. */
export async function* ndjsonChunks(file: File): AsyncGenerator<LoadChunk> {
  let row = 0
  let rest = ''
  let bytesRead = 0
  const decoder = new TextDecoder()
  const read = (lines: readonly string[]): LoadChunk => {
    const items: LoadItem[] = []
    const rejected: RejectedItem[] = []
    for (const line of lines) {
      row++
      const text = line.trim()
      if (text === '') continue
      const problem = payloadProblem(text)
      if (problem === null) items.push({ row, fragment: text })
      else rejected.push({ row, reason: problem })
    }
    return { items, rejected, bytesRead }
  }
  for await (const bytes of pieces(file)) {
    bytesRead += bytes.byteLength
    const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    yield read(lines)
  }
  yield read([rest + decoder.decode()])
}

/** A JSON file: one payload, or an array of payloads. */
export async function* jsonChunks(file: File): AsyncGenerator<LoadChunk> {
  const text = await file.text()
  const bytesRead = file.size
  if (!text.trimStart().startsWith('[')) {
    const problem = payloadProblem(text)
    yield problem === null
      ? { items: [{ row: 1, fragment: text }], rejected: [], bytesRead }
      : { items: [], rejected: [{ row: 1, reason: problem }], bytesRead }
    return
  }
  const items = (JSON.parse(text) as unknown[]).map((payload, place) => ({
    row: place + 1,
    fragment: JSON.stringify(payload),
  }))
  yield { items, rejected: [], bytesRead }
}

async function* pieces(file: File): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < file.size; start += READ_SIZE_BYTES) {
    yield new Uint8Array(await file.slice(start, start + READ_SIZE_BYTES).arrayBuffer())
  }
}

function payloadProblem(text: string): string | null {
  try {
    const value: unknown = JSON.parse(text)
    const isPayload = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isPayload ? null : 'not an upsert payload: an object with vertices and edges'
  } catch (error) {
    return error instanceof Error ? error.message : 'not JSON'
  }
}
