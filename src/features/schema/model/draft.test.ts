import { describe, expect, it } from 'vitest'
import { sampleSchema } from '#lib/graph-schema/sample-schema.ts'
import {
  type Draft,
  discard,
  edit,
  goTo,
  rebase,
  redo,
  restoreDraft,
  saveDraft,
  startDraft,
  undo,
} from './draft.ts'
import { jsonEdit } from './json-edit.ts'
import { applyOperation, type Operation } from './operations.ts'
import { schemaJson } from './schema-text.ts'

const RUNS = 300
const STEPS = 60

/** mulberry32: small, seeded, good enough to choose operations. */
function random(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

function randomOperation(next: () => number): Operation {
  const pick = <T>(items: readonly T[]): T => items[Math.floor(next() * items.length)]!
  const name = pick(['Person', 'Company', 'Works_At', 'Knows', 'Pays', 'Likes', 'N1', 'N2', 'E1'])
  const attribute = pick(['name', 'age', 'phones', 'sector', 'pay', 'month', 'a', 'b'])
  const fresh = {
    name: pick(['a', 'b', 'age']),
    type: pick(['INT', 'STRING', 'LIST<INT>']),
    defaultText: null,
    isNew: true,
  }
  const pairs = [{ from: pick(['Person', 'Company', 'N1']), to: pick(['Person', 'N2']) }]
  const shape = { directed: next() < 0.5, pairs, reverseName: pick([null, 'R1', 'R2']) }
  const primaryId = {
    syntax: 'PRIMARY_ID',
    names: ['id'],
    type: 'INT',
    asAttribute: false,
  } as const
  const flags = { isNew: true, isLocal: next() < 0.8, attributes: [] }
  const stats = pick(['OUTDEGREE_BY_EDGETYPE', 'NONE'] as const)
  const composite = {
    ...primaryId,
    syntax: 'COMPOSITE',
    names: ['id', pick(['name', 'a1', 'a2'])],
  } as const
  return pick<Operation>([
    { kind: 'addType', type: { kind: 'vertex', name, primaryId, stats, indexes: [], ...flags } },
    { kind: 'addType', type: { kind: 'edge', name, ...shape, discriminatorCount: 0, ...flags } },
    { kind: 'dropType', name },
    { kind: 'renameType', name, to: pick(['N1', 'N2', 'E1']) },
    { kind: 'changeId', name, primaryId: pick([primaryId, composite]) },
    { kind: 'setStats', name, stats },
    { kind: 'setScope', name, isLocal: next() < 0.5 },
    { kind: 'changeEdge', name, shape },
    { kind: 'addAttributes', name, attributes: [fresh] },
    { kind: 'changeAttribute', name, attribute, to: fresh },
    { kind: 'setDiscriminator', name, attribute, on: next() < 0.7 },
    { kind: 'dropAttribute', name, attribute },
    { kind: 'addIndex', name, index: { name: pick(['i1', 'by_name']), attribute } },
    { kind: 'dropIndex', name, index: pick(['i1', 'by_name']) },
    { kind: 'describe', name, part: pick([null, attribute]), text: pick(['', 'What it is.']) },
  ])
}

function randomDraft(seed: number): Draft {
  const next = random(seed)
  let draft = startDraft(sampleSchema)
  for (let step = 0; step < STEPS; step++) {
    const edited = edit(draft, randomOperation(next))
    if (edited.ok) draft = edited.draft
    if (next() < 0.15) draft = undo(draft)
    if (next() < 0.1) draft = redo(draft)
  }
  return draft
}

describe('drafts', () => {
  it('come back to the start when everything is undone, and forward again when redone', () => {
    let operations = 0
    for (let seed = 1; seed <= RUNS; seed++) {
      const draft = randomDraft(seed)
      operations += draft.done.length
      let back = draft
      while (back.done.length > 0) back = undo(back)
      expect(back.schema, `seed ${seed}`).toEqual(sampleSchema)
      let forth = back
      for (let step = 0; step < draft.done.length; step++) forth = redo(forth)
      expect(forth.schema, `seed ${seed}`).toEqual(draft.schema)
    }
    expect(operations).toBeGreaterThan(RUNS * 3)
  })

  it('never hold an edge without an end, a name twice or an index without an attribute', () => {
    for (let seed = 1; seed <= RUNS; seed++) {
      const { schema } = randomDraft(seed)
      const vertexNames = new Set(schema.vertices.map(({ name }) => name))
      const names = [...vertexNames, ...schema.edges.map(({ name }) => name)]
      const reverses = schema.edges.flatMap(({ reverseName }) => reverseName ?? [])
      expect(new Set([...names, ...reverses]).size, `seed ${seed}`).toBe(
        names.length + reverses.length,
      )
      for (const edge of schema.edges) {
        expect(edge.pairs.length, `seed ${seed}`).toBeGreaterThan(0)
        for (const { from, to } of edge.pairs) {
          expect(vertexNames.has(from) && vertexNames.has(to), `seed ${seed}`).toBe(true)
        }
      }
      for (const vertex of schema.vertices) {
        const attributes = vertex.attributes.map(({ name }) => name)
        expect(vertex.indexes.every(({ attribute }) => attributes.includes(attribute))).toBe(true)
      }
    }
  })

  it('go to any of their steps, from any other', () => {
    for (let seed = 1; seed <= RUNS / 10; seed++) {
      const draft = randomDraft(seed)
      let stepwise = draft
      for (let steps = draft.done.length; steps >= 0; steps--) {
        const there = goTo(discard(draft), steps)
        expect(there.schema, `seed ${seed}, ${steps}`).toEqual(stepwise.schema)
        expect(goTo(there, draft.done.length).schema).toEqual(draft.schema)
        expect(goTo(draft, steps)).toEqual(stepwise)
        stepwise = undo(stepwise)
      }
    }
  })

  it('are reached by their text, from the published schema and from themselves', () => {
    let steps = 0
    let reached = 0
    for (let seed = 1; seed <= RUNS; seed++) {
      const { schema } = randomDraft(seed)
      const text = schemaJson(schema)
      expect(jsonEdit(text, schema, []), `seed ${seed}`).toMatchObject({
        operations: [],
        problems: [],
      })
      const { operations, problems } = jsonEdit(text, sampleSchema, [])
      // A type dropped and made anew under its name reads as a change of the published one.
      if (problems.length > 0) continue
      const applied = applyOperation(sampleSchema, { kind: 'json', sitting: 1, operations })
      if (!applied.ok) throw new Error(`seed ${seed}: ${applied.problem}`)
      const again = jsonEdit(text, applied.schema, [])
      expect(again, `seed ${seed}`).toMatchObject({ operations: [], problems: [] })
      steps += operations.length
      reached++
    }
    expect(reached).toBeGreaterThan(RUNS / 4)
    expect(steps).toBeGreaterThan(RUNS)
  })

  it('survive being saved and restored, undone operations included', () => {
    const draft = undo(randomDraft(7))
    const saved = JSON.parse(JSON.stringify(saveDraft(draft)))
    const restored = restoreDraft(saved, sampleSchema)
    expect(restored).toEqual({ draft, conflicts: [] })
  })

  it('discard everything in a way that redo brings back', () => {
    const draft = randomDraft(11)
    let back = discard(draft)
    expect(back.schema).toBe(sampleSchema)
    for (let step = 0; step < draft.done.length; step++) back = redo(back)
    expect(back.schema).toEqual(draft.schema)
  })

  it('rebase leaves out what no longer applies, with the reason', () => {
    let draft = startDraft(sampleSchema)
    const attributes = [{ name: 'x', type: 'INT', defaultText: null, isNew: true }]
    for (const name of ['Person', 'Company']) {
      const edited = edit(draft, { kind: 'addAttributes', name, attributes })
      if (edited.ok) draft = edited.draft
    }
    const newer = { ...sampleSchema, vertices: sampleSchema.vertices.slice(0, 1), edges: [] }
    const { draft: rebased, conflicts } = rebase(draft, newer)
    expect(rebased.baseVersion).not.toBe(draft.baseVersion)
    expect(rebased.done).toHaveLength(1)
    expect(conflicts).toEqual([{ operation: draft.done[1], problem: 'There is no type Company.' }])
  })
})
