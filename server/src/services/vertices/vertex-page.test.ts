import { beforeEach, describe, expect, it } from 'vitest'
import type { GraphEngine } from '#graph/engine.ts'
import { createRandom } from '#kernel/prng.ts'
import {
  attributes,
  catalogOf,
  engineWith,
  FrameBuilder,
  realClock,
  type Values,
  vertexType,
} from '../../../test/fixtures/engine.ts'
import { BrowseService } from './browse-service.ts'
import type { VertexPageRequest } from './vertex-page.ts'

const catalog = catalogOf([
  vertexType(1, 'A', {
    attributes: attributes({
      n: 'INT',
      x: 'DOUBLE',
      f: 'FLOAT',
      u: 'UINT',
      yes: 'BOOL',
      at: 'DATETIME',
      name: 'STRING',
      list: { kind: 'LIST', element: { kind: 'INT' } },
    }),
  }),
  vertexType(2, 'N', {
    primaryId: { syntax: 'PRIMARY_ID', names: ['number'], type: 'INT', asAttribute: true },
  }),
])

let engine: GraphEngine
let browse: BrowseService

beforeEach(async () => {
  engine = await engineWith(catalog)
  browse = new BrowseService(engine, realClock)
})

const commit = (build: (frame: FrameBuilder) => unknown) => {
  const frame = new FrameBuilder(catalog)
  build(frame)
  return engine.commit(frame.finish())
}

const addAll = (vertices: Readonly<Record<string, Values>>) =>
  commit((frame) => Object.entries(vertices).map(([id, values]) => frame.vertex('A', id, values)))

interface Page {
  readonly vertices: readonly { readonly v_id: string; readonly attributes: Values }[]
  readonly cursor: string | null
}

async function page(request: Partial<VertexPageRequest>, type = 'A'): Promise<Page> {
  const bytes = await browse.listVertices('g', type, { limit: 4, ...request })
  return JSON.parse(Buffer.from(bytes).toString())
}

/** Ids in the order met, following cursors to the end, with something happening between the pages. */
async function follow(
  request: Partial<VertexPageRequest>,
  { type = 'A', between = async () => {} }: { type?: string; between?: Between } = {},
): Promise<string[]> {
  const seen: string[] = []
  let cursor: string | null = null
  for (let number = 0; number === 0 || cursor !== null; number++) {
    if (number > 200) throw new Error(`no end in sight after ${seen.join(' ')}`)
    const answer = await page({ ...request, ...(cursor !== null && { cursor }) }, type)
    expect(answer.vertices.length).toBeLessThanOrEqual(request.limit ?? 4)
    seen.push(...answer.vertices.map(({ v_id }) => v_id))
    cursor = answer.cursor
    await between(number, seen)
  }
  return seen
}

type Between = (pageNumber: number, seen: readonly string[]) => Promise<unknown>

describe('a listing of vertices by cursor', () => {
  it.each([undefined, 'n', '-id'])(
    'meets what was there all the time once, by %s',
    async (sort) => {
      const ids = Array.from({ length: 50 }, (_, index) => `v${index}`)
      await commit((frame) => ids.map((id, n) => frame.vertex('A', id, { n: n % 7 })))
      const random = createRandom(3)
      const deleted = new Set<string>()
      const between: Between = async (number) => {
        const gone = ids[random.below(50)]!
        deleted.add(gone)
        await commit((frame) =>
          frame.deleteVertex('A', gone).vertex('A', `new${number}`, { n: number % 7 }),
        )
        if (number === 4) await engine.rebuild()
      }
      const seen = await follow({ sort }, { between })
      expect(new Set(seen).size).toBe(seen.length)
      expect(ids.filter((id) => !deleted.has(id) && !seen.includes(id))).toEqual([])
    },
  )

  it('filters, selects and ends without a cursor', async () => {
    await commit((frame) => [0, 1, 2, 3].map((n) => frame.vertex('A', `v${n}`, { n })))
    expect(await page({ limit: 2, filter: 'n>1', select: 'n' })).toEqual({
      vertices: [2, 3].map((n) => ({ v_id: `v${n}`, v_type: 'A', attributes: { n } })),
      cursor: null,
      index: null,
    })
    expect(await follow({ limit: 1, filter: 'n>1', sort: '-n' })).toEqual(['v3', 'v2'])
    const foreign = Buffer.from('["vertices",99,1]').toString('base64url')
    for (const cursor of ['x', '{}', foreign]) {
      await expect(page({ cursor })).rejects.toMatchObject({ code: 'INVALID_PARAMETER' })
    }
  })
})

