/**
 * A plugin for the build through which modules take React's functions by name. React is a CommonJS
 * package, so that each of 3,600 calls would go through its object: `(0, react.jsx)(…)`. One
 * function makes elements with one child and with several, as it does in React.
 *
 * Tests of units and the development server import React as it is.
 */
import { createRequire } from 'node:module'

const react = createRequire(import.meta.url)('react')
const names = Object.keys(react).filter((name) => !name.startsWith('_'))

// A binding that nobody imports is left out.
const bindings = names.map((name) => `export const ${name} = /* @__PURE__ */ (() => all.${name})()`)
const modules = {
  react: ["import all from 'react'", 'export default all', ...bindings].join('\n'),
  'react/jsx-runtime': `import all from 'react/jsx-runtime'
    export const { Fragment, jsx } = all
    export { jsx as jsxs }`,
}

export function leanReact() {
  return {
    name: 'lean-react',
    apply: 'build',
    enforce: 'pre',
    resolveId: (source, importer, { kind }) =>
      // The modules above, and those of CommonJS, get the package.
      source in modules && kind === 'import-statement' && !importer?.startsWith('\0react:')
        ? `\0react:${source}`
        : null,
    load: (id) => (id.startsWith('\0react:') ? modules[id.slice(7)] : null),
  }
}
