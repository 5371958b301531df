// Writes lib/generated/file-worker.ts: the program of the thread that reads uploaded files, as one text. A thread that is
// started from text needs no file beside the server, wherever that was built or copied to.
import { mkdir, writeFile } from 'node:fs/promises'
import { build } from 'esbuild'

const { outputFiles } = await build({
  entryPoints: ['lib/runs/files/file-worker.ts'],
  bundle: true,
  write: false,
  minify: true,
  keepNames: true,
  platform: 'node',
  format: 'cjs',
  target: 'node20.19',
})
const [program] = outputFiles
await mkdir('lib/generated', { recursive: true })
await writeFile(
  'lib/generated/file-worker.ts',
  `export const fileWorkerProgram = ${JSON.stringify(program.text)}\n`,
)
