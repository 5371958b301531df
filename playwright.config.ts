import { defineConfig, devices } from 'playwright/test'
import { findBrowser } from './scripts/steps/find-browser.mjs'
import { beginTestRun } from './scripts/steps/test-run.mjs'
import { stateFile } from './tests/e2e/support/site'

beginTestRun()

// Below the ports that a system hands out for connections of its own (from 32768 on Linux).
const port = Number(process.env.E2E_PORT ?? 24_010)
const isRoot = process.getuid?.() === 0
/** Lets the program take the place of the shell, so that signals reach it and its parent is Playwright. */
const inPlace = process.platform === 'win32' ? '' : 'exec '

export default defineConfig({
  testDir: 'tests/e2e',
  outputDir: 'test-results',
  fullyParallel: true,
  forbidOnly: Boolean(process.env.CI),
  // In the open: `npm test` names what passed at its second try only.
  retries: process.env.CI ? 1 : 0,
  // Twice the cores we count on: tests wait for pages, runs and servers as often as they keep a core busy.
  workers: 4,
  // Generous: a machine that is busy with something else is no failure.
  timeout: 180_000,
  expect: { timeout: 60_000 },
  reporter: [['list']],
  use: {
    ...devices['Desktop Chrome'],
    // Written before the server answers: nobody has to sign in to begin.
    storageState: stateFile('admin'),
    baseURL: `http://localhost:${port}`,
    // `--trace on` shows a failing test step by step; recording every test would take half as long again.
    trace: 'off',
    screenshot: 'only-on-failure',
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: {
      executablePath: findBrowser(),
      args: [
        ...(isRoot ? ['--no-sandbox'] : []),
        '--disable-dev-shm-usage',
        // No page lives long enough for optimised code to pay off.
        '--js-flags=--no-opt,--no-maglev',
        // There is none to speak of: emulating one takes longer than to paint without.
        '--disable-gpu',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        '--no-first-run',
        '--no-default-browser-check',
      ],
    },
  },
  webServer: {
    command: `${inPlace}node --import ./scripts/steps/end-with-parent.mjs --conditions=react-server --import tsx tests/support/start-e2e-server.ts`,
    // No address, at which another server might answer.
    wait: { stdout: /^READY$/m },
    timeout: 120_000,
    gracefulShutdown: { signal: 'SIGTERM', timeout: 15_000 },
    env: { E2E_PORT: String(port) },
  },
})
