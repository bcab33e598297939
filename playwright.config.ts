import process from 'node:process'
import { defineConfig } from '@playwright/test'
import { headlessPath } from './scripts/chromium.mjs'

export default defineConfig({
  testDir: 'e2e/flows',
  globalSetup: './e2e/global-setup.ts',
  fullyParallel: false,
  // Two files at a time leave almost half of two cores idle, waiting for pages.
  workers: 3,
  // A real browser beside a real server on a busy machine: one more try, which the closing line of
  // the tests names as flaky (docs/decisions/0037). Hunted with --retries 0.
  retries: 1,
  // Generous: CI machines are slow, and what hangs still ends.
  timeout: 180_000,
  expect: { timeout: 30_000 },
  use: {
    headless: true,
    viewport: { width: 1440, height: 900 },
    // A trace of every step takes a good part of the time: wanted ones are asked for.
    trace: process.env['QUIVER_E2E_TRACE'] ? 'retain-on-failure' : 'off',
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath: headlessPath() ?? '',
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-accelerated-2d-canvas',
        '--disable-dev-shm-usage',
        // A page lives for seconds: what V8 optimises after the usual counts is hardly used again (docs/decisions/0168).
        '--js-flags=--invocation-count-for-maglev=4000,--invocation-count-for-turbofan=20000',
      ],
    },
  },
})
