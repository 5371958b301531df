// Writes the programs of threads and processes as texts: lib/generated/file-worker.ts reads uploaded files, page-worker.ts,
// pdf-worker.ts and site-worker.ts read what web servers send. What is started from text needs no file beside the server,
// wherever that was built or copied to.
import { mkdir, writeFile } from 'node:fs/promises'
import { build } from 'esbuild'

await mkdir('lib/generated', { recursive: true })
await generate('lib/runs/files/file-worker.ts', 'file-worker', 'fileWorkerProgram')
await generate('lib/engines/tools/web/page-worker.ts', 'page-worker', 'pageWorkerProgram')
await generate('lib/engines/tools/web/pdf-worker.ts', 'pdf-worker', 'pdfWorkerProgram')
await generate('lib/engines/tools/sites/site-worker.ts', 'site-worker', 'siteWorkerProgram')

async function generate(entry, file, name) {
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    write: false,
    minify: true,
    keepNames: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20.19',
    // It gets a document, so it needs no parser of its own, which would be another 700 KB.
    alias: { turndown: 'turndown/lib/turndown.browser.cjs.js' },
    logLevel: 'error',
  })
  const [program] = outputFiles
  await writeFile(
    `lib/generated/${file}.ts`,
    `export const ${name} = ${JSON.stringify(program.text)}\n`,
  )
}
