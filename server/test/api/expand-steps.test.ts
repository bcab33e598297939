/** The queries of the explorer's “Expand steps…” against a real server, and against plain loops. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  anyStep,
  type ExpandStep,
  planSteps,
  type StepsWanted,
  stepsQuery,
} from '../../../src/features/explorer/model/expand-steps.ts'
import type { SchemaModel } from '../../../src/lib/graph-schema/schema-model.ts'
import { readSchema } from '../../../src/lib/graph-schema/wire-form.ts'
import { startServer, type TestServer } from '../fixtures/server.ts'

const PEOPLE = 40
const people = Array.from({ length: PEOPLE }, (_, n) => `p${n}`)
const teams = ['a"b', 'a, and b', 'c']

interface Edge {
  readonly type: 'Follows' | 'Knows' | 'Joined'
  readonly from: string
  readonly to: string
  readonly weight: number
}

const edges: readonly Edge[] = people.flatMap((from, n): readonly Edge[] => [
  { type: 'Follows', from, to: `p${(n * 7 + 3) % PEOPLE}`, weight: n % 5 },
  { type: 'Knows', from, to: `p${(n * 3 + 1) % PEOPLE}`, weight: n % 3 },
  { type: 'Joined', from, to: teams[n % 3] ?? '', weight: n },
])

let server: TestServer
let schema: SchemaModel

beforeAll(async () => {
  server = await startServer()
  const attribute = (AttributeName: string, Name: string) => ({
    AttributeName,
    AttributeType: { Name },
  })
  const id = (AttributeName: string) => attribute(AttributeName, 'STRING')
  const person = { Name: 'Person', PrimaryId: id('id') }
  const edge = (Name: string, IsDirected: boolean, to: string) => ({
    ...{ Name, IsDirected, FromVertexTypeName: 'Person', ToVertexTypeName: to },
    Attributes: [attribute('weight', 'INT')],
  })
  await server.request('POST', '/gsql/v1/schema/graphs?graphName=g', {})
  await server.request('POST', '/gsql/v1/schema/change?graph=g', {
    addVertexTypes: [
      {
        ...person,
        Attributes: [
          attribute('age', 'INT'),
          attribute('born', 'DATETIME'),
          attribute('active', 'BOOL'),
        ],
      },
      {
        Name: 'Team',
        PrimaryId: id('id'),
        Attributes: [attribute('name', 'STRING'), attribute('age', 'DOUBLE')],
      },
    ],
    addEdgeTypes: [
      edge('Follows', true, 'Person'),
      edge('Knows', false, 'Person'),
      edge('Joined', true, 'Team'),
    ],
  })
  const value = (given: unknown) => ({ value: given })
  const bySource: Record<string, Record<string, Record<string, Record<string, unknown>>>> = {}
  for (const { type, from, to, weight } of edges) {
    const target = type === 'Joined' ? 'Team' : 'Person'
    bySource[from] ??= {}
    bySource[from][type] = { [target]: { [to]: { weight: value(weight) } } }
  }
  const Person = Object.fromEntries(
    people.map((key, n) => [
      key,
      { age: value(n), born: value(`20${10 + n}-01-01 00:00:00`), active: value(n % 2 === 0) },
    ]),
  )
  const Team = Object.fromEntries(
    teams.map((name) => [name, { name: value(name), age: value(1.5) }]),
  )
  const written = await server.request('POST', '/restpp/graph/g', {
    vertices: { Person, Team },
    edges: { Person: bySource },
  })
  expect(written.body.results?.[0], written.text).toMatchObject({
    accepted_vertices: 43,
    accepted_edges: 120,
  })
  const answer = await server.request('GET', '/gsql/v1/schema/graphs/g')
  schema = readSchema(answer.body.results)
})
afterAll(() => server.close())

async function ask(
  starts: readonly string[],
  steps: readonly Partial<ExpandStep>[],
  wanted: StepsWanted = 'counts',
) {
  const plans = planSteps(
    schema,
    ['Person'],
    steps.map((step) => ({ ...anyStep, ...step })),
  )
  expect(plans.map(({ problem }) => problem).filter(Boolean)).toEqual([])
  const body = JSON.stringify({
    text: stepsQuery('g', plans, wanted),
    parameters: { qv_start: starts.map((id) => ({ id, type: 'Person' })) },
  })
  const { body: answer } = await server.request('POST', '/gsql/v1/queries/interpret', body)
  expect(answer.error, answer.message).toBe(false)
  return Object.assign({}, ...answer.results)
}

interface Hop {
  readonly to: string
  readonly edge: Edge
}

/** The same by loops: what each step reaches first, and every edge that it follows there. */
function model(starts: readonly string[], steps: readonly ((hop: Hop, way: string) => boolean)[]) {
  const seen = new Set(starts)
  let front = [...seen]
  return steps.map((fits) => {
    const hops = front.flatMap((at) =>
      edges.flatMap((edge): readonly Hop[] => {
        const ways = edge.type === 'Knows' ? ['any', 'any'] : ['out', 'in']
        const out = { to: edge.to, edge }
        const back = { to: edge.from, edge }
        return [
          ...(edge.from === at && fits(out, ways[0] ?? '') ? [out] : []),
          ...(edge.to === at && fits(back, ways[1] ?? '') ? [back] : []),
        ]
      }),
    )
    front = [...new Set(hops.map(({ to }) => to))].filter((to) => !seen.has(to))
    for (const to of front) seen.add(to)
    return { front, hops }
  })
}

