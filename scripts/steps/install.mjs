import { readdirSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { runNpm } from './run-program.mjs'

/** Source maps, and what Prisma needs for other databases and for small ones: a quarter of what npm unpacks. */
const READ_BY_NOTHING = /\.map$|query_compiler_(small|\w+\.(cockroachdb|mysql|sqlite|sqlserver)\.)/

/** Installs what building and running need; does nothing when it is installed. */
export async function install() {
  if (isInstalled(({ dev }) => !dev)) return 'up to date'
  await runNpm(['ci', '--omit=dev'], 'npm ci did not succeed.')
  for (const file of readdirSync('node_modules', { recursive: true })) {
    if (READ_BY_NOTHING.test(file)) rmSync(path.join('node_modules', file))
  }
  return undefined
}

/** Installs every package of package-lock.json, those for tests and checks too; adds to what is installed. */
export async function installEverything() {
  if (isInstalled(() => true)) return 'up to date'
  const more = ['install', '--include=dev', '--no-save', '--prefer-offline']
  if (isInstalled(({ dev }) => !dev)) await runNpm(more, 'npm install did not succeed.')
  // Even with NODE_ENV=production.
  if (!isInstalled(() => true)) await runNpm(['ci', '--include=dev'], 'npm ci did not succeed.')
  return undefined
}

/**
 * Returns whether the packages of the lockfile that are `wanted` are installed. npm writes what it installed into a
 * lockfile of its own. Optional packages may be missing: they are for other platforms.
 */
function isInstalled(wanted) {
  const installed = readPackages('node_modules/.package-lock.json')
  return Object.entries(readPackages('package-lock.json')).every(
    ([at, entry]) =>
      at === '' || entry.optional || !wanted(entry) || installed[at]?.version === entry.version,
  )
}

function readPackages(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages
  } catch {
    return {}
  }
}
