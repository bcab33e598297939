import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'
import product from './package.json' with { type: 'json' }
import { leanContract } from './scripts/lean-contract.mjs'
import { leanCytoscape } from './scripts/lean-cytoscape.mjs'
import { leanIcons } from './scripts/lean-icons.mjs'
import { leanMantine } from './scripts/lean-mantine.mjs'
import { leanReact } from './scripts/lean-react.mjs'

const api = process.env['QUIVER_API'] ?? 'http://127.0.0.1:14240'

/**
 * Recharts finds scales by name and so brings them all, with dates and colours; ours are these.
 * Their ranges are numbers, so nothing else is ever interpolated.
 */
const chartParts: Readonly<Record<string, string>> = {
  'victory-vendor/d3-scale':
    "export { scaleBand, scaleLinear, scaleLog, scalePoint } from 'd3-scale'",
  'd3-interpolate': `
    export const interpolateNumber = (a, b) => (t) => a * (1 - t) + b * t
    export const interpolateRound = (a, b) => (t) => Math.round(a * (1 - t) + b * t)
    export { interpolateNumber as interpolate }
    export const piecewise = undefined`,
  'decimal.js-light': `export { Decimal as default } from ${JSON.stringify(
    fileURLToPath(new URL('src/ui/chart/decimal.ts', import.meta.url)),
  )}`,
  // Ticks are written by the charts themselves.
  'd3-format': `export const [format, formatPrefix, formatSpecifier] = []
    export const [precisionFixed, precisionPrefix, precisionRound] = []`,
}

const scalesInUse = () => ({
  name: 'scales-in-use',
  apply: 'build' as const,
  enforce: 'pre' as const,
  resolveId: (source: string) => (source in chartParts ? `\0chart:${source}` : null),
  load: (id: string) => (id.startsWith('\0chart:') ? chartParts[id.slice(7)] : null),
})

/** What every page needs comes in one file, so that the first paint waits for few requests. */
const groups = [
  {
    name: 'frame',
    priority: 2,
    // Small parts that most pages share: else they stand in one file with large ones that few need.
    test: /src\/(main|features\/home\/home-page|lib\/download|ui\/(layout\/(split-pane|toolbar|tabs|page-tabs)|code-editor\/code-editor|feedback\/(dialog|confirm-dialog)))\.tsx?$|\/components\/Input\/.*\.mjs$|(ComboboxChevron|get-parsed-combobox-data)\.mjs$/,
  },
  {
    name: 'shared',
    priority: 1,
    minShareCount: 2,
    entriesAware: true,
    entriesAwareMergeThreshold: 2_500,
  },
]

const schemaKinds = 'object array string number boolean unknown record undefined union enum bigint'
const pureFunctions = [
  'endpoint',
  ...schemaKinds.split(' ').map((kind) => `z.${kind}`),
  // Warnings of libraries to those who call them: unit tests and the development server hear them.
  ...['warn', 'warning', 'util.warn'],
]

const sheets = new Map<string, string>()

/** `panel-title`, of `panel.module.css`: no two style sheets have one name. */
function nameOfClass(name: string, file: string): string {
  const sheet = basename(file, '.module.css')
  if ((sheets.get(sheet) ?? file) !== file) throw new Error(`Two style sheets are called ${sheet}.`)
  sheets.set(sheet, file)
  return `${sheet}-${name}`
}

export default defineConfig({
  base: '/ui/',
  define: { 'import.meta.env.QUIVER_RELEASE': JSON.stringify(product.version) },
  plugins: [
    react(),
    leanReact(),
    leanIcons(),
    leanContract(),
    scalesInUse(),
    leanCytoscape(),
    leanMantine(),
  ],
  css: { modules: { generateScopedName: nameOfClass } },
  worker: { format: 'es', plugins: () => [leanContract()] },
  build: {
    outDir: 'dist/ui',
    emptyOutDir: true,
    target: 'es2024',
    chunkSizeWarningLimit: 700,
    manifest: true,
    cssCodeSplit: false,
    rolldownOptions: {
      // Their calls are left out where nothing takes what they return.
      treeshake: { manualPureFunctions: pureFunctions },
      output: {
        codeSplitting: { groups },
        chunkFileNames: ({ name }) =>
          `assets/${name.startsWith('shared') ? 'shared' : '[name]'}-[hash].js`,
      },
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
    exclude: [
      '**/node_modules/**',
      ...(process.env['QUIVER_SLOW'] === '1' ? [] : ['server/test/slow/**']),
    ],
    maxWorkers: 2,
    // Generous: a slow machine is no bug; what hangs still ends.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    css: { include: [/tokens\.css/] },
  },
})
