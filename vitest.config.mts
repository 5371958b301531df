import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** These change what every other file of their process would see. */
const alone = [
  'lib/kernel/log.test.ts',
  'lib/auth/peer-address.test.ts',
  'lib/doors/requests/guard-requests.test.ts',
]

/** Integration tests that leave nothing in their process: no engine, no watcher, no environment of their own. */
const sharing = `
  account-links alert-webhook api-connections api-edges api-skills api-tools audit budgets claim-run cli-admin
  configurations-history connections connections-tls embedded-postgres explain groups migrate models
  models-offered providers-and-configurations refusals reprice seed settings setup sign-in site-file site-file-order
  sorted-lists tool-settings usage users vault weak-passwords palette`
  .trim()
  .split(/\s+/)
  .map((name) => `tests/integration/${name}.test.ts`)

/** Begun first: one of them begun last would have the machine to itself. */
const longest =
  /(cli-run|crash|approvals|gates-under-load|rights-under-load|cli-doctor|one-loop|configurations|tasks|budgets-in-runs|document-examples)\.test\.ts$/

const integration = {
  environment: 'node',
  globalSetup: ['tests/support/database-server.ts'],
  setupFiles: ['tests/support/integration-setup.ts'],
}

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isLong = ({ moduleId }: TestSpecification) => longest.test(moduleId)
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}

export default defineConfig({
  plugins: [react()],
  resolve: {
    alias: { '@': at('.'), 'server-only': at('./node_modules/server-only/empty.js') },
  },
  test: {
    // One more than the cores we count on: many tests wait for processes and for the clock.
    maxWorkers: 3,
    // As bin/toolgate does: no process of tests lives long enough for optimised WebAssembly to pay off.
    execArgv: ['--liftoff-only'],
    sequence: { sequencer: LongestFirst },
    // A laptop under load must not fail them.
    testTimeout: 20_000,
    hookTimeout: 30_000,
    expect: { poll: { timeout: 15_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          environment: 'node',
          include: ['{lib,components,app,scripts}/**/*.test.ts', 'tests/*.test.ts'],
          exclude: alone,
          // One process for many files: loading modules anew for each took longer than the tests.
          isolate: false,
        },
      },
      { extends: true, test: { name: 'unit, alone', environment: 'node', include: alone } },
      {
        extends: true,
        test: {
          name: 'component',
          environment: 'jsdom',
          include: ['{components,app}/**/*.test.tsx'],
          setupFiles: ['tests/support/component-setup.ts'],
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          ...integration,
          name: 'integration',
          include: ['tests/integration/**/*.test.ts'],
          exclude: sharing,
        },
      },
      {
        extends: true,
        test: { ...integration, name: 'integration, sharing', include: sharing, isolate: false },
      },
    ],
  },
})
