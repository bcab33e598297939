import { expect, it } from 'vitest'
import { withIndexAges } from './index-ages.ts'
import { type Catalog, emptyCatalog, type IndexDefinition } from './types.ts'

const catalog = (...indexes: readonly IndexDefinition[]): Catalog =>
  ({ ...emptyCatalog, vertexTypes: [{ id: 1, name: 'P', indexes }] }) as unknown as Catalog

const old = { name: 'old', attributeId: 1 }
const made = { name: 'made', attributeId: 2 }

it('an index gets the time of the change that brings it, and keeps it', () => {
  const first = withIndexAges(emptyCatalog, catalog(made), 7)
  expect(first.vertexTypes[0]?.indexes).toEqual([{ ...made, createdAtMs: 7 }])
  const [kept] = first.vertexTypes[0]!.indexes
  const second = withIndexAges(first, catalog(kept!, { name: 'next', attributeId: 3 }), 9)
  expect(second.vertexTypes[0]?.indexes.map(({ createdAtMs }) => createdAtMs)).toEqual([7, 9])
})

it('an index of before this was kept stays without a time, and one made again is new', () => {
  const before = catalog(old)
  const after = withIndexAges(before, catalog(old, made), 5)
  expect(after.vertexTypes[0]?.indexes).toEqual([old, { ...made, createdAtMs: 5 }])
  const again = withIndexAges(catalog(), catalog({ ...old }), 6)
  expect(again.vertexTypes[0]?.indexes).toEqual([{ ...old, createdAtMs: 6 }])
})

it('a change of something else is left as it is', () => {
  const before = catalog(old)
  const next = { ...before, graphs: [] }
  expect(withIndexAges(before, next, 5)).toBe(next)
})
