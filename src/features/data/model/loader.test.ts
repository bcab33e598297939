/// <reference types="node" />
import { describe, expect, it } from 'vitest'
import { sniffEncoding } from '#lib/csv/text-decoding.ts'
import { sampleSchema } from '#lib/graph-schema/sample-schema.ts'
import { findVertex } from '#lib/graph-schema/schema-model.ts'
import { csvChunks, dryRun, jsonChunks, ndjsonChunks } from './file-chunks.ts'
import {
  IN_FLIGHT_MAX,
  type LoadChunk,
  Loader,
  type LoadProgress,
  REFUSALS_IN_A_ROW_MAX,
  RefusedError,
  type RejectedItem,
  rejectedText,
  sentShare,
  speedOf,
} from './loader.ts'
import { guessMapping } from './mapping.ts'
import { joinedPayload } from './row-payload.ts'

async function* chunksOf(rows: number, size: number): AsyncGenerator<LoadChunk> {
  for (let row = 1; row <= rows; row += size) {
    const count = Math.min(size, rows - row + 1)
    const items = Array.from({ length: count }, (_, at) => ({
      row: row + at,
      fragment: String(row + at),
      source: [`cell ${row + at}`],
    }))
    yield { items, rejected: [], bytesRead: row + count - 1 }
  }
}

function loaderOf(
  rows: number,
  send: (rows: readonly number[]) => Promise<void>,
  onProgress: (progress: LoadProgress) => void = () => {},
): Loader {
  return new Loader({
    chunks: chunksOf(rows, 7),
    batchRows: 5,
    payloadOf: (fragments) => fragments.join(','),
    onProgress,
    send: async (payload) => {
      const sent = payload.split(',').map(Number)
      await send(sent)
      return { acceptedVertices: sent.length, acceptedEdges: 0, createdEndpoints: 2, skipped: 0 }
    },
  })
}

const tick = () => new Promise((resolve) => setImmediate(resolve))

