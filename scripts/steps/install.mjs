import { readFileSync } from 'node:fs'
import { runNpm } from './run-program.mjs'

/** Installs the packages of package-lock.json; does nothing when they are installed. */
export async function install() {
  if (isInstalled()) return 'up to date'
  // Even with NODE_ENV=production: the build needs the development packages.
  await runNpm(['ci', '--include=dev', '--no-audit', '--no-fund'], 'npm ci did not succeed.')
  return undefined
}

/**
 * Returns whether the packages of the lockfile are installed. npm writes what it installed into a lockfile of its own.
 * Optional packages may be missing: they are for other platforms.
 */
function isInstalled() {
  const wanted = readPackages('package-lock.json')
  const installed = readPackages('node_modules/.package-lock.json')
  return Object.entries(wanted).every(
    ([path, entry]) => path === '' || entry.optional || installed[path]?.version === entry.version,
  )
}

function readPackages(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages
  } catch {
    return {}
  }
}
