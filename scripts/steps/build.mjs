import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { PACKAGE_STAMP } from './command-line.mjs'
import { compileAgain, compileServer } from './compile-server.mjs'
import { runNode } from './run-program.mjs'
import { requireNoServer } from './running-servers.mjs'

const SERVER = '.next/standalone'

// The fingerprint of the sources of the last build.
const BUILD_STAMP = path.join(SERVER, '.toolgate-build')
const GENERATED_STAMP = 'lib/generated/.toolgate-generated'

/** The sources of the built server and of its package. They are built again only when one of them changes. */
const SOURCES = [
  'app',
  'components',
  'lib',
  'prisma',
  'public',
  'scripts/generate-workers.mjs',
  'scripts/generate-tool-index.mjs',
  'instrumentation-client.ts',
  'instrumentation-node.ts',
  'instrumentation.ts',
  'next.config.ts',
  'package-lock.json',
  'postcss.config.mjs',
  'proxy.ts',
  'scripts/prepare.ts',
  'scripts/serve.ts',
  'scripts/steps',
  'scripts/watch-server.ts',
  'tsconfig.base.json',
  'tsconfig.json',
  'tsconfig.next.json',
]

/** Generates the Prisma client and the tool index, which everything that reads the sources needs. */
export async function generate() {
  rmSync(GENERATED_STAMP, { force: true })
  await runNode(
    ['scripts/generate.mjs'],
    'The Prisma client and the tool index could not be generated.',
  )
  writeFileSync(GENERATED_STAMP, fingerprintSources())
}

/** Compiles the server code of lib/, and builds the standalone server that loads it. */
export async function build() {
  requireNoServer()
  rmSync(BUILD_STAMP, { force: true })
  const fingerprint = fingerprintSources()
  const env = { NEXT_TELEMETRY_DISABLED: '1', NODE_ENV: 'production' }
  await stamped(compileServer)
  const command = ['node_modules/next/dist/bin/next', 'build']
  const output = await runNode(command, 'next build did not succeed.', env)
  writeFileSync('.next/build.log', output)
  putPackageInPlaceOfLinks()
  // Next expects a web server in front to serve these files. Our server serves them itself.
  cpSync('.next/static', path.join(SERVER, '.next/static'), { recursive: true })
  if (existsSync('public')) cpSync('public', path.join(SERVER, 'public'), { recursive: true })
  writeFileSync(BUILD_STAMP, fingerprint)
}

/**
 * Moves the package to where the built pages look for it, which is a link. Node 20 does not follow a link right after the
 * process looked at a socket, such as that of the commands, and so would load the package twice.
 */
function putPackageInPlaceOfLinks() {
  const folder = path.join(SERVER, '.next/node_modules/@toolgate')
  for (const name of readdirSync(folder)) {
    const link = path.join(folder, name)
    const target = realpathSync(link)
    rmSync(link)
    renameSync(target, link)
  }
}

/** Compiles the server code of lib/, if it is not there or a source has changed since. */
export async function compileServerIfOld() {
  const began = new Date()
  if (!isCurrent(PACKAGE_STAMP)) {
    await stamped(compileServer)
    return undefined
  }
  // The command line compares times alone: a source that was saved unchanged is newer than the note.
  utimesSync(PACKAGE_STAMP, began, began)
  return 'up to date'
}

/** Compiles a change of the server code in development. */
export function compileChange() {
  return stamped(compileAgain)
}

/** Compiles the package, and then notes of which sources it is. What is saved meanwhile is newer than the note. */
async function stamped(compile) {
  rmSync(PACKAGE_STAMP, { force: true })
  const began = new Date()
  const fingerprint = fingerprintSources()
  await compile()
  writeFileSync(PACKAGE_STAMP, fingerprint)
  utimesSync(PACKAGE_STAMP, began, began)
}

/** Returns why the built server must not be started, as a sentence that says what to do; null when it may be. */
export function whyNoServer() {
  if (!existsSync(path.join(SERVER, 'server.js'))) {
    return 'Nothing is built yet: run npm run quickstart, or npm run build first.'
  }
  if (isCurrent(BUILD_STAMP) && isCurrent(PACKAGE_STAMP)) return null
  return 'The build is not of these sources, or of another version of Node: run npm run quickstart, or npm run build first.'
}

export function generateIfChanged() {
  return isCurrent(GENERATED_STAMP) ? 'up to date' : generate()
}

export function buildIfChanged() {
  return isCurrent(BUILD_STAMP) ? compileServerIfOld() : build()
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
