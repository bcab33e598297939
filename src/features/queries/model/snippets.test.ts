/// <reference types="node" />
import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { snippetKinds, snippetOf } from './snippets.ts'

const call = {
  origin: 'http://127.0.0.1:14240',
  graph: 'acme',
  name: 'rank',
  parameters: { who: 'O\'Brien "x" $HOME \\ é', big: 708663653625634816n, on: true },
}
const body = `{"who":"O'Brien \\"x\\" $HOME \\\\ é","big":708663653625634816,"on":true}`

it('every snippet names the address and a place for the token, never a token', () => {
  for (const { id } of snippetKinds) {
    const text = snippetOf(id, call)
    expect(text).toContain('http://127.0.0.1:14240/restpp/query/acme/rank')
    expect(text).toContain('QUIVER_TOKEN')
  }
})

it('a shell reads the body exactly', () => {
  const [, quoted] = snippetOf('curl', call).split('--data-binary ')
  expect(execFileSync('sh', ['-c', `printf %s ${quoted}`]).toString()).toBe(body)
})

it('JavaScript reads the body exactly', () => {
  const literal = /body: (".*"),/.exec(snippetOf('typescript', call))?.[1]
  expect(JSON.parse(literal ?? '')).toBe(body)
})
