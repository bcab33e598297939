/// <reference types="vite/client" />
import { expect, it } from 'vitest'
import page from '../../docs/reference/errors.md?raw'
import { manual } from './manual.ts'

it('has an address for each entry of the page of error codes', () => {
  const codes = [...page.matchAll(/^### (.+)$/gm)].map(([, code = '']) => code)
  expect(codes.length).toBeGreaterThan(100)
  expect(codes.filter((code) => manual.error(code) === null)).toEqual([])
  expect(manual.error('REST-30000')).toBe('/docs/reference/errors.html#rest-30000')
})

it('has none for errors of the console itself, and for texts', () => {
  for (const code of ['UNREACHABLE', 'INVALID_ANSWER', '', 'no code']) {
    expect(manual.error(code)).toBeNull()
  }
})
