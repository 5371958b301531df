import path from 'node:path'

/** Packages of hundreds of files, which take most of the time in which a process starts. */
const compiledPackages = /^(commander|zod|openai|@anthropic-ai\/sdk)(\/|$)/

const otherPackagesStay = {
  name: 'other-packages-stay',
  setup: (compiler) => {
    compiler.onResolve({ filter: /^[^./]/ }, ({ path: specifier, kind, importer }) => {
      if (specifier === 'server-only')
        return { path: path.resolve('node_modules/server-only/empty.js') }
      const isOurs =
        kind === 'entry-point' || specifier.startsWith('@/') || compiledPackages.test(specifier)
      if (isOurs || importer.includes('/node_modules/')) return undefined
      return { path: specifier, external: true }
    })
  },
}

/**
 * Compiles programs of ours: loaded as they are, each takes seconds of a processor. `folder` must be as deep below the
 * checkout as lib's own folders are, because modules find migrations from where they stand.
 */
export async function compilePrograms(entryPoints, folder) {
  // Imported late, because on a fresh clone it is not installed when this file is loaded.
  const esbuild = await import('esbuild')
  await esbuild.build({
    entryPoints,
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    plugins: [otherPackagesStay],
    platform: 'node',
    format: 'esm',
    target: 'node20',
    conditions: ['react-server'],
    // For CommonJS packages, which ask for what Node brings.
    banner: {
      js: "import { createRequire as made } from 'node:module'; const require = made(import.meta.url)",
    },
    logLevel: 'error',
  })
}
