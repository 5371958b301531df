import path from 'node:path'

/** Packages of hundreds of files, which take most of the time in which a process starts. */
const compiledPackages =
  /^(commander|diff|openai|zod|@anthropic-ai\/sdk|@modelcontextprotocol\/client)(\/|$)/

const otherPackagesStay = {
  name: 'other-packages-stay',
  setup: (compiler) => {
    compiler.onResolve({ filter: /^[^./]/ }, ({ path: specifier, kind, importer }) => {
      // Node loads the result: the mark of a module of the server means nothing there.
      if (specifier === 'server-only')
        return { path: path.resolve('node_modules/server-only/empty.js') }
      const isOurs =
        kind === 'entry-point' || specifier.startsWith('@/') || compiledPackages.test(specifier)
      if (isOurs || importer.includes('/node_modules/')) return undefined
      return { path: specifier, external: true }
    })
  },
}

/** The options with which esbuild compiles modules of ours for Node, in the folder of the checkout. */
export const compilerOptions = {
  bundle: true,
  splitting: true,
  plugins: [otherPackagesStay],
  platform: 'node',
  format: 'esm',
  target: 'node20.19',
  conditions: ['react-server'],
  // For CommonJS packages, which ask for what Node brings.
  banner: {
    js: "import { createRequire as made } from 'node:module'; const require = made(import.meta.url)",
  },
  logLevel: 'error',
}

/**
 * Compiles programs of ours: loaded as they are, each takes seconds of a processor. `folder` must be as deep below the
 * checkout as lib's own folders are, because modules find migrations from where they stand.
 */
export async function compilePrograms(entryPoints, folder) {
  // Imported late, because on a fresh clone it is not installed when this file is loaded.
  const esbuild = await import('esbuild')
  await esbuild.build({
    ...compilerOptions,
    entryPoints,
    outdir: folder,
    outExtension: { '.js': '.mjs' },
  })
}
