/** Each page as somebody sees it who may only look: what would be refused says so. */
import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { graphSchemaQuery } from '#api/graph-schema.ts'
import { graphsQuery } from '#api/graphs.ts'
import { ownRightsQuery } from '#api/rights.ts'
import { sessionQuery } from '#api/session.ts'
import { privileges } from '#contract/privileges.ts'
import type { SchemaModel } from '#lib/graph-schema/schema-model.ts'
import { preferences } from '#lib/storage/preferences.ts'
import { AccessPage } from '../features/access/access-page.tsx'
import { Roles } from '../features/access/components/roles.tsx'
import { FormTab } from '../features/data/components/form-tab.tsx'
import { JsonSetup } from '../features/data/components/json-setup.tsx'
import { JsonTab } from '../features/data/components/json-tab.tsx'
import { DataPage } from '../features/data/data-page.tsx'
import { AttributeEditor } from '../features/explorer/components/attribute-editor.tsx'
import { DeleteButton } from '../features/explorer/components/delete-button.tsx'
import { HomePage } from '../features/home/home-page.tsx'
import { indexesQuery, indexUsageQuery } from '../features/indexes/api/indexes.ts'
import { IndexesPage } from '../features/indexes/indexes-page.tsx'
import { queryKeys } from '../features/queries/api/queries.ts'
import { QueryToolbar } from '../features/queries/components/query-toolbar.tsx'
import { RunningList } from '../features/queries/components/running-list.tsx'
import type { QueryEditor } from '../features/queries/use-query-editor.ts'
import { Review } from '../features/schema/components/review.tsx'
import type { SchemaEditor } from '../features/schema/components/use-schema-editor.ts'
import { edit, startDraft } from '../features/schema/model/draft.ts'
import { newVertex } from '../features/schema/model/new-type.ts'
import { diffSchemas } from '../features/schema/model/schema-diff.ts'
import { CheckCard } from '../features/system/components/check-card.tsx'
import { RebuildCard } from '../features/system/components/rebuild-card.tsx'

// Pages are drawn once, as text: that asks for no browser.
vi.stubGlobal('window', { location: { origin: 'http://here' } })
afterAll(() => vi.unstubAllGlobals())

const GRAPH = 'acme'

const empty: SchemaModel = { vertices: [], edges: [] }
const person = newVertex(empty)
const attribute = { name: 'age', type: 'INT', defaultText: null, isNew: false }
const schema: SchemaModel = { vertices: [{ ...person, attributes: [attribute] }], edges: [] }
const [type] = schema.vertices as [(typeof schema.vertices)[number]]

/** A client that knows what the pages ask for first. */
function clientOf(isSuperUser: boolean): QueryClient {
  const client = new QueryClient()
  const session = { user: 'ada', passwordIsDefault: false, isSuperUser, version: '1' }
  client.setQueryData(sessionQuery.queryKey, session)
  const none = Object.values(privileges).flatMap((names) =>
    names.map((privilege) => ({
      ...{ privilege, privilegeType: 'GRAPH', granted: false, types: [], through: [] },
    })),
  )
  for (const graph of [null, GRAPH]) {
    const own = { user: 'ada', graph, isSuperUser: false, privileges: none }
    client.setQueryData(ownRightsQuery(graph ?? '').queryKey, own)
  }
  client.setQueryData(graphsQuery.queryKey, [])
  client.setQueryData(graphSchemaQuery(GRAPH).queryKey, schema)
  client.setQueryData(indexesQuery(GRAPH).queryKey, [
    { [type.name]: [{ index: 'by_age', attribute: 'age' }] },
  ])
  const missed = { vertex: type.name, attribute: 'height', scans: 7, lastScannedAt: 0 }
  client.setQueryData(indexUsageQuery(GRAPH).queryKey, {
    ...{ since: 0, missed: [missed], ofIndex: new Map() },
  })
  const time = '2026-11-23 06:00:00.000'
  const running = {
    requestid: '1',
    startTime: time,
    expirationTime: time,
    url: '/q',
    elapsedTime: 1,
  }
  client.setQueryData(queryKeys.running, {
    ...{ running: [{ ...running, graph: GRAPH, user: 'bob' }], aborting: [], ended: [] },
  })
  client.setQueryData(['access', 'roles'], {
    ...{ builtIn: { global: [], local: [] }, userDefinedRoles: {} },
  })
  return client
}

interface Control {
  readonly name: string
  readonly attributes: string
}

const drawn = (node: ReactNode, client: QueryClient) =>
  renderToStaticMarkup(
    <MantineProvider>
      <QueryClientProvider client={client}>
        <MemoryRouter>{node}</MemoryRouter>
      </QueryClientProvider>
    </MantineProvider>,
  )

function controlsOf(node: ReactNode, isSuperUser: boolean): readonly Control[] {
  const html = drawn(node, clientOf(isSuperUser))
  return [...html.matchAll(/<(button|a)\b([^>]*)>(.*?)<\/\1>/gs)].map((match) => {
    const [attributes, content] = [match[2] as string, match[3] as string]
    const label = /aria-label="([^"]*)"/.exec(attributes)?.[1]
    return { name: label ?? content.replaceAll(/<[^>]*>/g, ''), attributes }
  })
}

const nothing = () => undefined
const queryEditor = {
  ...{ name: 'reach', text: 'q', dirty: true, isDraft: true, canRun: true, canRunDraft: true },
  ...{ installing: {}, dropping: {}, run: { status: 'idle' } },
} as unknown as QueryEditor
const added = edit(startDraft(empty), { kind: 'addType', type })
if (!added.ok) throw new Error(added.problem)
const schemaEditor = {
  ...{ draft: added.draft, changes: diffSchemas(empty, added.draft.schema) },
} as unknown as SchemaEditor
const element = { key: 'v', type: type.name, id: '1', attributes: { age: 3 } } as never
const file = { name: 'a.json' } as File
const toolbar = { onRun: nothing, onRunAll: nothing, onRevert: nothing, isPart: false }

