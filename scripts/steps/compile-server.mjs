import { execFile } from 'node:child_process'
import {
  existsSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { compilerOptions } from './compile-programs.mjs'
import { StepError } from './step.mjs'

/** The package into which the server code of lib/ is compiled. The framework loads it and does not bundle it. */
export const SERVER_PACKAGE = '@toolgate/server'
export const SERVER_FOLDER = `node_modules/${SERVER_PACKAGE}`

/** The files that import the package. Those of lib/ import one another. */
export const IMPORTERS = ['app', 'components', 'lib/next', 'instrumentation-node.ts', 'proxy.ts']
/** Programs of the package that no file imports: those that start or work without the framework. */
const PROGRAMS = {
  'doors/cli/main': 'lib/doors/cli/main.ts',
  prepare: 'scripts/prepare.ts',
  serve: 'scripts/serve.ts',
}

/**
 * Compiles the server code of lib/ once. Bundled by the framework, it would be in the chunks of every page and route, and
 * state of the process would exist several times. The package is there as a whole or, after a failure, as it was before.
 * Throws a StepError with the words of the compiler.
 */
export async function compileServer() {
  const folder = `${SERVER_FOLDER}-${process.pid}`
  try {
    await compileInto(folder)
    rmSync(SERVER_FOLDER, { recursive: true, force: true })
    renameSync(folder, SERVER_FOLDER)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Compiles a change while a server runs, which may still load files that were compiled before. */
export async function compileAgain() {
  for (const script of ['generate-tool-index.mjs', 'generate-workers.mjs']) {
    await promisify(execFile)(process.execPath, [`scripts/${script}`]).catch((error) => {
      throw new StepError('The code that the server needs could not be generated.', error.stderr)
    })
  }
  await compileInto(SERVER_FOLDER)
}

async function compileInto(folder) {
  // Node would take the folder behind the link for the program.
  if (realpathSync('node_modules') !== path.resolve('node_modules')) {
    throw new StepError('node_modules is a link: install the packages in this folder with npm ci.')
  }
  // Imported late, because on a fresh clone it is not installed when this file is loaded.
  const esbuild = await import('esbuild')
  const options = {
    ...compilerOptions,
    entryPoints: { ...entriesOfImports(), ...PROGRAMS },
    outdir: folder,
    chunkNames: 'chunks/[name]-[hash]',
    // An error says the name of its class.
    keepNames: true,
    logLevel: 'silent',
  }
  await esbuild.build(options).catch((error) => {
    throw new StepError('The server code cannot be compiled.', error.message)
  })
  writePackageFile(folder)
}

/** Writes what makes the folder a package. `not-for-browsers.js` does not exist: an import from a browser fails the build. */
function writePackageFile(folder) {
  const exported = { browser: './not-for-browsers.js', default: './*.js' }
  const content = {
    name: SERVER_PACKAGE,
    version: '0.0.0',
    private: true,
    type: 'module',
    exports: { './*': exported },
  }
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify(content, null, 2))
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
