import { describe, expect, it } from 'vitest'
import { defaultPreferences, preferenceBounds, readPreferences } from '#lib/storage/preferences.ts'
import { matchesSearch, readSettingsFile, sections, settingsFile } from './settings.ts'

const all = sections.flatMap(({ settings }) => settings)

describe('the list of settings', () => {
  it('offers each preference at most once, with a value that the preferences accept', () => {
    const keys = all.map(({ key }) => key)
    expect(new Set(keys).size).toBe(keys.length)
    for (const setting of all) {
      if (setting.kind !== 'choice') continue
      for (const { value } of setting.choices) {
        const parsed = readPreferences({ [setting.key]: value })
        expect(parsed[setting.key]).toBe(value)
      }
    }
  })

  it('bounds numbers as the preferences do', () => {
    for (const setting of all) {
      if (setting.kind !== 'number') continue
      const [min, max] = preferenceBounds[setting.key]
      expect(readPreferences({ [setting.key]: max })[setting.key]).toBe(max)
      expect(readPreferences({ [setting.key]: min })[setting.key]).toBe(min)
      for (const beyond of [min - 1, max + 1, min + 0.5, String(min)]) {
        const read = readPreferences({ [setting.key]: beyond })[setting.key]
        expect(read).toBe(defaultPreferences[setting.key])
      }
    }
  })

  it('is found by any words of its text', () => {
    const found = all.filter((setting) => matchesSearch('UTC time', setting))
    expect(found.map(({ key }) => key)).toEqual(['timeZone'])
  })

  it('is found by the name of its section, too', () => {
    const limits = sections.find(({ title }) => title === 'Limits')
    const found = limits?.settings.filter((one) => matchesSearch('limits', one, limits.title))
    expect(found?.map(({ key }) => key)).toEqual(limits?.settings.map(({ key }) => key))
    expect(found).toContainEqual(expect.objectContaining({ key: 'groupLeaves' }))
  })
})

describe('the settings file', () => {
  it('brings every preference back', () => {
    const changed = { ...defaultPreferences, density: 'compact' as const, rowLimit: 50 }
    expect(readPreferences(readSettingsFile(settingsFile(changed)))).toEqual(changed)
  })

  it.each([
    ['not json', 'not JSON'],
    ['null', 'not a settings file'],
    ['{"quiver":"scene","version":1}', 'not a settings file'],
    ['{"quiver":"settings","version":9}', 'newer console'],
  ])('refuses %s', (text, reason) => expect(() => readSettingsFile(text)).toThrow(reason))
})
