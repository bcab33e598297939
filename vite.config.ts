import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'

const api = process.env['QUIVER_API'] ?? 'http://127.0.0.1:14240'

export default defineConfig({
  base: '/ui/',
  plugins: [react()],
  build: {
    outDir: 'dist/ui',
    emptyOutDir: true,
    target: 'es2024',
    chunkSizeWarningLimit: 700,
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
    // Generous: a slow machine is no bug; what hangs still ends.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    css: { include: [/tokens\.css/] },
  },
})
