import { expect, it } from 'vitest'
import { LocalDocuments } from '#storage/documents.ts'
import { MemoryStore } from '#storage/memory/memory-store.ts'
import { renamedPrivileges } from './renamed-privileges.ts'
import { type Role, RoleStore, type ScopePrivileges } from './role-store.ts'

const read = { privileges: ['READ_DATA'] } as const
const write = { privileges: ['UPDATE_DATA'] } as const
type Children = NonNullable<ScopePrivileges['childPermissions']>
const scope = (childPermissions: Children): ScopePrivileges => ({
  privileges: [],
  childPermissions,
})
const global = (from: string, to: string) => ({ graph: null, from, to })

it('go to the new name in every scope, and to nothing that was called so', () => {
  const before = { '1': scope({ A: read }), g: scope({ A: write, B: read, C: read }) }
  expect(renamedPrivileges(before, [global('A', 'B')])).toEqual({
    '1': scope({ B: read }),
    g: scope({ B: write, C: read }),
  })
})

it('are swapped with two names', () => {
  const before = { g: scope({ A: write, B: read }) }
  expect(renamedPrivileges(before, [global('A', 'B'), global('B', 'A')])).toEqual({
    g: scope({ A: read, B: write }),
  })
})

it('of a local type go on in its graph alone', () => {
  const before = { '1': scope({ A: read }), g: scope({ A: write }), h: scope({ A: write }) }
  expect(renamedPrivileges(before, [{ graph: 'g', from: 'A', to: 'B' }])).toEqual({
    '1': scope({ A: read }),
    g: scope({ B: { privileges: ['UPDATE_DATA', 'READ_DATA'] } }),
    h: scope({ A: write }),
  })
})

it('stay the same object where nothing is named', () => {
  const before = { g: { privileges: ['READ_SCHEMA'] }, h: scope({ C: read }) } as const
  expect(renamedPrivileges(before, [global('A', 'B')])).toBe(before)
})

it('follow once, also when a first time was interrupted between two roles', async () => {
  const store = new MemoryStore()
  const roles = await RoleStore.open(new LocalDocuments(store))
  const role = (name: string): Role => ({
    ...{ name, graph: 'g' },
    privileges: { g: scope({ A: read, B: write }) },
  })
  await roles.put(role('one'))
  await roles.put(role('two'))
  const renames = { version: 7, types: [global('A', 'B'), global('B', 'A')] }
  const putDocument = store.putDocument.bind(store)
  store.putDocument = (collection, key, bytes) => {
    if (key === 'two') return Promise.reject(new Error('no power'))
    return putDocument(collection, key, bytes)
  }
  await expect(roles.follow(renames)).rejects.toThrow('no power')
  store.putDocument = putDocument
  const again = await RoleStore.open(new LocalDocuments(store))
  await again.follow(renames)
  const swapped = { g: scope({ A: write, B: read }) }
  expect(again.list().map(({ privileges }) => privileges)).toEqual([swapped, swapped])
  await (await RoleStore.open(new LocalDocuments(store))).follow(renames)
  await again.put(role('three'))
  const last = await RoleStore.open(new LocalDocuments(store))
  await last.follow(renames)
  expect(last.find('one')?.privileges).toEqual(swapped)
  expect(last.find('three')?.privileges).toEqual(role('three').privileges)
})
