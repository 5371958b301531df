// npm run proof: the numbers that take too long for every test run. No call starts after a switch-off, or another
// change that refuses it, was committed, no call or model request after a right was taken away, 200 waiting calls are decided
// and made once each, texts with many tokens exceed no budget, and one person's streams and uploads keep nobody else waiting; uploads are also measured
// at the built server. So is each thing that a hostile MCP server, web host or program can do: how much memory it costs, and how long others wait.
// Requests with thousands of fields or cookies keep nobody waiting there either.
// A new noun is added to a copy, and its test runs there.
// What is stopped ends within the time that is promised; on a machine that is busy with something else, that cannot be shown.
import { spawnSync } from 'node:child_process'
import { buildIfChanged, generateIfChanged } from './steps/build.mjs'
import { runSteps, step } from './steps/step.mjs'
import { beginTestRun } from './steps/test-run.mjs'

beginTestRun()
// Floods are sent to the built server.
await runSteps(async () => {
  await step('Generate code', generateIfChanged)
  await step('Build', buildIfChanged)
})
const { status } = spawnSync(
  'npx',
  [
    'vitest',
    'run',
    '--no-file-parallelism',
    'tests/add-a-noun.test.ts',
    'tests/integration/access-ended.test.ts',
    'tests/integration/address-floods.test.ts',
    'tests/integration/api-runs.test.ts',
    'tests/integration/approvals-under-load.test.ts',
    'tests/integration/approvals.test.ts',
    'tests/integration/command-floods.test.ts',
    'tests/integration/dense-budgets.test.ts',
    'tests/integration/freeze.test.ts',
    'tests/integration/gates-under-load.test.ts',
    'tests/integration/live-stream.test.ts',
    'tests/integration/mcp-listings.alone.test.ts',
    'tests/integration/rights-under-load.test.ts',
    'tests/integration/rules-under-load.test.ts',
    'tests/integration/runs.test.ts',
    'tests/integration/servers-floods.test.ts',
    'tests/integration/stream-load.test.ts',
    'tests/integration/tool-groups.test.ts',
    'tests/integration/upload-load.test.ts',
    'tests/integration/upload-over-http.test.ts',
    'tests/integration/usage-rollups.test.ts',
    'tests/integration/waiting-for-places.test.ts',
    'tests/integration/web-floods.test.ts',
  ],
  {
    stdio: 'inherit',
    env: { ...process.env, TOOLGATE_FULL_PROOF: '1' },
  },
)
process.exit(status ?? 1)
