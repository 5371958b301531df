import { readdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { build, type Plugin } from 'esbuild'
import { isAlive } from '@/lib/installation/embedded-postgres'

const prefix = 'test-programs-'

/** Packages of hundreds of files, which take most of the time in which a process starts. */
const compiledPackages = /^(zod|openai|@anthropic-ai\/sdk)(\/|$)/

const otherPackagesStay: Plugin = {
  name: 'other-packages-stay',
  setup: (compiler) => {
    compiler.onResolve({ filter: /^[^./]/ }, ({ path: asked, kind, importer }) => {
      const isOurs =
        kind === 'entry-point' || asked.startsWith('@/') || compiledPackages.test(asked)
      if (isOurs || importer.includes('/node_modules/')) return undefined
      return { path: asked, external: true }
    })
  },
}

/**
 * Compiles the processes that tests start: loaded as they are, each takes seconds of a processor. As deep below the
 * checkout as lib's own folders are, because modules find migrations from where they stand. Returns the folder.
 */
export async function buildTestPrograms(): Promise<{
  folder: string
  remove: () => Promise<void>
}> {
  const parent = path.resolve('.data')
  const folder = path.join(parent, `${prefix}${process.pid}`)
  await removeLeftovers(parent)
  await build({
    entryPoints: ['tests/support/engine-process.ts', 'tests/support/toolgate-worker.ts'],
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    plugins: [otherPackagesStay],
    platform: 'node',
    format: 'esm',
    target: 'node20',
    conditions: ['react-server'],
    logLevel: 'error',
  })
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) }
}

/** Folders of test runs that were killed. */
async function removeLeftovers(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    if (!name.startsWith(prefix) || isAlive(Number(name.slice(prefix.length)))) continue
    await rm(path.join(parent, name), { recursive: true, force: true })
  }
}
