import { readdirSync, statSync } from 'node:fs'
import path from 'node:path'

/** The compiled command line, from the checkout's folder. */
export const COMMAND_LINE = '.next/cli/main.mjs'

const SOURCES = ['lib', 'prisma', 'package.json', 'node_modules/.package-lock.json']

/**
 * Returns the file of the command line; undefined if it is not built or a source changed since. `root` is the
 * checkout's folder.
 */
export function currentCommandLine(root) {
  const file = path.join(root, COMMAND_LINE)
  try {
    const { mtimeMs } = statSync(file)
    return SOURCES.every((source) => isOlder(path.join(root, source), mtimeMs)) ? file : undefined
  } catch (error) {
    if (error.code === 'ENOENT') return undefined
    throw error
  }
}

/**
 * Returns whether a file or a folder is older. The time of a folder changes when something is added to it or removed.
 */
function isOlder(file, thanMs) {
  const found = statSync(file)
  if (found.mtimeMs > thanMs) return false
  if (!found.isDirectory()) return true
  return readdirSync(file).every((child) => isOlder(path.join(file, child), thanMs))
}
