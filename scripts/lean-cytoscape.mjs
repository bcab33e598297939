/**
 * A plugin for the build that takes cytoscape from its sources and leaves out what we never call:
 * its graph algorithms (the engine has them), the force layout that blocks the page (ours runs in
 * a worker), the WebGL renderer, images in nodes, style sheets as text, springs, and promises for
 * browsers without. A quarter of the library.
 *
 * Tests and the development server run the whole library; the flows in the browser run this one.
 */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const sources = fileURLToPath(new URL('../node_modules/cytoscape/src/', import.meta.url))

/** Still needed: layouts and components walk breadth first. */
const kept = /\/collection\/algorithms\/(index|bfs-dfs)\.mjs$/
const unused = [
  /\/collection\/algorithms\/[\w-]+\.mjs$/,
  /\/extensions\/layout\/(cose|circle|random)\.mjs$/,
  /\/extensions\/renderer\/canvas\/webgl\/[\w-]+\.mjs$/,
  /\/extensions\/renderer\/(base\/images|canvas\/drawing-images)\.mjs$/,
  /\/(style\/string-sheet|core\/animation\/spring)\.mjs$/,
]

/** Colours by name, beside the few that its own defaults use: ours come as numbers. */
const colorTable = `${sources}util/colors.mjs`
const spareColor = /^ {2}(?!transparent|black|white:)[a-z]+: \[[ \d,]+\],?\n/gm

/** Of two other libraries it takes five functions: ours, under the names it knows. */
const parts = {
  heap: 'Heap',
  'lodash/debounce.js': 'debounce',
  'lodash/toPath.js': 'toPath',
  'lodash/get.js': 'getIn',
  'lodash/set.js': 'setIn',
}
const ours = fileURLToPath(
  new URL('../src/ui/graph-canvas/engine/cytoscape-parts.ts', import.meta.url),
)

export function leanCytoscape() {
  return {
    name: 'lean-cytoscape',
    apply: 'build',
    enforce: 'pre',
    resolveId(source, importer) {
      if (source === 'cytoscape') return `${sources}index.mjs`
      if (source in parts && importer?.startsWith(sources)) return `\0part:${source}`
      return null
    },
    load(id) {
      if (id.startsWith('\0part:')) {
        return `export { ${parts[id.slice(6)]} as default } from ${JSON.stringify(ours)}`
      }
      if (id === `${sources}promise.mjs`) return 'export default Promise'
      if (id === colorTable) return readFileSync(id, 'utf8').replace(spareColor, '')
      if (!id.startsWith(sources) || kept.test(id)) return null
      // An empty mixin, or a layout that places nothing.
      if (unused.some((pattern) => pattern.test(id))) return 'export default function () {}'
      return null
    },
  }
}
