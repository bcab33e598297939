import { describe, expect, it } from 'vitest'
import { applyPage, nextPage, openKinds, remainderLabel, shortPageWords } from './expansion.ts'
import { focusOn, withoutFocus } from './focus.ts'
import { collapseTypes, groupLeaves } from './groups.ts'
import { commit, commitFrom, type History, redo, startHistory, undo } from './history.ts'
import { togglePins } from './pins.ts'
import {
  addElements,
  collapse,
  type DegreeRow,
  edgeKey,
  emptyScene,
  fits,
  hideVertices,
  removeVertices,
  SCENE_VERTICES_MAX,
  type Scene,
  type SceneEdge,
  type SceneVertex,
  showAll,
  vertexKey,
  visible,
  withAttributes,
  withRead,
} from './scene.ts'
import { withStyle } from './scene-style.ts'

const vertex = (id: string, type = 'Person'): SceneVertex => ({
  key: vertexKey(type, id),
  type,
  id,
  attributes: null,
})

const edge = (from: string, to: string, discriminator = ''): SceneEdge => {
  const ends = { from: vertexKey('Person', from), to: vertexKey('Person', to) }
  const key = edgeKey({ type: 'Knows', directed: false, ...ends, discriminator })
  return { key, type: 'Knows', directed: false, ...ends, discriminator, attributes: {} }
}

const scene = (ids: string, pairs: readonly string[]): Scene =>
  addElements(emptyScene, {
    vertices: [...ids].map((id) => vertex(id)),
    edges: pairs.map((pair) => edge(pair[0] as string, pair[1] as string)),
  })

const ids = (value: Scene) =>
  visible(value)
    .vertices.map(({ id }) => id)
    .join('')

describe('scene', () => {
  it('knows an undirected edge from either end as one', () => {
    expect(edge('a', 'b').key).toBe(edge('b', 'a').key)
    expect(edge('a', 'b', '2024').key).not.toBe(edge('a', 'b', '2025').key)
  })

  it('keeps attributes that were read when an edge page brings the vertex again', () => {
    const read = addElements(emptyScene, {
      vertices: [{ ...vertex('a'), attributes: { age: 7 } }],
      edges: [],
    })
    const again = addElements(read, { vertices: [vertex('a')], edges: [] })
    expect(again.vertices.get('Person a')?.attributes).toEqual({ age: 7 })
  })

  it('takes late reads for what is there and unread alone', () => {
    const before = scene('ab', ['ab'])
    const unread = { ...edge('a', 'b'), attributes: null }
    const start = { ...before, edges: new Map([[unread.key, unread]]) }
    const edited = withAttributes(start, 'Person a', { age: 8 })
    const read = withRead(edited, {
      vertices: ['a', 'b', 'c'].map((id) => ({ ...vertex(id), attributes: { age: 7 } })),
      edges: [{ ...edge('a', 'b'), attributes: { since: 1 } }, edge('b', 'c')],
    })
    expect([...read.vertices.values()].map(({ attributes }) => attributes)).toEqual([
      { age: 8 },
      { age: 7 },
    ])
    expect([...read.edges.values()].map(({ attributes }) => attributes)).toEqual([{ since: 1 }])
  })

  it('hides vertices with their edges and shows them again', () => {
    const hidden = hideVertices(scene('abc', ['ab', 'bc']), ['Person b'])
    expect(ids(hidden)).toBe('ac')
    expect(visible(hidden).edges).toEqual([])
    expect(visible(showAll(hidden)).edges).toHaveLength(2)
  })

  it('removes what hangs on the collapsed vertex alone', () => {
    const star = scene('abcd', ['ab', 'ac', 'cd'])
    expect(ids(collapse(star, 'Person a'))).toBe('acd')
  })

  it('refuses more than the canvas can hold, and says how many that is', () => {
    const many = Array.from({ length: SCENE_VERTICES_MAX + 1 }, (_, i) => vertex(String(i)))
    expect(fits(emptyScene, { vertices: many.slice(1), edges: [] })).toEqual({ ok: true })
    expect(fits(emptyScene, { vertices: many, edges: [] })).toMatchObject({ ok: false })
  })
})

