import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { graphSchemaQuery } from '#api/graph-schema.ts'
import { sampleSchema } from '#lib/graph-schema/sample-schema.ts'
import type { SceneVertex } from '../model/scene.ts'
import type { SearchRequest } from '../model/search.ts'
import { SearchResults, VertexChoices } from './search-results.tsx'

const person = (id: string, attributes: SceneVertex['attributes']): SceneVertex => ({
  ...{ key: `Person ${id}` as SceneVertex['key'], type: 'Person', id },
  attributes,
})
const ada = person('7', { name: 'Ada', age: 36 })

/** As it is drawn once the first page is there. */
function drawn(request: SearchRequest, missing: readonly string[] = []): string {
  const client = new QueryClient()
  client.setQueryData(graphSchemaQuery('acme').queryKey, sampleSchema)
  client.setQueryData(['explorer', 'acme', 'search', request, ''], {
    pages: [{ vertices: [ada], missing, cursor: 'c', index: null }],
    pageParams: [null],
  })
  const nothing = () => undefined
  return renderToStaticMarkup(
    <MantineProvider>
      <QueryClientProvider client={client}>
        <SearchResults
          {...{ graph: 'acme', request, close: nothing, onAdd: nothing, onSearch: nothing }}
        />
      </QueryClientProvider>
    </MantineProvider>,
  )
}

it('goes by what the type has an order of, but not where ids were asked for', () => {
  const listing = drawn({ kind: 'type', type: 'Person' })
  expect(listing.match(/<option value="[^"]*"/g)).toEqual(
    ['', 'pid', '-pid', 'name', '-name', 'age', '-age'].map((name) => `<option value="${name}"`),
  )
  expect(listing).toContain('The first 1')
  const asked = drawn({ kind: 'ids', type: 'Person', ids: ['7'] })
  expect(asked).toContain('Ada')
  expect(asked).not.toContain('<option')
})

it('says which ids there are not, and how one with a comma is told', () => {
  const request = { kind: 'ids', type: 'Person', ids: ['x', 'y z'] } as const
  expect(drawn(request, ['x', 'y z'])).toContain(
    'No Person has the id x, y z. An id with a comma in it goes in quotes.',
  )
  expect(drawn(request, ['x'])).toMatch(/No Person has the id x\.</)
})

it('shows what the vertices go by where it is not told already', () => {
  const values = (attribute: string) => {
    const choices = <VertexChoices vertices={[ada]} onChoose={() => undefined} {...{ attribute }} />
    return renderToStaticMarkup(choices)
      .replaceAll(/<svg.*?<\/svg>/g, '')
      .match(/[^<>]+(?=<)/g)
  }
  expect(values('age')).toEqual(expect.arrayContaining(['7', 'Ada', '36']))
  for (const told of ['name', 'pid', '']) expect(values(told)).toEqual(['Person', '7', 'Ada'])
})
