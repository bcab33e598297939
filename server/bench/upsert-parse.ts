/**
 * Parse speed of upsert payloads: our reader (bytes to finished frame, validated) beside
 * `JSON.parse` alone of the same text. Distinct ids in every body, medians of interleaved rounds.
 *
 *     node server/bench/upsert-parse.ts [edges per body] [rounds]
 *
 * | machine | edges per body | ours | JSON.parse alone | ratio |
 * | ------- | -------------- | ---- | ---------------- | ----- |
 * | 2 shared cores, Node 26 | 1,000 | 1.85 M edges/s (264 MB/s) | 0.72 M (102 MB/s) | 2.6 |
 * | 2 shared cores, Node 26 | 20,000 | 2.0 M edges/s (286 MB/s) | 0.66 M (94 MB/s) | 3.1 |
 */
import type { Catalog } from '#catalog/types.ts'
import { createRandom } from '#kernel/prng.ts'
import { PayloadParser } from '#services/upsert/payload-parser.ts'
import { payloadPlan } from '#services/upsert/payload-plan.ts'

const edgesPerBody = Number(process.argv[2] ?? 1_000)
const rounds = Number(process.argv[3] ?? 15)
const bodiesPerRound = Math.max(1, Math.floor(100_000 / edgesPerBody))

const catalog: Catalog = {
  version: 1,
  nextTypeId: 3,
  graphs: [{ name: 'bench', vertexTypeIds: [1], edgeTypeIds: [2], schemaVersion: 1 }],
  vertexTypes: [
    {
      id: 1,
      name: 'Account',
      graph: null,
      primaryId: { syntax: 'PRIMARY_ID', names: ['id'], type: 'STRING', asAttribute: false },
      attributes: [],
      indexes: [],
      nextAttributeId: 1,
      config: {},
    },
  ],
  edgeTypes: [
    {
      id: 2,
      name: 'Transfer',
      graph: null,
      directed: true,
      pairs: [{ fromTypeId: 1, toTypeId: 1 }],
      reverseName: null,
      discriminatorCount: 0,
      attributes: [
        { id: 1, name: 'weight', type: { kind: 'DOUBLE' } },
        { id: 2, name: 'amount', type: { kind: 'INT' } },
        { id: 3, name: 'since', type: { kind: 'DATETIME' } },
      ],
      nextAttributeId: 4,
      config: {},
    },
  ],
  tuples: [],
}

const random = createRandom(7)
let nextId = 0

function makeBody(): Buffer {
  const sources: string[] = []
  for (let edge = 0; edge < edgesPerBody; edge++) {
    const day = 10 + random.below(18)
    sources.push(
      `"a${nextId++}":{"Transfer":{"Account":{"a${nextId++}":{"weight":{"value":${random.below(100_000) / 1_000}},"amount":{"value":${random.below(1_000_000)}},"since":{"value":"2024-03-${day} 09:30:00"}}}}}`,
    )
  }
  return Buffer.from(`{"edges":{"Account":{${sources.join(',')}}}}`)
}

const plan = payloadPlan(catalog, 'bench')

function parseOurs(bodies: readonly Buffer[]): number {
  let size = 0
  for (const body of bodies) {
    const parser = new PayloadParser(body, plan, { flags: 0, chunkSizeBytes: 512 * 1_024 })
    parser.run(body.length)
    for (const frame of parser.finish().frames) size += frame.length
  }
  return size
}

function parseJson(bodies: readonly Buffer[]): number {
  let size = 0
  for (const body of bodies) size += Object.keys(JSON.parse(body.toString()).edges).length
  return size
}

const figures: { ours: number[]; json: number[] } = { ours: [], json: [] }
let bytesPerEdge = 0
for (let round = 0; round < rounds; round++) {
  const bodies = Array.from({ length: bodiesPerRound }, makeBody)
  bytesPerEdge = bodies[0]!.length / edgesPerBody
  const count = bodiesPerRound * edgesPerBody
  const startOurs = performance.now()
  parseOurs(bodies)
  const startJson = performance.now()
  parseJson(bodies)
  const end = performance.now()
  figures.ours.push((count / (startJson - startOurs)) * 1_000)
  figures.json.push((count / (end - startJson)) * 1_000)
}

const median = (values: number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1]!
const ours = median(figures.ours)
const json = median(figures.json)
const megabytes = (perSecond: number): string => ((perSecond * bytesPerEdge) / 1e6).toFixed(0)
console.log(
  `${edgesPerBody} edges per body, ${bytesPerEdge.toFixed(0)} B each: ` +
    `ours ${Math.round(ours).toLocaleString()} edges/s (${megabytes(ours)} MB/s), ` +
    `JSON.parse alone ${Math.round(json).toLocaleString()} (${megabytes(json)} MB/s), ` +
    `ratio ${(ours / json).toFixed(1)}`,
)