describe('Loader', () => {
  it('sends every row once, with no more than four requests at a time', async () => {
    const seen: number[] = []
    let flying = 0
    let most = 0
    const loader = loaderOf(103, async (rows) => {
      flying++
      most = Math.max(most, flying)
      await tick()
      flying--
      seen.push(...rows)
    })
    const progress = await loader.run()
    expect(seen.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 103 }, (_, at) => at + 1))
    expect(most).toBe(IN_FLIGHT_MAX)
    expect(progress).toMatchObject({
      state: 'done',
      rowsSent: 103,
      rowsRead: 103,
      acceptedVertices: 103,
    })
    expect(progress.createdEndpoints).toBe(2 * Math.ceil(103 / 5))
  })

  it('counts what is missing of the rows that are taken, by attribute', async () => {
    const row = (number: number, empty: readonly string[]) => ({
      ...{ row: number, fragment: String(number), source: '', defaulted: empty },
    })
    async function* chunks(items: LoadChunk['items']): AsyncGenerator<LoadChunk> {
      yield { items, rejected: [], bytesRead: 1 }
    }
    const run = (items: LoadChunk['items'], isRefused: boolean, continues?: LoadProgress) =>
      new Loader({
        chunks: chunks(items),
        ...(continues !== undefined && { continues }),
        payloadOf: (fragments) => fragments.join(','),
        onProgress: () => undefined,
        send: async (payload) => {
          if (isRefused && payload.includes('2')) throw new RefusedError('2 is wrong')
          return { acceptedVertices: 1, acceptedEdges: 0, createdEndpoints: 1, skipped: 0 }
        },
      }).run()
    const rows = [row(1, ['age', 'name']), row(2, ['age']), row(3, [])]
    const first = await run(rows, true)
    expect([...first.defaulted]).toEqual([
      ['age', 1],
      ['name', 1],
    ])
    const again = await run([row(2, ['age'])], false, first)
    expect([...again.defaulted]).toEqual([
      ['age', 2],
      ['name', 1],
    ])
    expect(again.createdEndpoints).toBe(first.createdEndpoints + 1)
  })

  it('finds the rows at fault in a refused batch and sends the others', async () => {
    const bad = new Set([3, 17, 18])
    const seen: number[] = []
    const loader = loaderOf(40, async (rows) => {
      const wrong = rows.find((row) => bad.has(row))
      if (wrong !== undefined) throw new RefusedError(`row ${wrong} is wrong`)
      seen.push(...rows)
    })
    const progress = await loader.run()
    expect(progress.rejected.toSorted((a, b) => a.row - b.row)).toEqual(
      [3, 17, 18].map((row) => ({
        row,
        reason: `row ${row} is wrong`,
        source: [`cell ${row}`],
      })),
    )
    expect(seen).toHaveLength(37)
    expect(progress).toMatchObject({ state: 'done', rowsSent: 37, rejectedCount: 3 })
  })

  it('stops with the reason when the way to the server breaks', async () => {
    const loader = loaderOf(40, async (rows) => {
      if (rows.includes(12)) throw new Error('down')
    })
    const progress = await loader.run()
    expect(progress).toMatchObject({ state: 'failed', failure: new Error('down') })
    expect(progress.rowsSent).toBeLessThan(40)
  })

  it('sends nothing while paused, and goes on where it was', async () => {
    let sent = 0
    const loader: Loader = loaderOf(100, async (rows) => {
      sent += rows.length
      if (sent === 10) loader.pause()
      await tick()
    })
    const running = loader.run()
    for (let wait = 0; wait < 50; wait++) await tick()
    const whilePaused = sent
    expect(loader.progress.state).toBe('paused')
    expect(whilePaused).toBeLessThanOrEqual(10 + 5 * IN_FLIGHT_MAX)
    for (let wait = 0; wait < 50; wait++) await tick()
    expect(sent).toBe(whilePaused)
    loader.resume()
    expect((await running).state).toBe('done')
    expect(sent).toBe(100)
  })

  it('can be stopped while paused', async () => {
    const loader: Loader = loaderOf(100, async () => loader.pause())
    const running = loader.run()
    for (let wait = 0; wait < 20; wait++) await tick()
    loader.stop()
    expect((await running).state).toBe('stopped')
  })

  it('tells its speed from rows and what is left from bytes', () => {
    const rows = { rowsRead: 500, rowsSent: 500, rejectedCount: 0 }
    const progress = { ...rows, bytesRead: 250 } as LoadProgress
    expect(speedOf(progress, 1_000, 2_000)).toEqual({ rowsPerSecond: 250, remainingMs: 6_000 })
  })

  it('does not take for done what was read and not sent', () => {
    const read = { rowsRead: 12_000, rejectedCount: 1_000, bytesRead: 800 }
    expect(sentShare({ ...read, rowsSent: 5_000 } as LoadProgress, 1_600)).toBe(0.25)
    expect(sentShare({ ...read, rowsSent: 11_000 } as LoadProgress, 800)).toBe(1)
    expect(sentShare({ rowsRead: 0, bytesRead: 800 } as LoadProgress, 800)).toBe(0)
  })

  it('goes on counting when rejected rows are tried again', async () => {
    const bad = new Set([3, 17])
    const send = async (rows: readonly number[]) => {
      const wrong = rows.find((row) => bad.has(row))
      if (wrong !== undefined) throw new RefusedError('wrong')
    }
    const first = await loaderOf(40, send).run()
    bad.delete(3)
    const items = first.rejected.map((one) => ({ ...one, fragment: String(one.row) }))
    const again = await new Loader({
      chunks: (async function* () {
        yield { items, rejected: [], bytesRead: first.bytesRead }
      })(),
      payloadOf: (fragments) => fragments.join(','),
      onProgress: () => {},
      continues: first,
      send: async (payload) => {
        const rows = payload.split(',').map(Number)
        await send(rows)
        return { acceptedVertices: rows.length, acceptedEdges: 0, createdEndpoints: 0, skipped: 0 }
      },
    }).run()
    expect(again).toMatchObject({
      state: 'done',
      rowsRead: 40,
      rowsSent: 39,
      acceptedVertices: 39,
      rejectedCount: 1,
      rejected: [{ row: 17 }],
    })
  })

  it('gives up when the server refuses row after row', async () => {
    let requests = 0
    const loader = loaderOf(100_000, async () => {
      requests++
      throw new RefusedError('no such type')
    })
    const progress = await loader.run()
    expect(progress).toMatchObject({ state: 'failed' })
    expect(String(progress.failure)).toContain('no such type')
    expect(requests).toBeLessThan(REFUSALS_IN_A_ROW_MAX * 3)
  })

  it('hands rejected rows back as they were, with the reason', () => {
    const rows = [{ row: 2, reason: 'a "b"', source: ['1', 'x, y'] }]
    expect(rejectedText(rows, ['id', 'name', 'age'])).toBe(
      'id,name,age,row,reason\r\n1,"x, y",,2,"a ""b"""\r\n',
    )
    expect(rejectedText([{ row: 2, reason: 'no', source: '{"a":1}' }], [])).toBe('{"a":1}\n')
  })
})

