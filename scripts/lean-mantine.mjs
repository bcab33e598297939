/**
 * A plugin for the build that takes of each Mantine component what is used. A component carries its
 * parts as properties (`Menu.Sub = MenuSub`), and with them their code: parts that neither our
 * sources nor Mantine's name are left out, as are names for debugging. Lists scroll as the browser
 * scrolls them, a dialog holds the page's scroll bar, and nothing has an arrow.
 *
 * Tests of units and the development server run the whole library; the flows in the browser this.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const library = fileURLToPath(new URL('../node_modules/@mantine/core/esm/', import.meta.url))
const ours = fileURLToPath(new URL('../src/', import.meta.url))
const standIns = fileURLToPath(new URL('../src/ui/theme/mantine-parts.tsx', import.meta.url))

/** `Menu.Sub = MenuSub;`, on a line of its own as Mantine builds it. */
const property = /^([A-Z]\w*)\.([A-Z]\w*|displayName|classes|varsResolver) = .*;$/gm

/** Modules that give way to a small part of ours, under the names they export. */
const replaced = [
  [/\/components\/ScrollArea\/ScrollArea\.mjs$/, 'ScrollArea, ScrollAreaAutosize'],
  [/\/utils\/Floating\/FloatingArrow\/FloatingArrow\.mjs$/, 'FloatingArrow'],
]

export function leanMantine() {
  let used = new Set()
  return {
    name: 'lean-mantine',
    apply: 'build',
    enforce: 'pre',
    buildStart() {
      used = partsNamed([...textsBelow(library, '.mjs'), ...textsBelow(ours, '.tsx')])
    },
    resolveId(source, importer) {
      if (source === 'react-remove-scroll' && importer?.startsWith(library)) return standIns
      return null
    },
    load(id) {
      if (!id.startsWith(library)) return null
      const names = replaced.find(([pattern]) => pattern.test(id))?.[1]
      return names === undefined ? null : `export { ${names} } from ${JSON.stringify(standIns)}`
    },
    transform(code, id) {
      if (!id.startsWith(library) || !id.endsWith('.mjs')) return null
      const lean = withoutSpareParts(code, used).replace(' ? safePolygon() : null', ' && null')
      return lean === code ? null : { code: lean, map: null }
    },
  }
}

/** Without the properties that nobody reads. */
export function withoutSpareParts(code, used) {
  return code.replace(property, (line, owner, part) => (used.has(`${owner}.${part}`) ? line : ''))
}

/** Every `Owner.Part` that some text puts into a page, as `<Owner.Part` or built: `jsx(Owner.Part`. */
export function partsNamed(texts) {
  const named = new Set()
  for (const text of texts) {
    for (const [, name] of text.matchAll(/[<({=]([A-Z]\w*\.[A-Z]\w*)/g)) named.add(name)
  }
  return named
}

function textsBelow(folder, extension) {
  return readdirSync(folder, { recursive: true })
    .filter((name) => name.endsWith(extension))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
}