const everywhere = 'on all graphs'
const here = `on graph ${GRAPH}`

const cases: readonly (readonly [ReactNode, Readonly<Record<string, string>>])[] = [
  [
    <HomePage key="home" />,
    {
      'Load sample graph': `WRITE_SCHEMA ${everywhere}`,
      'Start from a CSV': `WRITE_SCHEMA ${everywhere}`,
    },
  ],
  [
    <IndexesPage key="indexes" graph={GRAPH} />,
    {
      'New index': `WRITE_SCHEMA ${here}`,
      'Drop index by_age': `WRITE_SCHEMA ${here}`,
    },
  ],
  [<RebuildCard key="rebuild" graph={GRAPH} />, { 'Rebuild now': `UPDATE_DATA ${here}` }],
  [<CheckCard key="check" graph={GRAPH} />, { 'Run check': `READ_DATA ${here}` }],
  [
    <JsonSetup key="file" graph={GRAPH} file={file} onLoad={nothing} />,
    { 'Load a.json': `UPDATE_DATA ${here}` },
  ],
  [<JsonTab key="json" graph={GRAPH} schema={schema} />, { Write: `UPDATE_DATA ${here}` }],
  [
    <FormTab key="form" graph={GRAPH} schema={schema} />,
    { [`Write ${type.name}`]: `UPDATE_DATA ${here}` },
  ],
  [
    <AttributeEditor key="edit" graph={GRAPH} explorer={{} as never} element={element} />,
    { 'Edit attributes': `UPDATE_DATA ${here}` },
  ],
  [
    <DeleteButton key="delete" graph={GRAPH} onClick={nothing} />,
    { 'Delete from the graph…': `DELETE_DATA ${here}` },
  ],
  [
    <QueryToolbar key="query" graph={GRAPH} editor={queryEditor} compiler={null} {...toolbar} />,
    {
      Install: `CREATE_QUERY ${here}`,
      Run: `EXECUTE_QUERY ${here}`,
      'Run draft': `EXECUTE_QUERY ${here}`,
      Drop: `DROP_QUERY ${here}`,
    },
  ],
  [<RunningList key="running" graph={GRAPH} />, { 'Abort /q': `DELETE_DATA ${here}` }],
  [
    <Review key="review" graph={GRAPH} editor={schemaEditor} onBack={nothing} />,
    { 'Publish 1 change': `WRITE_SCHEMA ${here}` },
  ],
  [<Roles key="roles" />, { 'New role': `WRITE_ROLE ${everywhere}` }],
]

describe.each(cases)('a page', (node, wanted) => {
  it(`says to who may not: ${Object.keys(wanted).join(', ')}`, () => {
    const controls = controlsOf(node, false)
    for (const [name, takes] of Object.entries(wanted)) {
      const attributes = controls.find((control) => control.name === name)?.attributes
      expect(attributes, name).toContain(`This takes the privilege ${takes}, which you do not`)
      expect(attributes, name).toContain('aria-disabled="true"')
    }
  })

  it(`offers to who may: ${Object.keys(wanted).join(', ')}`, () => {
    const controls = controlsOf(node, true)
    for (const name of Object.keys(wanted)) {
      const attributes = controls.find((control) => control.name === name)?.attributes
      expect(attributes, name).toBeDefined()
      expect(attributes, name).not.toContain('aria-disabled')
    }
  })
})

it('says at the top of the Data page who may write nothing', () => {
  const words = `Nothing can be written here. This takes the privilege UPDATE_DATA ${here}`
  expect(drawn(<DataPage graph={GRAPH} />, clientOf(false))).toContain(words)
  expect(drawn(<DataPage graph={GRAPH} />, clientOf(true))).not.toContain('Nothing can be written')
  preferences.set({ writeGuard: 'read-only' })
  const guarded = 'Nothing can be written here. The write guard is read-only'
  expect(drawn(<DataPage graph={GRAPH} />, clientOf(true))).toContain(guarded)
  preferences.set({ writeGuard: 'off' })
})

it('says in sight who may only draft', () => {
  const review = <Review graph={GRAPH} editor={schemaEditor} onBack={nothing} />
  const words = 'You may draft here, but not publish.'
  expect(drawn(review, clientOf(false))).toContain(words)
  expect(drawn(review, clientOf(true))).not.toContain(words)
})

describe('a query', () => {
  it('may be run and dropped by its owner', () => {
    const editor = { ...queryEditor, owner: 'ada' } as QueryEditor
    const bar = <QueryToolbar graph={GRAPH} editor={editor} compiler={null} {...toolbar} />
    const refused = controlsOf(bar, false).filter(({ attributes }) =>
      attributes.includes('aria-disabled'),
    )
    expect(refused.map(({ name }) => name)).toEqual(['Install', 'Run draft'])
  })
})

describe('the list of users', () => {
  it('is not asked for by who may not see it, nor before that is known', () => {
    const client = clientOf(false)
    expect(drawn(<AccessPage />, client)).toContain('the privilege READ_USER on all graphs')
    client.removeQueries({ queryKey: ownRightsQuery('').queryKey })
    const early = drawn(<AccessPage />, client)
    expect(early).toContain('aria-label="Loading data"')
    expect(early).not.toMatch(/Loading users|READ_USER/)
    expect(drawn(<AccessPage />, clientOf(true))).toContain('aria-label="Loading users"')
  })
})
