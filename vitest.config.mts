import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { beginTestRun } from './scripts/steps/test-run.mjs'

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url))

const endWithParent = new URL('./scripts/steps/end-with-parent.mjs', import.meta.url).href

// Before Vitest makes folders of its own.
beginTestRun()

/**
 * A test file that changes what every other file of its process would see ends in `.alone.test.ts` and gets a process of
 * its own. All others share: to load everything anew for each file takes longer than most tests.
 * tests/architecture.test.ts checks the rule.
 */
const alone = '**/*.alone.test.ts'
const unit = ['{lib,components,app,scripts,tools}/**', 'tests']

const undoMocks = 'tests/support/undo-mocks.ts'

const nextRequest = at('./tests/support/next-request.ts')

const integration = {
  alias: { 'next/headers': nextRequest, 'next/cache': nextRequest },
  environment: 'node',
  globalSetup: ['tests/support/database-server.ts'],
  setupFiles: [undoMocks, 'tests/support/integration-setup.ts'],
  // The log keeps the level that it was first loaded with.
  env: { LOG_LEVEL: 'error' },
}

/**
 * Begins with the projects and the files that start processes. They wait the longest: one of them begun last would have the
 * machine to itself.
 */
class ProcessesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const first = new Set(sorted.filter(startsProcesses))
    // One project after the other, because no process goes on with a file of another.
    const projects = [...new Set([...first, ...sorted].map(({ project }) => project))]
    return projects.flatMap((project) => {
      const own = sorted.filter((file) => file.project === project)
      return own.toSorted((a, b) => Number(first.has(b)) - Number(first.has(a)))
    })
  }
}

function startsProcesses({ moduleId }: TestSpecification): boolean {
  return /\/support\/(start-worker|toolgate-process)'/.test(readFileSync(moduleId, 'utf8'))
}

export default defineConfig({
  plugins: [react()],
  resolve: {
    alias: {
      '@': at('.'),
      '@toolgate/server': at('./lib'),
      'server-only': at('./node_modules/server-only/empty.js'),
    },
  },
  test: {
    // One more than the cores we count on: many tests wait for processes and for the clock.
    maxWorkers: 3,
    sequence: { sequencer: ProcessesFirst },
    // As bin/toolgate does: no process of tests lives long enough for optimised WebAssembly to pay off.
    execArgv: ['--liftoff-only', '--import', endWithParent],
    // They only end what hangs: a machine that is busy with something else is no failure.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          environment: 'node',
          include: unit.map((folder) => `${folder}/*.test.ts`),
          exclude: [alone],
          setupFiles: [undoMocks],
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'unit, alone',
          environment: 'node',
          include: unit.map((folder) => `${folder}/*.alone.test.ts`),
        },
      },
      {
        extends: true,
        test: {
          name: 'component',
          environment: 'jsdom',
          include: ['{components,app}/**/*.test.tsx'],
          setupFiles: [undoMocks, 'tests/support/component-setup.ts'],
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          ...integration,
          name: 'integration',
          include: ['tests/integration/*.test.ts'],
          exclude: [alone],
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          ...integration,
          name: 'integration, alone',
          include: ['tests/integration/*.alone.test.ts'],
        },
      },
    ],
  },
})
