/**
 * `npm run test:follower`: the tests of the API through a follower (server/test/fixtures/through-follower.ts), as
 * they are. Files are named behind it: `npm run test:follower -- server/test/api/schema.test.ts`.
 * With QUIVER_TEST_THROUGH=postgres their store is in PostgreSQL.
 */
import process from 'node:process'
import { defineConfig } from 'vitest/config'
import { filesOfMemory, filesOfOneServer } from './server/test/fixtures/through-exceptions.ts'

const through = process.env['QUIVER_TEST_THROUGH'] ?? 'follower'
const leftOut = { ...filesOfOneServer, ...(through === 'postgres' ? filesOfMemory : {}) }

export default defineConfig({
  test: {
    include: ['server/test/api/*.test.ts'],
    exclude: Object.keys(leftOut).map((name) => `server/test/api/${name}`),
    setupFiles: ['server/test/follower-setup.ts'],
    env: { QUIVER_TEST_THROUGH: through },
    maxWorkers: 1,
    experimental: { viteModuleRunner: false },
    // Generous: a slow machine is no bug; what hangs still ends.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
  },
})
