import { describe, expect, it } from 'vitest'
import {
  furtherRights,
  matrixScopes,
  roleRows,
  rolesFor,
  rolesOn,
  rolesText,
  throughText,
  whereWords,
} from './scopes.ts'

const roles = {
  builtIn: { global: ['superuser'], local: ['admin', 'observer'] },
  userDefinedRoles: { 1: ['auditor'], sample: ['reader'] },
}

describe('rolesText', () => {
  it('tells what holds everywhere first, and leaves out scopes without a role', () => {
    expect(rolesText({ sample: ['admin', 'reader'], empty: [], 1: ['superuser'] })).toBe(
      'superuser everywhere; admin, reader on sample',
    )
    expect(rolesText({})).toBe('')
  })
})

describe('matrixScopes', () => {
  const users = [{ roles: { social: ['admin'], 1: ['superuser'], empty: [] } }, { roles: {} }]

  it('has every graph, everywhere first', () => {
    expect(matrixScopes(users, ['web', 'social'])).toEqual(['1', 'social', 'web'])
    expect(matrixScopes([], [])).toEqual(['1'])
  })

  it('finds roles also on a graph that is named as what every object has', () => {
    expect(rolesOn({ social: ['admin'] }, 'constructor')).toEqual([])
    expect(rolesOn({ social: ['admin'] }, 'social')).toEqual(['admin'])
  })

  it('has of many graphs those where somebody has a role', () => {
    const many = Array.from({ length: 5 }, (_, number) => `g${number}`)
    expect(matrixScopes(users, many)).toEqual(['1', 'social'])
  })
})

describe('rolesFor', () => {
  it('offers what can be granted in a scope', () => {
    expect(rolesFor('1', roles)).toEqual(['superuser', 'auditor'])
    expect(rolesFor('sample', roles)).toEqual(['admin', 'observer', 'reader'])
    expect(rolesFor('other', roles)).toEqual(['admin', 'observer'])
  })
})

describe('roleRows', () => {
  it('has own roles first, each with where it can be granted', () => {
    expect(roleRows(roles).map((row) => `${row.role} ${whereWords(row)}`)).toEqual([
      'auditor everywhere',
      'reader on sample',
      'superuser everywhere',
      'admin on any graph',
      'observer on any graph',
    ])
  })
})

describe('furtherRights', () => {
  it('tells of a global role what it gives on single graphs and types', () => {
    const card = { Card: { privileges: ['READ_DATA'] } }
    const given = {
      1: { privileges: ['READ_SCHEMA'], childPermissions: card },
      sample: { privileges: ['READ_DATA', 'CREATE_DATA'], childPermissions: card },
      other: { privileges: [] },
    }
    expect(furtherRights(given, '1')).toEqual([
      'Only of Card: READ_DATA',
      'Only on sample: READ_DATA, CREATE_DATA',
      'Only of Card on sample: READ_DATA',
    ])
  })
})

describe('throughText', () => {
  const through = [
    { role: 'reader', scope: 'sample' },
    { role: 'auditor', scope: '1' },
  ]

  it('names the roles that give a privilege', () => {
    expect(throughText({ granted: true, types: [], through })).toBe(
      'auditor everywhere; reader on sample',
    )
  })

  it('says to which types it is limited', () => {
    expect(throughText({ granted: false, types: ['Card'], through: through.slice(0, 1) })).toBe(
      'reader on sample, only of Card',
    )
  })
})
