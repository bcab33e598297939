/**
 * A plugin for the build that takes of each Lucide icon its drawing: not the random keys of its
 * lines (a list that never changes needs none), nor the names for classes and debugging.
 *
 * Tests of units and the development server run the whole library.
 */
const icons = '/lucide-react/dist/esm/icons/'
const spare = [
  /,\s*key: "[\w-]+"/g,
  /^ {2}(?:name: "[\w-]+"|size: 24|aliases: \[[^\]]*\]),?\n/gm,
  /^__iconData\.node;\n/gm,
]

export function leanIcons() {
  return {
    name: 'lean-icons',
    apply: 'build',
    transform: (code, id) => (id.includes(icons) ? { code: drawingOnly(code), map: null } : null),
  }
}

export function drawingOnly(code) {
  return spare.reduce((rest, pattern) => rest.replace(pattern, ''), code)
}
