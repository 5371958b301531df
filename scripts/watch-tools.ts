import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, watch } from 'node:fs'
import path from 'node:path'

const SETTLE_MS = 200

/**
 * Calls `changed` each time the tools in `folder` have changed and their index was written again. Prints why the index
 * cannot be written; then the tools before the change stay in use.
 */
export function watchTools(folder: string, signal: AbortSignal, changed: () => void): void {
  let known = fingerprint(folder)
  let settled: NodeJS.Timeout | undefined
  const look = () => {
    const now = fingerprint(folder)
    if (now === known) return
    known = now
    const generator = ['scripts/generate-tool-index.mjs', folder]
    if (spawnSync(process.execPath, generator, { stdio: 'inherit' }).status === 0) changed()
  }
  watch(folder, { signal }, () => {
    // Editors write a file in several steps.
    clearTimeout(settled)
    settled = setTimeout(look, SETTLE_MS)
  })
  signal.addEventListener('abort', () => clearTimeout(settled))
}

/** Returns a fingerprint of the tools' sources, without their tests, the index and an editor's temporary files. */
function fingerprint(folder: string): string {
  const hash = createHash('sha256')
  for (const file of readdirSync(folder).sort()) {
    if (!/^[a-z][a-z0-9-]*\.ts$/.test(file)) continue
    hash.update(`${file}\0`).update(readFileSync(path.join(folder, file)))
  }
  return hash.digest('hex')
}
