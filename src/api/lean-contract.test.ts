import { parseAst } from 'vite'
import { expect, it } from 'vitest'
import { leanContract } from '../../scripts/lean-contract.mjs'

type Transform = (this: unknown, code: string, id: string) => { code: string } | null

function leanOf(code: string, id = '/repository/server/contract/things.ts'): string | undefined {
  const transform = leanContract().transform as Transform
  return transform.call({ parse: parseAst }, code, id)?.code
}

it('keeps what a call needs, and what is spread or no endpoint', () => {
  const code = leanOf(`
    const shared = { privilege: 'READ' }
    export const readThings = endpoint({
      method: 'GET',
      path: ['/things', '/things/{name}'],
      summary: 'Some things',
      params: z.object({ name: z.string() }),
      ...shared,
      envelope: 'gsql',
      byType: true,
      byOwner: true,
      errors: ['NOT_FOUND', 'INVALID'],
    })
    export const LIMIT = number({ summary: 1 })`)
  for (const kept of ["'GET'", '/things/{name}', "'gsql'", '...shared', 'summary: 1']) {
    expect(code).toContain(kept)
  }
  for (const spare of ['Some things', 'z.object', 'NOT_FOUND', 'byOwner']) {
    expect(code).not.toContain(spare)
  }
  const evaluated = Function(
    'endpoint',
    'number',
    `${code?.replaceAll('export ', '')}
    return readThings`,
  )(
    (spec: unknown) => spec,
    () => 0,
  )
  expect(evaluated).toEqual({
    method: 'GET',
    path: ['/things', '/things/{name}'],
    privilege: 'READ',
    envelope: 'gsql',
    byType: true,
  })
})

it('leaves other files alone', () => {
  expect(leanOf("export const a = endpoint({ summary: '' })", '/repository/src/a.ts')).toBe(
    undefined,
  )
})
