import { expect, describe as group, it } from 'vitest'
import { sampleSchema } from '#lib/graph-schema/sample-schema.ts'
import { findVertex } from '#lib/graph-schema/schema-model.ts'
import { describe, describedParts } from './descriptions.ts'
import { edit, redo, startDraft, undo } from './draft.ts'
import type { Operation } from './operations.ts'
import { idInSyntax } from './vertex-operations.ts'

const say = (name: string, part: string | null, text: string) => {
  const applied = describe(sampleSchema, { name, part, text })
  if (!applied.ok) throw new Error(applied.problem)
  return applied.schema
}

group('describe', () => {
  it('has a place for the type, its id, its attributes and vectors', () => {
    expect(describedParts(sampleSchema.vertices[1]!).map(({ part }) => part)).toEqual([
      null,
      'cid',
      'sector',
      'profile',
    ])
    expect(describedParts(sampleSchema.edges[0]!).map(({ part }) => part)).toEqual([null, 'pay'])
  })

  it.each(['cid', 'sector', 'profile', null])('says something of %s, and takes it back', (part) => {
    const said = say('Company', part, 'So.')
    const texts = describedParts(findVertex(said, 'Company')!).filter(({ text }) => text !== '')
    expect(texts).toEqual([{ part, text: 'So.', isNew: false }])
    const again = describe(said, { name: 'Company', part, text: ' ' })
    expect(again).toEqual({ ok: true, schema: sampleSchema })
  })

  it('refuses what is not there', () => {
    expect(describe(sampleSchema, { name: 'Ghost', part: null, text: 'x' }).ok).toBe(false)
    expect(describe(sampleSchema, { name: 'Company', part: 'ghost', text: 'x' }).ok).toBe(false)
  })

  it('keeps what is said of an id through a change of its kind', () => {
    const company = findVertex(say('Company', 'cid', 'A number.'), 'Company')!
    expect(idInSyntax(company, 'PRIMARY_KEY')).toMatchObject({ description: 'A number.' })
  })

  it('is one step to undo while the same text is written', () => {
    const operation = (part: string, text: string): Operation => {
      return { kind: 'describe', name: 'Company', part, text }
    }
    const steps = [operation('cid', 'A'), operation('cid', 'A n'), operation('sector', 'B')]
    const draft = steps.reduce((before, step) => {
      const edited = edit(before, step)
      if (!edited.ok) throw new Error(edited.problem)
      return edited.draft
    }, startDraft(sampleSchema))
    expect(draft.done).toEqual(steps.slice(1))
    expect(undo(undo(draft)).schema).toEqual(sampleSchema)
    expect(redo(redo(undo(undo(draft)))).schema).toEqual(draft.schema)
  })
})
