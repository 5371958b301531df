import { readFileSync } from 'node:fs'
import { runNpm } from './run-program.mjs'

/** Makes node_modules what package-lock.json says; does nothing when it is that already. */
export async function install() {
  if (isInstalled()) return 'up to date'
  // Even with NODE_ENV=production: the build needs the development packages.
  await runNpm(['ci', '--include=dev', '--no-audit', '--no-fund'], 'npm ci did not succeed.')
  return undefined
}

/** npm notes what it installed in a lockfile of its own. Optional packages are those of other platforms. */
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
