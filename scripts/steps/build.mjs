import { createHash } from 'node:crypto'
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { runNode } from './run-program.mjs'

const SERVER = '.next/standalone'
const STAMP = path.join(SERVER, '.toolgate-build')

/** Everything the built server is made of; whatever else changes, it stays as it is. */
const SOURCES = [
  'app',
  'components',
  'lib',
  'prisma/schema.prisma',
  'public',
  'scripts/generate-tool-index.mjs',
  'instrumentation.ts',
  'next.config.ts',
  'package-lock.json',
  'postcss.config.mjs',
  'proxy.ts',
  'tsconfig.json',
]

/** The Prisma client and the tool index; needed by everything that reads the sources. */
export async function generate() {
  await runNode(
    ['scripts/generate.mjs'],
    'The Prisma client and the tool index could not be generated.',
  )
}

/** Builds the standalone server unless it was built from these very sources. */
export async function buildIfChanged() {
  const fingerprint = fingerprintSources()
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === fingerprint) return 'up to date'
  await build(fingerprint)
  return undefined
}

export async function build(fingerprint = fingerprintSources()) {
  rmSync(STAMP, { force: true })
  const env = { NEXT_TELEMETRY_DISABLED: '1', NODE_ENV: 'production' }
  await runNode(['node_modules/next/dist/bin/next', 'build'], 'next build did not succeed.', env)
  // Next leaves these to a web server in front; ours serves them itself.
  cpSync('.next/static', path.join(SERVER, '.next/static'), { recursive: true })
  if (existsSync('public')) cpSync('public', path.join(SERVER, 'public'), { recursive: true })
  writeFileSync(STAMP, fingerprint)
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
