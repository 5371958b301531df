import { readdirSync, statSync } from 'node:fs'
import path from 'node:path'

/**
 * The command line in the compiled server code, from the checkout's folder.
 * @public bin/toolgate
 */
export const COMMAND_LINE = 'node_modules/@toolgate/server/doors/cli/main.js'

/** A fingerprint of the sources that the package was compiled from. The file is as old as the beginning of its compilation. */
export const PACKAGE_STAMP = 'node_modules/@toolgate/server/.stamp'

const SOURCES = ['lib', 'prisma', 'package.json', 'package-lock.json']

/**
 * Returns why the compiled command line cannot be used, as a sentence that says what to do; null when it can. Sources are
 * no second way: a command would behave in one of two manners, and need tools that only a build needs. `root` is the
 * checkout's folder.
 * @public bin/toolgate
 */
export function whyNoCommandLine(root) {
  try {
    const { mtimeMs } = statSync(path.join(root, PACKAGE_STAMP))
    if (SOURCES.every((source) => isOlder(path.join(root, source), mtimeMs))) return null
  } catch (error) {
    if (error.code !== 'ENOENT') throw error
    return 'The command line is not built yet. Run: npm run quickstart, or npm run build:cli'
  }
  return 'The command line is older than its sources. Run: npm run build:cli'
}

/**
 * Returns whether a file or a folder is older. The time of a folder changes when something is added to it or removed.
 * Tests are compiled into nothing.
 */
function isOlder(file, thanMs) {
  if (/\.test\.tsx?$/.test(file)) return true
  const found = statSync(file)
  if (found.mtimeMs > thanMs) return false
  if (!found.isDirectory()) return true
  return readdirSync(file).every((child) => isOlder(path.join(file, child), thanMs))
}
