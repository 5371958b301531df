// npm run chaos: what takes too long for every test run. Servers are killed and paused, connections are cut: no run is
// lost, no write is done twice, no event is missing, and another server goes on in time.
import { spawnSync } from 'node:child_process'

const { status } = spawnSync(
  'npx',
  [
    'vitest',
    'run',
    '--no-file-parallelism',
    'tests/integration/takeover.test.ts',
    'tests/integration/chaos.test.ts',
  ],
  { stdio: 'inherit', env: { ...process.env, TOOLGATE_FULL_CHAOS: '1' } },
)
process.exit(status ?? 1)
