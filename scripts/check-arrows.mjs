// Checks the arrows of ARCHITECTURE.md: dependency-cruiser with .dependency-cruiser.cjs. Without a parser it would see no
// TypeScript and pass, so seeing almost nothing fails.
import { spawnSync } from 'node:child_process'
import path from 'node:path'

const FOLDERS = ['app', 'bin', 'components', 'lib', 'prisma', 'scripts', 'tests']
const FILES = ['instrumentation.ts', 'proxy.ts']
const FEWEST_IMPORTS = 5_000

const program = path.join(
  import.meta.dirname,
  '../node_modules/dependency-cruiser/bin/dependency-cruise.mjs',
)
const { status, stdout, stderr } = spawnSync(
  process.execPath,
  [program, ...FOLDERS, ...FILES, '--config', '.dependency-cruiser.cjs'],
  { encoding: 'utf8' },
)
console.log(stdout.trim() + stderr)
const [, imports] = /(\d+) dependencies cruised/.exec(stdout) ?? []
if (!(Number(imports) >= FEWEST_IMPORTS)) {
  console.error(`Only ${imports ?? 'no'} imports were seen: the check is blind.`)
  process.exit(1)
}
process.exit(status ?? 1)
