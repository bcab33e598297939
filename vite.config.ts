import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'
import product from './package.json' with { type: 'json' }
import { LongFilesFirst } from './server/test/long-files-first.ts'

const api = process.env['QUIVER_API'] ?? 'http://127.0.0.1:14240'

const compiled = fileURLToPath(new URL('node_modules/.cache/compiled', import.meta.url))

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

export default defineConfig({
  base: '/ui/',
  define: { 'import.meta.env.QUIVER_RELEASE': JSON.stringify(product.version) },
  plugins: [react()],
  worker: { format: 'es' },
  build: {
    outDir: 'dist/ui',
    emptyOutDir: true,
    target: 'es2024',
    chunkSizeWarningLimit: 900,
    manifest: true,
    cssCodeSplit: false,
    rolldownOptions: {
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
    // A second, the usual limit, is short for what starts a thread on a busy machine.
    expect: { poll: { timeout: 30_000 } },
    css: { include: [/tokens\.css/] },
    setupFiles: ['server/test/built-threads.ts', 'server/test/built-sources.ts'],
    sequence: { sequencer: LongFilesFirst },
    // What Node has compiled serves every later file, thread and started program (docs/decisions/0145).
    env: { NODE_COMPILE_CACHE: compiled },
  },
})
