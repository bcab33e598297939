import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { readFirstPassword } from './first-password.ts'

const directory = mkdtempSync(join(tmpdir(), 'quiver-password-'))
afterAll(() => rmSync(directory, { recursive: true }))

function file(text: string): string {
  const path = join(directory, 'password')
  writeFileSync(path, text)
  return path
}

it('comes from the variable or from the file, without the line break at its end', () => {
  expect(readFirstPassword({}, null)).toBe(null)
  expect(readFirstPassword({ QUIVER_PASSWORD: ' a b ' }, null)).toBe(' a b ')
  for (const text of ['pass word', 'pass word\n', 'pass word\r\n']) {
    expect(readFirstPassword({}, file(text))).toBe('pass word')
  }
})

it('is refused when it is none, and no message shows it', () => {
  for (const [environment, path, message] of [
    [{ QUIVER_PASSWORD: '' }, null, 'QUIVER_PASSWORD is empty'],
    [{ QUIVER_PASSWORD: 'tigergraph' }, null, 'which everybody knows'],
    [{ QUIVER_PASSWORD: 'hunter2' }, file('x'), 'exclude each other'],
    [{}, file('\n'), 'is empty'],
    [{}, directory, 'is a directory'],
    [{}, join(directory, 'gone'), 'does not exist'],
  ] as const) {
    expect(() => readFirstPassword(environment, path), message).toThrow(message)
  }
  const lines = () => readFirstPassword({}, file('hunter2\nhunter3\n'))
  expect(lines).toThrow('holds more than one line')
  expect(lines).not.toThrow('hunter')
})
