// npm run proof: the numbers that take too long for every test run. No call starts against a committed switch.
import { spawnSync } from 'node:child_process'

const { status } = spawnSync(
  'npx',
  ['vitest', 'run', 'tests/integration/gates-under-load.test.ts'],
  {
    stdio: 'inherit',
    env: { ...process.env, TOOLGATE_FULL_PROOF: '1' },
  },
)
process.exit(status ?? 1)