async function collect(chunks: AsyncIterable<LoadChunk>) {
  const items: string[] = []
  const rejected: RejectedItem[] = []
  for await (const chunk of chunks) {
    items.push(...chunk.items.map(({ row, fragment }) => `${row} ${fragment}`))
    rejected.push(...chunk.rejected)
  }
  return { items, rejected }
}

describe('files', () => {
  it('of NDJSON come line by line, wrong lines with their number', async () => {
    const file = new File(['{"vertices":{}}\n\n[1]\n{oops\n{"edges":{}}'], 'a.ndjson')
    const { items, rejected } = await collect(ndjsonChunks(file))
    expect(items).toEqual(['1 {"vertices":{}}', '5 {"edges":{}}'])
    expect(rejected.map(({ row }) => row)).toEqual([3, 4])
  })

  it('of NDJSON keep characters whole over the edges of pieces', async () => {
    const line = JSON.stringify({ vertices: { T: { ['é🙂'.repeat(120_000)]: {} } } })
    const { items, rejected } = await collect(ndjsonChunks(new File([`${line}\n${line}`], 'a')))
    expect(items).toEqual([`1 ${line}`, `2 ${line}`])
    expect(rejected).toEqual([])
  })

  it('of CSV keep characters whole over the edges of pieces, and cells in step', async () => {
    const long = 'é🙂'.repeat(120_000)
    const text = `\uFEFFid,name\r\n1,${long}\r\n2,a,b\r\n3,\\N,\r\n`
    const person = findVertex(sampleSchema, 'Person')!
    const columns = ['id', 'name']
    const file = new File([text], 'a.csv')
    const reading = {
      delimiter: ',',
      encoding: 'utf-8' as const,
      hasHeader: true,
      columns,
      nullText: '\\N',
      mapping: guessMapping(sampleSchema, person, columns),
    }
    const { items, rejected } = await collect(csvChunks(file, reading))
    const empty = { rows: 3, defaulted: new Map([['name', 1]]) }
    expect(await dryRun(file, reading)).toMatchObject(empty)
    expect(items).toEqual([`2 "1":{"name":{"value":"${long}"}}`, '4 "3":{}'])
    expect(rejected).toMatchObject([
      { row: 3, reason: 'has 3 cells instead of 2', source: ['2', 'a', 'b'] },
    ])
  })

  it.each(['utf-16le', 'windows-1252'] as const)('of %s are known as such', (encoding) => {
    const bytes =
      encoding === 'utf-16le'
        ? Uint8Array.of(0xff, 0xfe, 0x41, 0)
        : Uint8Array.of(0x4d, 0xfc, 0x6e, 0x63, 0x68, 0x65, 0x6e)
    expect(sniffEncoding(bytes)).toBe(encoding)
  })

  it('of JSON keep integers of 64 bits', async () => {
    const text = '[{"vertices":{"T":{"1":{"n":{"value":9223372036854775807}}}}}]'
    expect((await collect(jsonChunks(new File([text], 'a.json')))).items).toEqual([
      `1 ${text.slice(1, -1)}`,
    ])
  })

  it('of payloads are sent as one payload', () => {
    const joined = joinedPayload(['{"vertices":{"T":{}}}', '{}', ' { "edges":{} } '])
    expect(joined).toBe('{"vertices":{"T":{}},"edges":{}}')
  })

  it('of JSON hold one payload or several', async () => {
    expect((await collect(jsonChunks(new File(['{"a":1}'], 'a.json')))).items).toEqual([
      '1 {"a":1}',
    ])
    expect((await collect(jsonChunks(new File(['[{"a":1},{}]'], 'a.json')))).items).toHaveLength(2)
  })
})
