import { expect, it } from 'vitest'
import { noConsoleSettings, parseConsoleSettings } from './console-settings.ts'

it('reads what is preset and what is locked, and why', () => {
  const file = { locked: { writeGuard: 'confirm' }, preset: { timeZone: 'utc' }, reason: 'Prod.' }
  expect(parseConsoleSettings(JSON.stringify(file))).toEqual(file)
  expect(parseConsoleSettings('{}')).toEqual(noConsoleSettings)
})

it.each([
  ['{', 'is no JSON'],
  ['[]', 'cannot be used'],
  ['{"locked":{"writeGuard":"never"}}', 'locked.writeGuard: '],
  ['{"preset":{"pollSeconds":0.5}}', 'preset.pollSeconds: '],
  ['{"preset":{"lastGraph":"x"}}', 'lastGraph'],
  ['{"lokced":{}}', 'lokced'],
])('refuses %s and says what is wrong', (text, reason) => {
  expect(() => parseConsoleSettings(text)).toThrow(reason)
})
