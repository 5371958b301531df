import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, watch } from 'node:fs'
import path from 'node:path'

const SETTLE_MS = 200
const SOURCE = /(?<!\.test)\.tsx?$/

/** Folders with sources of the server, or with imports of its modules. */
export const WATCHED = ['lib', 'app', 'components']

type Compile = () => Promise<unknown>

/**
 * Compiles the server code anew each time that it changed in `folders`, and calls `changed` when that succeeded. Prints
 * why it cannot be compiled; then what was compiled before stays in use.
 */
export function watchServer(
  folders: readonly string[],
  signal: AbortSignal,
  compile: Compile,
  changed: () => void,
): void {
  let known = fingerprint(folders)
  let settled: NodeJS.Timeout | undefined
  let work = Promise.resolve()
  const look = async () => {
    const now = fingerprint(folders)
    if (now === known || signal.aborted) return
    known = now
    try {
      await compile()
      changed()
    } catch (error) {
      console.error(`\n  The server code cannot be compiled: ${String(error)}`)
    }
  }
  for (const folder of folders) {
    watch(folder, { signal, recursive: true }, () => {
      // Editors write a file in several steps.
      clearTimeout(settled)
      settled = setTimeout(() => {
        work = work.then(look)
      }, SETTLE_MS)
    })
  }
  signal.addEventListener('abort', () => clearTimeout(settled))
}

/**
 * Returns a fingerprint of the server's sources: files of `lib` without tests and generated code, and elsewhere the names
 * of the modules that are imported. Pages and components themselves are the framework's to reload.
 */
function fingerprint(folders: readonly string[]): string {
  const hash = createHash('sha256')
  for (const folder of folders) {
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()
    for (const file of files) {
      if (!SOURCE.test(file) || file.includes('generated')) continue
      const text = readFileSync(path.join(folder, file), 'utf8')
      const counted =
        path.basename(folder) === 'lib'
          ? text
          : (text.match(/'@toolgate\/server\/[^']+'/g)?.join('\n') ?? '')
      hash.update(`${file}\0${counted}\0`)
    }
  }
  return hash.digest('hex')
}