describe('a listing in the order of an attribute', () => {
  it('has equal values in the order in which they were made, whichever way it goes', async () => {
    await addAll({ a: { n: 2 }, b: { n: -1 }, c: { n: 2 }, d: { n: -1 }, e: { n: 5 }, f: { n: 2 } })
    await engine.rebuild()
    await addAll({ g: { n: 0 } })
    for (const limit of [1, 2, 3, 7]) {
      expect((await follow({ sort: 'n', limit })).join('')).toBe('bdgacfe')
      expect((await follow({ sort: '-n', limit })).join('')).toBe('eacfgbd')
    }
  })

  it('goes by values of every type that has an order, exactly', async () => {
    const wide = 2n ** 62n
    await addAll({
      a: { n: wide + 1n, x: 2 ** 66 + 2 ** 14, f: 0.5, u: 3, yes: true, at: 900 },
      b: { n: wide, x: 2 ** 66, f: 0.1, u: 2n ** 64n - 1n, yes: false, at: -5 },
      c: { n: -3, x: -1e300, f: -2, u: 0, yes: true, at: 0 },
      d: { n: wide + 2n, x: 0.1, f: Number.NaN, u: 1, yes: false, at: 7 },
    })
    const inOrder = { n: 'cbad', x: 'cdba', f: 'cbad', u: 'cdab', yes: 'bdac', at: 'bcda' }
    for (const [sort, expected] of Object.entries(inOrder)) {
      expect([sort, (await follow({ sort, limit: 1 })).join('')]).toEqual([sort, expected])
    }
    expect((await follow({ sort: '-x', limit: 1 })).join('')).toBe('abdc')
    expect((await follow({ sort: '-f', limit: 1 })).join('')).toBe('dabc')
  })

  it('has texts in the order of their bytes, the first 256 of them', async () => {
    const long = 'é'.repeat(128)
    await addAll({
      a: { name: `${long}2` },
      b: { name: 'z' },
      c: { name: `${long}1` },
      d: { name: '' },
      e: { name: 'Zoë' },
      f: { name: '\u{1f600}' },
      g: { name: 'Zo' },
    })
    expect((await follow({ sort: 'name', limit: 1 })).join('')).toBe('dgebacf')
    expect((await follow({ sort: '-name', limit: 2 })).join('')).toBe('facbegd')
  })

  it('goes by the id, as a text or as a number', async () => {
    await addAll({ v9: {}, v10: {}, 'v1 ': {}, Ä: {} })
    expect(await follow({ sort: 'id', limit: 1 })).toEqual(['v1 ', 'v10', 'v9', 'Ä'])
    await commit((frame) => [7, -20, 100, 2n ** 60n].map((id) => frame.vertex('N', id)))
    const numbers = await follow({ sort: '-number', limit: 1 }, { type: 'N' })
    expect(numbers).toEqual([String(2n ** 60n), '100', '7', '-20'])
  })

  it('goes on behind a vertex that is gone', async () => {
    await commit((frame) => Array.from({ length: 12 }, (_, n) => frame.vertex('A', `v${n}`, { n })))
    const between: Between = (_number, seen) =>
      commit((frame) => frame.deleteVertex('A', seen.at(-1)!))
    const seen = await follow({ sort: '-n', limit: 5 }, { between })
    expect(seen).toEqual(Array.from({ length: 12 }, (_, n) => `v${11 - n}`))
  })

  it('refuses an order that there is not, and a cursor of another', async () => {
    await addAll({ a: { n: 1 }, b: { n: 2 }, c: { n: 3 } })
    await expect(page({ sort: '-nothing' })).rejects.toMatchObject({
      code: 'ATTRIBUTE_NOT_FOUND',
      message: "The attribute 'nothing' is not an attribute of type A.",
    })
    await expect(page({ sort: 'list' })).rejects.toMatchObject({
      code: 'INVALID_PARAMETER',
      message: "The attribute 'list' of type LIST cannot be sorted by.",
    })
    await expect(page({ sort: 'n,id' })).rejects.toMatchObject({
      code: 'INVALID_PARAMETER',
      message: "Vertices are sorted by one attribute, not 'n,id'.",
    })
    const cursors = { plain: {}, up: { sort: 'n' }, down: { sort: '-n' }, id: { sort: 'id' } }
    for (const [of, from] of Object.entries(cursors)) {
      const { cursor } = await page({ ...from, limit: 1 })
      for (const [to, request] of Object.entries(cursors)) {
        const next = page({ ...request, cursor: cursor ?? '' })
        if (of === to) expect((await next).vertices).toHaveLength(2)
        else await expect(next).rejects.toThrow('The cursor does not belong to this listing.')
      }
    }
    for (const parts of [
      ['n', 'x', 1],
      ['n', '1', 0, 0],
      ['n', '1'],
      ['n', '1', 'y'],
      [1, 2],
      [],
    ]) {
      const cursor = Buffer.from(JSON.stringify(['vertices', 1, ...parts])).toString('base64url')
      await expect(page({ sort: 'n', cursor })).rejects.toMatchObject({ code: 'INVALID_PARAMETER' })
    }
  })
})
