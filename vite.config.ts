import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'

const api = process.env['QUIVER_API'] ?? 'http://127.0.0.1:14240'

/**
 * Few files instead of many small ones: what only some pages need stands in a file of its own, by
 * the library that makes it large; the rest that pages share comes with the first load.
 */
const chunkGroups = [
  {
    name: 'graph',
    test: /node_modules\/(cytoscape|dagre|cose-base|layout-base)|src\/ui\/graph-canvas/,
    priority: 3,
  },
  {
    name: 'editor',
    test: /node_modules\/(@codemirror|@lezer|style-mod|crelt|w3c-keyname)|src\/ui\/code-editor\/(?!lazy)/,
    priority: 3,
  },
  {
    name: 'charts',
    test: /node_modules\/(recharts|d3-(?!force|quadtree|dispatch|timer)|victory|@reduxjs|redux|react-redux|immer|reselect|es-toolkit)/,
    priority: 3,
  },
  {
    name: 'table',
    test: /node_modules\/@tanstack\/(react-table|table-core|react-virtual|virtual-core|store|react-store)|src\/ui\/data-table/,
    priority: 3,
  },
]

export default defineConfig({
  base: '/ui/',
  plugins: [react()],
  build: {
    outDir: 'dist/ui',
    emptyOutDir: true,
    target: 'es2024',
    chunkSizeWarningLimit: 700,
    rolldownOptions: {
      output: { codeSplitting: { groups: chunkGroups, includeDependenciesRecursively: false } },
    },
  },
  server: {
    host: '127.0.0.1',
    proxy: Object.fromEntries(
      ['/restpp', '/gsql', '/informant', '/quiver', '/api', '/openapi.json'].map((path) => [
        path,
        { target: api },
      ]),
    ),
  },
  test: {
    include: [
      'server/src/**/*.test.ts',
      'server/contract/**/*.test.ts',
      'server/test/**/*.test.ts',
      'src/**/*.test.{ts,tsx}',
    ],
    exclude: ['**/node_modules/**', 'server/test/slow/**'],
    maxWorkers: 2,
    css: { include: [/tokens\.css/] },
  },
})
