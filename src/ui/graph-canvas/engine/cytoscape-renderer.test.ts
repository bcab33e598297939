/// <reference types="node" />
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import cytoscape from 'cytoscape'
import { expect, it } from 'vitest'
import { CYTOSCAPE_VERSION, edgePoints, forgetBounds, renderedStyle } from './cytoscape-renderer.ts'

const library = readFileSync('node_modules/cytoscape/dist/cytoscape.esm.mjs', 'utf8')

/** The text of a function that the build assigns to a prototype: `LTCp.dequeue = function (…) {…};`. */
function textOf(name: string): string {
  const texts = [...library.matchAll(/^[A-Za-z]\w*(?:\$\w+)?\.(\w+) = function[\s\S]*?^};$/gm)]
    .filter((match) => match[1] === name)
    .map(([text]) => text)
  expect(texts.length, name).toBeGreaterThan(0)
  return texts.join('\n')
}

const digest = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 12)

it('is of the release that is installed', () => {
  const { version } = JSON.parse(readFileSync('node_modules/cytoscape/package.json', 'utf8'))
  expect(version).toBe(CYTOSCAPE_VERSION)
})

/** Measure the canvas and read the change before another text is written down here. */
it.each([
  ['drawCachedNodes', '41cc150596c6'],
  ['findNearestElements', '5df855e5badf'],
  ['render', '704a85c50260'],
  ['redraw', '1ad5eae4718a'],
  ['redrawHint', 'f42172deb7f7'],
  ['getPixelRatio', '3d405b3371c8'],
  ['getCachedZSortedEles', '6870c72502c2'],
  ['getLayers', 'b04009e48b66'],
  ['levelIsComplete', '0e7d36c8ecaf'],
  ['validateLayersElesOrdering', '2f0634a94f36'],
  ['dequeue', '3a3730f0fa16'],
  ['dirtyBoundingBoxCache', 'b39f1d500bce'],
])('%s has the text it was read with', (name, known) => {
  expect(digest(textOf(name))).toBe(known)
})

it('reads the private parts of an element', () => {
  const cy = cytoscape({
    headless: true,
    styleEnabled: true,
    elements: [
      { data: { id: 'a' } },
      { data: { id: 'b' } },
      { data: { source: 'a', target: 'b' } },
    ],
  })
  expect(edgePoints(cy.edges().first())).toBeNull()
  const node = cy.nodes().first()
  node.boundingBox()
  expect(renderedStyle(node)).toBeTypeOf('object')
  const seen = new Set<string>()
  cy.on('bounds', 'node', ({ target }) => seen.add(target.id()))
  forgetBounds(node)
  expect([...seen]).toEqual(['a'])
})
