// npm run bench: the benchmark, compiled as in production. tsx would keep the names of all inner functions at run time,
// which makes the loop a tenth slower.
import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { build } from 'esbuild'

// As deep as the folders of lib, because modules find files by a relative path.
const outfile = 'tools/bench/compiled.mjs'
await build({
  entryPoints: ['tools/bench.ts'],
  outfile,
  bundle: true,
  packages: 'external',
  platform: 'node',
  format: 'esm',
  target: 'node20',
  conditions: ['react-server'],
  logLevel: 'error',
})
// The terminal stops the process itself, which then ends what it started.
process.on('SIGINT', () => {})
const { status } = spawnSync(
  process.execPath,
  ['--conditions=react-server', outfile, ...process.argv.slice(2)],
  { stdio: 'inherit' },
)
rmSync(outfile, { force: true })
process.exit(status ?? 1)
