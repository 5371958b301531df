import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync, watch } from 'node:fs'
import path from 'node:path'
import { StepError } from './steps/step.mjs'

const SETTLE_MS = 200
/** Not tests, and no files of an editor. */
const SOURCE = /^[^.].*(?<!\.test)\.tsx?$/

/**
 * Compiles the server code anew each time that it changed in `places`, which are files and folders, and calls `changed` when
 * that succeeded. Prints why it cannot be compiled; then what was compiled before stays in use.
 */
export function watchServer(
  places: readonly string[],
  signal: AbortSignal,
  compile: () => Promise<unknown>,
  changed: () => void,
): void {
  let known = fingerprint(places)
  let settled: NodeJS.Timeout | undefined
  let work = Promise.resolve()
  const look = async () => {
    try {
      const now = fingerprint(places)
      if (now === known) return
      known = now
      await compile()
      if (!signal.aborted) changed()
    } catch (error) {
      const output = error instanceof StepError ? `\n${error.output}` : ''
      console.error(`\n  ${error instanceof Error ? error.message : error}${output}`)
    }
  }
  for (const place of places) {
    const watcher = watch(place, { signal, recursive: true }, () => {
      // Editors write a file in several steps.
      clearTimeout(settled)
      settled = setTimeout(() => {
        work = work.then(look)
      }, SETTLE_MS)
    })
    watcher.on('error', (error) => console.error(`\n  ${place} is not watched: ${error.message}`))
  }
  signal.addEventListener('abort', () => clearTimeout(settled))
}

/**
 * Returns a fingerprint of the server's sources: the files of `lib` without generated code, and elsewhere which modules are
 * imported. Pages and components themselves are the framework's to reload.
 */
function fingerprint(places: readonly string[]): string {
  const hash = createHash('sha256')
  for (const place of places) {
    for (const file of sourcesIn(place)) {
      const text = textOf(file)
      const imports = text.match(/'@toolgate\/server\/[^']+'/g)?.join('\n') ?? ''
      hash.update(`${file}\0${path.basename(place) === 'lib' ? text : imports}\0`)
    }
  }
  return hash.digest('hex')
}

function sourcesIn(place: string): string[] {
  if (!statSync(place).isDirectory()) return [place]
  return readdirSync(place, { recursive: true, encoding: 'utf8' })
    .filter((file) => SOURCE.test(path.basename(file)) && !file.includes('generated'))
    .sort()
    .map((file) => path.join(place, file))
}

/** Returns the text of a file; none where it went away after its folder was read. */
function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ''
    throw error
  }
}
