import { describe, expect, it } from 'vitest'
import {
  type Command,
  keyCaps,
  keyName,
  paletteCommands,
  searchCommands,
  setPaletteLookup,
} from './commands.ts'

const plain = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false }
const command = (label: string, group: string): Command => ({ id: label, label, group, run() {} })

describe('keyName', () => {
  it('takes Control and Command for the same key', () => {
    expect(keyName({ ...plain, key: 'k', ctrlKey: true })).toBe('mod+k')
    expect(keyName({ ...plain, key: 'k', metaKey: true })).toBe('mod+k')
  })

  it('does not repeat Shift for a character that Shift made', () => {
    expect(keyName({ ...plain, key: '?', shiftKey: true })).toBe('?')
    expect(keyName({ ...plain, key: 'Z', shiftKey: true, metaKey: true })).toBe('shift+mod+z')
    expect(keyName({ ...plain, key: 'Tab', shiftKey: true })).toBe('shift+tab')
  })

  it('names Alt before Mod', () => {
    expect(keyName({ ...plain, key: 'w', altKey: true })).toBe('alt+w')
    expect(keyName({ ...plain, key: 'e', altKey: true, ctrlKey: true })).toBe('alt+mod+e')
  })

  it('is silent about a modifier alone', () => {
    expect(keyName({ ...plain, key: 'Shift', shiftKey: true })).toBe('')
  })
})

describe('keyCaps', () => {
  it('splits combinations and sequences', () => {
    expect(keyCaps('shift+mod+z')).toEqual(['Ctrl', 'Shift', 'Z'])
    expect(keyCaps('g s')).toEqual(['G', 'S'])
    expect(keyCaps('+')).toEqual(['+'])
    expect(keyCaps('mod++')).toEqual(['Ctrl', '+'])
  })
})

describe('searchCommands', () => {
  const all = [
    command('Go to Queries', 'Go to'),
    command('Statistics', 'Go to'),
    command('Pause statistics', 'Page'),
  ]

  it('puts labels that begin with the search first', () => {
    expect(searchCommands(all, 'stat').map(({ label }) => label)).toEqual([
      'Statistics',
      'Pause statistics',
    ])
  })

  it('puts what this page can do first when nothing is typed', () => {
    const mixed = [command('Dark', 'View'), command('Home', 'Go to'), command('Run', 'Queries')]
    expect(searchCommands(mixed, '').map(({ label }) => label)).toEqual(['Run', 'Home', 'Dark'])
  })

  it('wants every word', () => {
    expect(searchCommands(all, 'go stat').map(({ label }) => label)).toEqual(['Statistics'])
    expect(searchCommands(all, 'xyz')).toEqual([])
  })
})

describe('paletteCommands', () => {
  const all = [command('Statistics', 'Go to')]
  const labels = (text: string) => paletteCommands(all, text).map(({ label }) => label)

  it('ends with what the text may mean, or begins where it can mean nothing else', () => {
    const remove = setPaletteLookup((text) =>
      ['Open', 'Find'].map((verb) => ({
        ...command(`${verb} ${text}`, 'Explorer'),
        isCertain: verb === 'Find' && text.startsWith('stat'),
      })),
    )
    expect(labels('stat')).toEqual(['Find stat', 'Statistics', 'Open stat'])
    expect(labels(' nope:1 ')).toEqual(['Open nope:1', 'Find nope:1'])
    expect(labels('  ')).toEqual(['Statistics'])
    remove()
    expect(labels('stat')).toEqual(['Statistics'])
  })
})
