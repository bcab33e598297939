import { describe, expect, it } from 'vitest'
import { SAMPLE_COUNTS, samplePayloads } from './sample-data.ts'

describe('samplePayloads', () => {
  it('gives the same graph every time', () => {
    expect([...samplePayloads()].join('\n')).toBe([...samplePayloads()].join('\n'))
  })

  it('has 20,000 vertices and 100,000 edges, each edge once', () => {
    const vertices = new Map<string, number>()
    const edges = new Map<string, Set<string>>()
    for (const payload of samplePayloads()) {
      for (const [type, ids] of Object.entries(JSON.parse(payload).vertices ?? {})) {
        vertices.set(type, (vertices.get(type) ?? 0) + Object.keys(ids as object).length)
      }
      collectEdges(payload, edges)
    }
    expect([...vertices.values()].reduce((sum, count) => sum + count, 0)).toBe(20_000)
    const counts = Object.fromEntries([...edges].map(([type, set]) => [type, set.size]))
    expect(counts).toEqual({
      Has_Card: SAMPLE_COUNTS.Has_Card,
      Uses: SAMPLE_COUNTS.Uses,
      Pays: SAMPLE_COUNTS.Pays,
      Transfer: SAMPLE_COUNTS.Transfer,
    })
  })
})

/** Repeated source keys are part of the format, so the text is read entry by entry. */
function collectEdges(payload: string, edges: Map<string, Set<string>>): void {
  const entry = /"([a-z]+-\d+)":\{"([A-Z]\w+)":\{"\w+":\{"([a-z]+-\d+)":(\{[^}]*\}*)/g
  for (const [, from, type, to, attributes] of payload.matchAll(entry)) {
    const at = /"at":\{"value":"([^"]+)"/.exec(attributes as string)?.[1] ?? ''
    const set = edges.get(type as string) ?? new Set()
    edges.set(type as string, set.add(`${from}|${to}|${at}`))
  }
}
