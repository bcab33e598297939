import { describe, expect, it } from 'vitest'
import { sampleSchema } from '#lib/graph-schema/sample-schema.ts'
import { type Draft, discard, edit, startDraft, undo } from './draft.ts'
import { type DraftStore, datedDraft, loadDraft, storeDraft } from './draft-storage.ts'

function memory(): DraftStore & { readonly size: number } {
  const items = new Map<string, string>()
  return {
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, value) => void items.set(key, value),
    removeItem: (key) => void items.delete(key),
    get size() {
      return items.size
    },
  }
}

function drafted(attribute: string): Draft {
  const edited = edit(startDraft(sampleSchema), {
    kind: 'addAttributes',
    name: 'Person',
    attributes: [{ name: attribute, type: 'INT', defaultText: null, isNew: true }],
  })
  if (!edited.ok) throw new Error(edited.problem)
  return edited.draft
}

const wire = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

describe('loadDraft', () => {
  it('takes the copy that was saved last', () => {
    const store = memory()
    storeDraft(store, 'town', datedDraft(drafted('here'), 2))
    const there = (savedAt: number) => wire(datedDraft(drafted('there'), savedAt))
    const nameWith = (remote: unknown) =>
      loadDraft({ store, remote }, 'town', sampleSchema).draft.done[0]
    expect(nameWith(there(1))).toMatchObject({ attributes: [{ name: 'here' }] })
    expect(nameWith(there(3))).toMatchObject({ attributes: [{ name: 'there' }] })
    expect(nameWith(null)).toMatchObject({ attributes: [{ name: 'here' }] })
  })

  it('lets an emptied draft on the server win over an older copy here', () => {
    const store = memory()
    storeDraft(store, 'town', datedDraft(drafted('here'), 2))
    const remote = wire(datedDraft(startDraft(sampleSchema), 3))
    expect(loadDraft({ store, remote }, 'town', sampleSchema).draft.done).toEqual([])
  })

  it.each([['text'], [{ format: 2, done: [], undone: [] }], [{ format: 1 }], [[]]])(
    'starts afresh on %j, which is no draft',
    (remote) => {
      const loaded = loadDraft({ store: memory(), remote }, 'town', sampleSchema)
      expect(loaded.draft).toEqual(startDraft(sampleSchema))
    },
  )
})

it('storeDraft keeps what can still be redone and removes what is empty', () => {
  const store = memory()
  storeDraft(store, 'town', datedDraft(undo(drafted('x')), 1))
  expect(store.size).toBe(1)
  expect(loadDraft({ store, remote: null }, 'town', sampleSchema).draft.undone.length).toBe(1)
  storeDraft(store, 'town', datedDraft(startDraft(sampleSchema), 2))
  expect(store.size).toBe(0)
  expect(discard(startDraft(sampleSchema)).undone).toEqual([])
})
