import { expect, it } from 'vitest'
import { folderNames, foldersOf, groupsOf, moved } from './folders.ts'

const queries = ['rank', 'paths', 'counts', 'cycles'].map((name) => ({ name }))

it('groups by folder, those in none last', () => {
  const folders = foldersOf([
    ['rank', 'Weekly'],
    ['cycles', 'Alerts'],
    ['paths', 'Weekly'],
    ['dropped', 'Old'],
  ])
  const names = groupsOf(queries, folders).map(({ folder, queries: inIt }) => [
    folder,
    ...inIt.map(({ name }) => name),
  ])
  expect(names).toEqual([
    ['Alerts', 'cycles'],
    ['Weekly', 'rank', 'paths'],
    ['', 'counts'],
  ])
  expect(folderNames(folders)).toEqual(['Alerts', 'Old', 'Weekly'])
})

it('moves a query into a folder and out of it', () => {
  const filed = moved(new Map(), 'rank', 'Weekly')
  expect([...filed]).toEqual([['rank', 'Weekly']])
  expect(moved(filed, 'rank', '').size).toBe(0)
})

it('reads nothing from what it did not write', () => {
  expect(foldersOf([['rank', 3], 'x', ['a', 'b', 'c']]).size).toBe(0)
  expect(foldersOf(null).size).toBe(0)
})
