import { createHash } from 'node:crypto'
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { COMMAND_LINE } from './command-line.mjs'
import { runNode } from './run-program.mjs'

const SERVER = '.next/standalone'

// What the sources were when this was made last.
const BUILD_STAMP = path.join(SERVER, '.toolgate-build')
const GENERATED_STAMP = 'lib/generated/.toolgate-generated'

/** Everything the built server is made of; whatever else changes, it stays as it is. */
const SOURCES = [
  'app',
  'components',
  'lib',
  'prisma/schema.prisma',
  'public',
  'scripts/generate-tool-index.mjs',
  'instrumentation-client.ts',
  'instrumentation.ts',
  'next.config.ts',
  'package-lock.json',
  'postcss.config.mjs',
  'proxy.ts',
  'tsconfig.json',
]

/** The Prisma client and the tool index; needed by everything that reads the sources. */
export async function generate() {
  rmSync(GENERATED_STAMP, { force: true })
  await runNode(
    ['scripts/generate.mjs'],
    'The Prisma client and the tool index could not be generated.',
  )
  writeFileSync(GENERATED_STAMP, fingerprintSources())
}

/** The standalone server, and the command line. */
export async function build() {
  rmSync(BUILD_STAMP, { force: true })
  const fingerprint = fingerprintSources()
  const env = { NEXT_TELEMETRY_DISABLED: '1', NODE_ENV: 'production' }
  await runNode(['node_modules/next/dist/bin/next', 'build'], 'next build did not succeed.', env)
  // Next leaves these to a web server in front; ours serves them itself.
  cpSync('.next/static', path.join(SERVER, '.next/static'), { recursive: true })
  if (existsSync('public')) cpSync('public', path.join(SERVER, 'public'), { recursive: true })
  await buildCommandLine()
  writeFileSync(BUILD_STAMP, fingerprint)
}

/** As deep below the checkout as lib/installation is, because modules find migrations from where they stand. */
async function buildCommandLine() {
  // Not there yet when this file is loaded on a fresh clone.
  const esbuild = await import('esbuild')
  await esbuild.build({
    entryPoints: ['lib/doors/cli/main.ts'],
    outdir: path.dirname(COMMAND_LINE),
    outExtension: { '.js': '.mjs' },
    alias: { 'server-only': path.resolve('node_modules/server-only/empty.js') },
    bundle: true,
    splitting: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node20',
    logLevel: 'error',
  })
}

export function generateIfChanged() {
  return isCurrent(GENERATED_STAMP) ? 'up to date' : generate()
}

export function buildIfChanged() {
  return isCurrent(BUILD_STAMP) ? 'up to date' : build()
}

function isCurrent(stamp) {
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === fingerprintSources()
}

function fingerprintSources() {
  const hash = createHash('sha256').update(process.version)
  for (const source of SOURCES) addTo(hash, source)
  return hash.digest('hex')
}

function addTo(hash, file) {
  if (!existsSync(file) || /generated|\.test\.tsx?$/.test(file)) return
  const children = listFolder(file)
  if (children === undefined) {
    hash.update(`${file}\0`).update(readFileSync(file))
    return
  }
  for (const child of children.sort()) addTo(hash, path.posix.join(file, child))
}

function listFolder(file) {
  try {
    return readdirSync(file)
  } catch (error) {
    if (error.code === 'ENOTDIR') return undefined
    throw error
  }
}
