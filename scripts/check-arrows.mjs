// Checks the arrows of ARCHITECTURE.md: dependency-cruiser with .dependency-cruiser.cjs. Without a parser it would see no
// TypeScript and pass, so a source file that it did not see fails.
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'

const SOURCE = /\.(ts|tsx|mts|mjs|cjs)$/
/** Its packages are not installed with Toolgate's. */
const PEERS = 'tools/bench/peer-loops.mjs'

const sources = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'])
  .toString()
  .split('\n')
  .filter((file) => SOURCE.test(file) && file !== PEERS && existsSync(file))
const places = new Set(sources.map((file) => file.split('/')[0]))

const program = path.join(
  import.meta.dirname,
  '../node_modules/dependency-cruiser/bin/dependency-cruise.mjs',
)
const { stdout, stderr } = spawnSync(
  process.execPath,
  [program, ...places, '--config', '.dependency-cruiser.cjs', '--output-type', 'json'],
  { encoding: 'utf8', maxBuffer: 256 * 1024 * 1024 },
)
if (stderr) console.error(stderr)
const { modules, summary } = JSON.parse(stdout)
const seen = new Set(modules.map(({ source }) => source))
const unseen = sources.filter((file) => !seen.has(file))
for (const { rule, from, to } of summary.violations) {
  console.log(`error ${rule.name}: ${from} → ${to}`)
}
console.log(
  `${summary.violations.length} arrows are wrong; ${seen.size} modules and ${summary.totalDependenciesCruised} imports were seen.`,
)
if (unseen.length > 0) {
  console.error(
    `${unseen.length} source files were not seen, such as ${unseen[0]}: the check is blind.`,
  )
}
process.exit(summary.violations.length + unseen.length > 0 ? 1 : 0)
