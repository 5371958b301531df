import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { compilerOptions } from './compile-programs.mjs'
import { runNode } from './run-program.mjs'

/** The package into which the server code of lib/ is compiled. The framework loads it and does not bundle it. */
export const SERVER_PACKAGE = '@toolgate/server'
export const SERVER_FOLDER = `node_modules/${SERVER_PACKAGE}`

/** The files that import the package. Those of lib/ import one another. */
const IMPORTERS = ['app', 'components', 'lib/next', 'instrumentation-node.ts', 'proxy.ts']
/** Programs of the package that no file imports: those that start or work without the framework. */
const PROGRAMS = { 'doors/cli/main': 'lib/doors/cli/main.ts', serve: 'scripts/serve.ts' }

/**
 * Compiles the server code of lib/ once. Bundled by the framework, it would be in the chunks of every page and route, and
 * state of the process would exist several times. Throws for an import of a module that does not exist.
 */
export async function compileServer() {
  rmSync(SERVER_FOLDER, { recursive: true, force: true })
  await compile()
}

/** Compiles a change while a server runs, which may still load files that were compiled before. */
export async function compileAgain() {
  await runNode(['scripts/generate-tool-index.mjs'], 'The tools could not be listed.')
  await compile()
}

async function compile() {
  // Imported late, because on a fresh clone it is not installed when this file is loaded.
  const esbuild = await import('esbuild')
  await esbuild.build(serverOptions())
  writePackageFile()
}

function serverOptions() {
  return {
    ...compilerOptions,
    entryPoints: { ...entriesOfImports(), ...PROGRAMS },
    outdir: SERVER_FOLDER,
    chunkNames: 'chunks/[name]-[hash]',
    // An error says the name of its class.
    keepNames: true,
  }
}

/** Writes what makes the folder a package. `not-for-browsers.js` does not exist: an import from a browser fails the build. */
function writePackageFile() {
  const exported = { browser: './not-for-browsers.js', default: './*.js' }
  const content = {
    name: SERVER_PACKAGE,
    version: '0.0.0',
    private: true,
    type: 'module',
    exports: { './*': exported },
  }
  writeFileSync(path.join(SERVER_FOLDER, 'package.json'), JSON.stringify(content, null, 2))
}

/** Returns the modules of lib/ that are imported as parts of the package, by their names in it. */
export function entriesOfImports() {
  const names = IMPORTERS.flatMap(sourcesIn).flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/'@toolgate\/server\/([^']+)'/g)].map(
      ([, name]) => name,
    ),
  )
  return Object.fromEntries([...new Set(names)].sort().map((name) => [name, `lib/${name}.ts`]))
}

function sourcesIn(file) {
  if (!existsSync(file)) return []
  if (!statSync(file).isDirectory()) return /(?<!\.test)\.tsx?$/.test(file) ? [file] : []
  return readdirSync(file).flatMap((child) => sourcesIn(path.posix.join(file, child)))
}