describe('expansion', () => {
  const row: DegreeRow = {
    edgeType: 'Knows',
    direction: 'undirected',
    targetType: 'Person',
    count: 120,
  }
  const page = (from: number, to: number, nextCursor: string | null) => {
    const numbers = Array.from({ length: to - from }, (_, i) => String(from + i))
    return {
      vertices: numbers.map((id) => vertex(id)),
      edges: numbers.map((id) => edge('hub', id)),
      nextCursor,
    }
  }
  const hub = addElements(emptyScene, { vertices: [vertex('hub')], edges: [] })

  it('asks for all neighbours when they are few, else for a page', () => {
    expect(nextPage(hub, 'Person hub', { ...row, count: 100 }, 50).limit).toBe(100)
    expect(nextPage(hub, 'Person hub', row, 50)).toMatchObject({ limit: 50, cursor: null })
  })

  it('pages to the end without repeating or missing one', () => {
    let current = hub
    for (const [from, to, cursor] of [
      [0, 50, 'A'],
      [50, 100, 'B'],
      [100, 120, null],
    ] as const) {
      const request = nextPage(current, 'Person hub', row, 50)
      current = applyPage(current, request, page(from, to, cursor))
    }
    expect(current.edges.size).toBe(120)
    expect(current.remainders.size).toBe(0)
  })

  it('says why a page is shorter than was asked for, and nothing of the last one', () => {
    const request = nextPage(hub, 'Person hub', row, 50)
    expect(shortPageWords(request, page(0, 7, 'A'))).toBe(
      '7 instead of 50 by Knows: more weigh over 256 KiB, the most that comes at once.',
    )
    expect(shortPageWords(request, page(0, 50, 'A'))).toBeNull()
    expect(shortPageWords(request, page(0, 7, null))).toBeNull()
  })

  it('counts a page once that was asked twice', () => {
    const request = nextPage(hub, 'Person hub', row, 50)
    const once = applyPage(hub, request, page(0, 50, 'A'))
    expect(applyPage(once, request, page(0, 50, 'A'))).toEqual(once)
  })

  it('is over when all edges of the kind are drawn, and open again when some are removed', () => {
    const all = applyPage(
      hub,
      { vertex: 'Person hub', row, limit: 200, cursor: null },
      page(0, 120, null),
    )
    expect(openKinds(hub, 'Person hub', [row])).toEqual([row])
    expect(openKinds(all, 'Person hub', [row])).toEqual([])
    const fewer = removeVertices(all, [[...all.vertices.keys()].at(-1) ?? ''])
    expect(openKinds(fewer, 'Person hub', [row])).toEqual([row])
  })

  it('says how many are left, also when the count has moved', () => {
    const first = applyPage(hub, nextPage(hub, 'Person hub', row, 50), page(0, 50, 'A'))
    const [remainder] = [...first.remainders.values()]
    expect(remainder && remainderLabel(remainder)).toBe('Knows +70')
    const grown = { ...row, count: 40 }
    const more = applyPage(
      hub,
      { vertex: 'Person hub', row: grown, limit: 50, cursor: null },
      page(0, 50, 'A'),
    )
    expect(more.remainders.size).toBe(1)
  })
})

describe('history', () => {
  it('goes back to what a step says was before it', () => {
    const moved = commitFrom(startHistory('unknown'), 'Move', { before: 'here', after: 'there' })
    expect(moved.present).toBe('there')
    expect(undo(moved).present).toBe('here')
    expect(redo(undo(moved)).present).toBe('there')
  })

  it('comes back to the start after any sequence of changes, and forward again', () => {
    const changes: ((value: Scene) => Scene)[] = [
      (value) =>
        addElements(value, { vertices: [vertex('x'), vertex('y')], edges: [edge('x', 'y')] }),
      (value) => hideVertices(value, ['Person a']),
      (value) => collapse(value, 'Person c'),
      (value) => removeVertices(value, ['Person b']),
      showAll,
      (value) => togglePins(value, ['Person a', 'Person c']),
      (value) => focusOn(value, ['Person a'], value.focus === null ? 1 : 2),
      withoutFocus,
      (value) => groupLeaves(value, !value.grouping.leaves),
      (value) => collapseTypes(value, ['Person']),
      (value) => withStyle(value, 'Person', { color: value.styles.size === 0 ? 'x' : null }),
    ]
    const start = scene('abcd', ['ab', 'bc', 'cd'])
    for (let program = 0; program < 5 ** 5; program++) {
      let history: History<Scene> = startHistory(start)
      for (let step = 0; step < 5; step++) {
        const change = changes[(Math.floor(program / 5 ** step) + step) % changes.length]
        history = commit(
          history,
          { label: 'change' },
          (change as (value: Scene) => Scene)(history.present),
        )
      }
      const end = history.present
      // Every state on the way back and forth, not only the ends.
      const states = history.past.map(({ state }) => state)
      let back = history
      for (const state of states.toReversed()) {
        back = undo(back)
        expect(back.present).toBe(state)
      }
      expect(back.present).toBe(start)
      for (const state of [...states.slice(1), end].slice(-states.length)) {
        back = redo(back)
        expect(back.present).toBe(state)
      }
      expect(back.present).toBe(end)
    }
  })
})
