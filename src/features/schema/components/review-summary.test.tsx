import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import type { ImpactLine } from '../model/impact.ts'
import { ReviewSummary } from './review-summary.tsx'

const line = (part: Partial<ImpactLine>): ImpactLine => ({
  ...{ operation: 'addVertexTypes', name: 'City', class: 'safe', text: 'Adds City.' },
  ...{ vertices: 0, edges: 0, edgeTypes: [], indexes: [], queries: [] },
  ...part,
})
const operations = [
  line({}),
  line({ name: 'Town', text: 'Adds Town.' }),
  line({ operation: 'dropVertexTypes', name: 'Old', class: 'destroys', text: 'Drops Old.' }),
  line({ operation: 'alterVertexTypes', class: 'rewrites', text: 'Renames.', queries: ['q'] }),
]

function drawn(message: string): string {
  const refusal = { operation: 'addVertexTypes', index: 1, name: 'Town', message }
  return renderToStaticMarkup(
    <ReviewSummary
      changes={[]}
      impact={{ problem: null, operations, destroyedVertices: 0, destroyedEdges: 0, gsql: '' }}
      refusals={[refusal]}
    >
      <p>drafts</p>
    </ReviewSummary>,
  )
}

it('tells what is lost first, and what else breaks before what is safe', () => {
  const html = drawn('No.')
  const places = ['Drops Old.', 'Renames.', 'query q', 'drafts', 'Adds City.', 'Adds Town.'].map(
    (text) => html.indexOf(text),
  )
  expect(places).toEqual(places.toSorted((one, other) => one - other))
  expect(places).not.toContain(-1)
})

it('marks the line that was refused, with the reason, and no other', () => {
  const lines = drawn('Town is taken.').split('<li ')
  const marked = lines.filter((one) => one.startsWith('data-refused="true"'))
  expect(marked).toHaveLength(1)
  expect(marked[0]).toMatch(/Adds Town\..*Town is taken\./)
})
