// npm run bench: the benchmark as it is run in production, compiled. tsx would keep the names of all inner functions at run
// time, which costs the loop a tenth.
import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { build } from 'esbuild'

// As deep as the folders of lib, which find what is beside them from where they are.
const outfile = 'scripts/bench/compiled.mjs'
await build({
  entryPoints: ['scripts/bench.ts'],
  outfile,
  bundle: true,
  packages: 'external',
  platform: 'node',
  format: 'esm',
  target: 'node20',
  conditions: ['react-server'],
  logLevel: 'error',
})
// The process itself is told to stop by the terminal, and ends what it started.
process.on('SIGINT', () => {})
const { status } = spawnSync(process.execPath, ['--conditions=react-server', outfile], {
  stdio: 'inherit',
})
rmSync(outfile, { force: true })
process.exit(status ?? 1)