const age = (id: string) => Number(id.slice(1))

describe('several steps', () => {
  const cases: readonly [string, readonly Partial<ExpandStep>[], Parameters<typeof model>[1]][] = [
    ['of everything', [{}, {}], [() => true, () => true]],
    [
      'one way, by some types',
      [
        { direction: 'out' },
        { edgeTypes: ['Follows'], direction: 'in' },
        { edgeTypes: ['Joined', 'Knows'] },
      ],
      [
        (_, way) => way !== 'in',
        ({ edge }, way) => edge.type === 'Follows' && way === 'in',
        ({ edge }) => edge.type !== 'Follows',
      ],
    ],
    [
      'to some types, on conditions',
      [
        { targetTypes: ['Person'], condition: 'age > 5 and age<=30, active = true' },
        { condition: 'weight >= 2', edgeTypes: ['Follows'] },
      ],
      [
        ({ to }) => to.startsWith('p') && age(to) > 5 && age(to) <= 30 && age(to) % 2 === 0,
        ({ edge }) => edge.type === 'Follows' && edge.weight >= 2,
      ],
    ],
    [
      'by text and time',
      [{ condition: 'name = "a\\"b"' }, { condition: 'born < "2030-01-01"' }],
      [({ to }) => to === 'a"b', ({ to }) => to.startsWith('p') && age(to) < 20],
    ],
    [
      'by text with a comma and an and',
      [{ condition: 'name="a, and b"' }],
      [({ to }) => to === 'a, and b'],
    ],
  ]
  it.each(cases)('%s', async (_name, steps, fits) => {
    for (const starts of [['p0'], ['p1', 'p4', 'p5'], people.slice(0, 20)]) {
      const expected = model(starts, fits)
      const counts = await ask(starts, steps)
      const wanted = expected.flatMap(({ front, hops }, at) => [
        [`v${at + 1}`, front.length],
        [`e${at + 1}`, hops.length],
      ])
      expect(counts).toEqual(Object.fromEntries(wanted))

      const { edges: drawn } = await ask(starts, steps, 'edges')
      const nameOf = (row: Record<string, unknown>) => {
        const ends = [row['from_id'], row['to_id']]
        return [row['e_type'], ...(row['directed'] === true ? ends : ends.sort())].join(' ')
      }
      const rows = expected.flatMap(({ hops }) =>
        hops.map(({ edge }) =>
          nameOf({
            e_type: edge.type,
            from_id: edge.from,
            to_id: edge.to,
            directed: edge.type !== 'Knows',
          }),
        ),
      )
      expect([...new Set(drawn.map(nameOf))].sort()).toEqual([...new Set(rows)].sort())

      const { qv_rows: found } = await ask(starts, steps, 'rows')
      const reached = expected.flatMap(({ front }) => front)
      expect(found.map((row: { v_id: string }) => row.v_id).sort()).toEqual(reached.sort())
    }
  })

  it('back to where they began are the edges among some vertices', async () => {
    for (const starts of [['p0', 'p1', 'p3'], people, ['p2']]) {
      const among = new Set(starts)
      const step = { direction: 'out', targetTypes: ['Person'] } as const
      const { edges: found } = await ask(starts, [step], 'among')
      const ends = found.map(
        (row: Record<string, string>) => `${row['e_type']} ${row['from_id']} ${row['to_id']}`,
      )
      const wanted = edges
        .filter(({ from, to }) => among.has(from) && among.has(to))
        .flatMap(({ type, from, to }) =>
          type === 'Knows'
            ? [`${type} ${from} ${to}`, `${type} ${to} ${from}`]
            : [`${type} ${from} ${to}`],
        )
      expect([...new Set(ends)].sort()).toEqual([...new Set(wanted)].sort())
    }
  })

  it('that lead nowhere or make no sense say so', () => {
    const problem = (step: Partial<ExpandStep>, from = 'Person') =>
      planSteps(schema, [from], [{ ...anyStep, ...step }])[0]?.problem
    expect(problem({})).toBeNull()
    expect(problem({ direction: 'out' }, 'Team')).toBe('No edge of the schema leads on so.')
    expect(problem({ edgeTypes: ['Joined'], targetTypes: ['Person'] })).toContain('leads on')
    expect(problem({ condition: 'height > 3' })).toBe(
      'Nothing that this step reaches has an attribute height.',
    )
    expect(problem({ condition: 'name = x' })).toContain(
      'name, which is STRING: put it in double quotes',
    )
    expect(problem({ condition: 'active = 1' })).toBe('1 does not fit active, which is BOOL.')
    for (const text of [
      'age',
      'age >',
      'age > 3,',
      'age > 3 and',
      'age > 3 or age < 1',
      '> 3',
      'age > 3 age < 4',
    ]) {
      expect(problem({ condition: text }), text).toContain('write attribute > value')
    }
    expect(problem({ condition: 'age > 1); DELETE s FROM S0:s; (1' })).toContain('write attribute')
  })
})
