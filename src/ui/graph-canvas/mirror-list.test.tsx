import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { MirrorList } from './mirror-list.tsx'

const node = (place: number) => ({ id: `n${place}`, typeName: 'City', label: `city ${place}` })
const nothing = () => undefined

function listed(count: number): string {
  const nodes = Array.from({ length: count }, (_, place) => node(place))
  const scene = { nodes, edges: [] }
  const props = { label: 'Cities', scene, selection: [], onSelect: nothing, onOpen: nothing }
  return renderToStaticMarkup(<MirrorList {...props} />)
}

it('tells where it leaves elements out, of either kind', () => {
  const whole = listed(500)
  expect(whole.match(/<button/g)).toHaveLength(500)
  expect(whole).not.toContain('The first')
  const cut = listed(501)
  expect(cut.match(/<button/g)).toHaveLength(500)
  expect(cut).toContain('The first 500 of each; the table holds all elements.')
})
