// npm run attacks: the mistakes of other gateways, tried on this one. Prints each attack with what happened; docs/attacks.md says
// what each is about.
import { spawnSync } from 'node:child_process'
import { beginTestRun } from './steps/test-run.mjs'

const files = [
  'lib/doors/requests/guard-requests.alone.test.ts',
  'lib/engines/tools/data/query-names.test.ts',
  'tests/integration/attacks.test.ts',
  'tests/integration/data-hidden.test.ts',
  'tests/integration/data-queries.test.ts',
  'tests/integration/doors.test.ts',
  'tests/integration/key-powers.test.ts',
  'tests/integration/key-scopes.test.ts',
  'tests/integration/key-sight.test.ts',
  'tests/integration/protected-folders.test.ts',
  'tests/integration/schedule-authors.test.ts',
  'tests/integration/schedule-consent.test.ts',
  'tests/integration/starters.test.ts',
]
beginTestRun()
const { status } = spawnSync('npx', ['vitest', 'run', '--reporter=verbose', ...files], {
  stdio: 'inherit',
})
process.exit(status ?? 1)
